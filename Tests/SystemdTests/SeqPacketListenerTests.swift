// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Systemd

@Suite struct `A socket for packets` {
  /// A listener, with the received packets and their senders.
  private struct Scene {
    let directory: TemporaryDirectory
    let listener: SeqPacketListener
    let packets: AsyncStream<(peer: SeqPacketConnection, bytes: [UInt8])>
    var path: String { "\(directory.path)/socket" }

    /// Creates the listener; with `asksKernel: false` as on a kernel before Linux 6.5.
    init(
      most: Int = 8, in directory: TemporaryDirectory? = nil, on loop: EventLoop = .shared,
      asksKernel: Bool = true
    ) async throws {
      let directory = try directory ?? TemporaryDirectory()
      let (packets, came) = AsyncStream<(peer: SeqPacketConnection, bytes: [UInt8])>.makeStream()
      self.directory = directory
      self.packets = packets
      let made = AsyncStream<Result<SeqPacketListener, SystemdError>>.makeStream()
      loop.submit {
        do throws(SystemdError) {
          made.continuation.yield(
            .success(
              try SeqPacketListener(
                at: "\(directory.path)/socket", on: loop, mostConnections: most, longestPacket: 8,
                question: 63,
                asksKernel: asksKernel
              ) { came.yield(($0, $1)) }))
        } catch {
          made.continuation.yield(.failure(error))
        }
      }
      let result = await made.stream.first { _ in true }
      listener = try #require(result).get()
    }

    func next() async throws -> (peer: SeqPacketConnection, bytes: [UInt8]) {
      let packets = packets
      return try #require(
        await withDeadline(Command.defaultDeadline, "a packet") { await packets.first { _ in true } })
    }

    /// Returns a new connection, which the caller closes.
    func connect() throws -> Int32 {
      let descriptor = `A socket for packets`.newSocket()
      try connect(descriptor)
      return descriptor
    }

    func connect(_ descriptor: Int32) throws {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let connected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(connected == 0)
    }
  }

  private static func newSocket() -> Int32 {
    socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  }

  private static func send(_ text: String, _ descriptor: Int32) {
    _ = Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
  }

  /// Returns the next byte; 0 if the connection has ended.
  private static func receive(_ descriptor: Int32) async throws -> UInt8 {
    try await withDeadline(Command.defaultDeadline, "an answer") {
      await onThread {
        var byte: UInt8 = 0
        _ = recv(descriptor, &byte, 1, 0)
        return byte
      }
    }
  }

  private static func onThread(_ body: @escaping @Sendable () -> UInt8) async -> UInt8 {
    await withCheckedContinuation { done in Thread.detachNewThread { done.resume(returning: body()) } }
  }

  @Test func `Each connection transfers one packet with a known sender, and gets a reply`() async throws {
    let scene = try await Scene()
    #expect(try FileManager.default.attributesOfItem(atPath: scene.path)[.posixPermissions] as? Int == 0o600)
    let connection = try scene.connect()
    defer { close(connection) }
    Self.send("hello", connection)
    let (peer, bytes) = try await scene.next()
    #expect(bytes == Array("hello".utf8))
    #expect(peer.userID == getuid() && peer.process?.pid == getpid())
    peer.send(7)
    #expect(try await Self.receive(connection) == 7)
    EventLoop.shared.submit { peer.hangUp() }
    #expect(try await Self.receive(connection) == 0)
  }

  @Test func `A late packet is accepted, one that is too long is not`() async throws {
    let scene = try await Scene()
    let (early, late) = (try scene.connect(), try scene.connect())
    defer { [early, late].forEach { close($0) } }
    Self.send("too long by far", early)
    #expect(try await Self.receive(early) == 0)
    Self.send("late", late)
    #expect(try await scene.next().bytes == Array("late".utf8))
  }

  @Test func `Connections beyond the limit are closed, and a closed one makes room`()
    async throws
  {
    let scene = try await Scene(most: 2)
    let held = [try scene.connect(), try scene.connect()]
    for connection in held { Self.send("held", connection) }
    let (first, second) = (try await scene.next().peer, try await scene.next().peer)
    let third = try scene.connect()
    #expect(try await Self.receive(third) == 0)
    EventLoop.shared.submit { first.hangUp() }
    await withCheckedContinuation { done in EventLoop.shared.submit { done.resume() } }
    let fourth = try scene.connect()
    defer { (held + [third, fourth]).forEach { close($0) } }
    Self.send("fourth", fourth)
    #expect(try await scene.next().bytes == Array("fourth".utf8))
    second.send(1)
  }

  @Test func `The connection that is silent for the longest time gives way to a new one`() async throws {
    let scene = try await Scene(most: 2)
    let (first, second, third) = (try scene.connect(), try scene.connect(), try scene.connect())
    defer { [first, second, third].forEach { close($0) } }
    Self.send("third", third)
    #expect(try await scene.next().bytes == Array("third".utf8))
    #expect(try await Self.receive(first) == 0)
    Self.send("second", second)
    #expect(try await scene.next().bytes == Array("second".utf8))
  }

  @Test func `A closed listener closes silent connections`() async throws {
    let scene = try await Scene()
    let (sent, silent) = (try scene.connect(), try scene.connect())
    defer { [sent, silent].forEach { close($0) } }
    Self.send("sent", sent)
    let peer = try await scene.next().peer
    EventLoop.shared.submit { scene.listener.end() }
    #expect(try await Self.receive(silent) == 0)
    peer.send(7)
    #expect(try await Self.receive(sent) == 7)
  }

  @Test func `A closed listener accepts no connection, and leaves no file in the directory`() async throws {
    let scene = try await Scene()
    EventLoop.shared.submit { scene.listener.end() }
    await withCheckedContinuation { done in EventLoop.shared.submit { done.resume() } }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scene.directory.path).isEmpty)
  }

  @Test func `A file that is no socket is kept`() async throws {
    let directory = try TemporaryDirectory()
    try directory.write("kept", to: "socket")
    let error = await #expect(throws: SystemdError.self) { try await Scene(in: directory) }
    #expect(error?.code == EEXIST)
    #expect(try String(contentsOfFile: "\(directory.path)/socket", encoding: .utf8) == "kept")
  }

  @Test func `A closed listener does not remove the socket of its successor`() async throws {
    let first = try await Scene()
    let second = try await Scene(in: first.directory)
    EventLoop.shared.submit { first.listener.end() }
    await withCheckedContinuation { done in EventLoop.shared.submit { done.resume() } }
    let connection = try second.connect()
    defer { close(connection) }
    Self.send("here", connection)
    #expect(try await second.next().bytes == Array("here".utf8))
  }

  /// Simulates the lack of a descriptor for the connection.
  @Test func `A rejected connection is closed, and later ones are served`() async throws {
    let scene = try await Scene()
    let (first, second) = (Self.newSocket(), Self.newSocket())
    defer { [first, second].forEach { close($0) } }
    let isConnected = await withCheckedContinuation { done in
      // Runs in one turn of the loop, so that the listener accepts no connection in between.
      EventLoop.shared.submit {
        let isConnected = (try? scene.connect(first)) != nil
        scene.listener.rejectConnection()
        done.resume(returning: isConnected)
      }
    }
    #expect(isConnected)
    #expect(try await Self.receive(first) == 0)
    try scene.connect(second)
    Self.send("late", second)
    #expect(try await scene.next().bytes == Array("late".utf8))
  }

  /// The test runs in a process of its own, because the limit of descriptors is that of the process.
  @Test func `Without a descriptor, connections wait until one is free`() async {
    await #expect(processExitsWith: .success) {
      let scene = try await Scene()
      let connection = `A socket for packets`.newSocket()
      let isConnected = await withCheckedContinuation { done in
        // Runs in one turn of the loop, so that the listener accepts no connection in between.
        EventLoop.shared.submit {
          var limit = rlimit()
          getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
          var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
          let isConnected = (try? scene.connect(connection)) != nil
          setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
          scene.listener.rejectConnection()
          setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
          done.resume(returning: isConnected)
        }
      }
      #expect(isConnected)
      `A socket for packets`.send("late", connection)
      #expect(try await scene.next().bytes == Array("late".utf8))
      #expect(FileManager.default.fileExists(atPath: scene.path))
    }
  }

  @Test func `Before Linux 6.5 a reply proves its sender`() async throws {
    let scene = try await Scene(asksKernel: false)
    let connection = try scene.connect()
    defer { close(connection) }
    Self.send("hello", connection)
    #expect(try await Self.receive(connection) == 63)
    Self.send("i", connection)
    let (peer, bytes) = try await scene.next()
    #expect(bytes == Array("hello".utf8) && peer.process?.pid == getpid())
    peer.send(7)
    #expect(try await Self.receive(connection) == 7)
  }

  /// Tests packets from a process other than the one that has the process ID now.
  @Test(arguments: [
    // The connecting process has exited, and its child has the connection: the process ID may have been reused.
    """
    connect(); send("attack")
    if os.fork():
        os._exit(0)
    print(receive(), flush=True)
    peer.send(b"i")
    """,
    // The process has exited, and no process replies.
    """
    connect(); send("attack")
    """,
    // The process runs, and another process replies.
    """
    connect(); send("attack")
    print(receive(), flush=True)
    if os.fork() == 0:
        peer.send(b"i")
        os._exit(0)
    os.wait()
    """,
  ])
  func `Before Linux 6.5 a caller is not identified by a process ID that may be reused`(script: String)
    async throws
  {
    let scene = try await Scene(asksKernel: false)
    let head = """
      import os, socket, sys
      peer = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
      def connect(): peer.connect(sys.argv[1])
      def send(text): peer.send(text.encode())
      def receive(): return peer.recv(1)

      """
    let caller = try await RunningProgram.start("/usr/bin/python3", ["-c", head + script, scene.path])
    let (peer, bytes) = try await scene.next()
    #expect(bytes == Array("attack".utf8))
    #expect(peer.process == nil)
    EventLoop.shared.submit { peer.hangUp() }
    _ = await caller.waitUntilExit()
  }

  /// The process may have exited since, and its ID may have been reused.
  @Test func `Before Linux 6.5 a reply that was sent before the challenge proves nothing`() async throws {
    let (loop, stopped) = (EventLoop(), DispatchSemaphore(value: 0))
    let scene = try await Scene(on: loop, asksKernel: false)
    loop.submit { stopped.wait() }
    let script = """
      import socket, sys
      peer = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
      peer.connect(sys.argv[1])
      peer.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
      peer.send(b"attack")
      peer.send(b"i")
      print("sent", flush=True)
      sys.stdin.read()
      """
    let caller = try await RunningProgram.start("/usr/bin/python3", ["-c", script, scene.path])
    #expect(try await caller.line() == "sent")
    stopped.signal()
    let (peer, bytes) = try await scene.next()
    #expect(bytes == Array("attack".utf8))
    #expect(peer.process == nil)
    caller.closeInput()
    _ = await caller.waitUntilExit()
  }

  @Test func `Only the process ID that the kernel reports, of a living process, is a proof`() {
    let proof = PeerProof(connected: 7)
    func first(_ error: Int32, _ hasHolder: Bool) -> PeerProof.Step {
      proof.step(after: error, notKnown: ENOPROTOOPT, hasHolder: hasHolder)
    }
    #expect([first(0, true), first(0, false)] == [.known, .known])
    #expect([first(ENOPROTOOPT, true), first(ENOPROTOOPT, false)] == [.ask, .unknown])
    for error in [ESRCH, EINVAL, ENODATA, EMFILE] { #expect(first(error, true) == .unknown) }
    for number: Int32 in [0, -1] {
      let unproven = PeerProof(connected: number)
      #expect(unproven.step(after: 0, notKnown: ENOPROTOOPT, hasHolder: true) == .unknown)
      #expect(unproven.step(after: ENOPROTOOPT, notKnown: ENOPROTOOPT, hasHolder: true) == .unknown)
    }
    #expect(proof.step(afterReplyOf: 7, holderIsAlive: true) == .known)
    for (sender, isAlive) in [(7, false), (8, true), (nil, true), (0, true)] as [(Int32?, Bool)] {
      #expect(proof.step(afterReplyOf: sender, holderIsAlive: isAlive) == .unknown)
    }
  }
}
