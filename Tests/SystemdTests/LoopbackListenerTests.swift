// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Systemd

@Suite struct `A port of the loopback interface` {
  /// Runs a program in Python with a port as its argument, and returns its output.
  private func python(_ text: String, _ port: Int = 0) async throws -> String {
    try await Command.run("/usr/bin/python3", ["-c", "import socket, sys\n\(text)", "\(port)"]).orThrow()
      .output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func freePort() async throws -> UInt16 {
    try #require(
      UInt16(try await python("s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])")))
  }

  private func listen(
    at port: UInt16, of address: LoopbackListener.Address,
    _ accept: @escaping @Sendable (StreamConnection) -> Void = { $0.close() }
  ) async throws -> LoopbackListener {
    let (results, made) = AsyncStream<Result<LoopbackListener, SystemdError>>.makeStream()
    EventLoop.shared.submit {
      do throws(SystemdError) {
        made.yield(.success(try LoopbackListener(port: port, of: address, on: .shared, accept)))
      } catch {
        made.yield(.failure(error))
      }
    }
    return try await #require(results.first { _ in true }).get()
  }

  /// Listens as soon as no process has a copy of an earlier socket: a program that another test starts has it until it is executed.
  private func listenWhenFree(
    at port: UInt16, of address: LoopbackListener.Address,
    _ accept: @escaping @Sendable (StreamConnection) -> Void = { $0.close() }
  ) async throws -> LoopbackListener {
    try await withDeadline(Command.defaultDeadline, "the port \(port)") {
      while true {
        do { return try await listen(at: port, of: address, accept) } catch let error as SystemdError {
          guard error.isPortInUse else { throw error }
          try await Task.sleep(for: .milliseconds(5))
        }
      }
    }
  }

  private func end(_ listener: LoopbackListener) async {
    let (ends, ended) = AsyncStream<Void>.makeStream()
    EventLoop.shared.submit {
      listener.end()
      ended.yield()
    }
    await ends.first { _ in true }
  }

  @Test(arguments: LoopbackListener.Address.allCases)
  func `accepts streams at one address, and is free afterwards`(address: LoopbackListener.Address)
    async throws
  {
    let port = try await freePort()
    #expect(LoopbackListener.isFree(port: port))
    let listener = try await listenWhenFree(at: port, of: address) { connection in
      connection.start { bytes in
        connection.send(bytes)
        connection.endOutputWhenSent()
      } ended: {
      }
    }
    #expect(!LoopbackListener.isFree(port: port))
    let host = address == .ipv4 ? "127.0.0.1" : "::1"
    // The peer reads all of the output although it still sends.
    let echo = try await python(
      """
      peer = socket.create_connection(("\(host)", int(sys.argv[1])))
      peer.sendall(b"hello")
      answer = peer.recv(5)
      peer.sendall(b"more")
      print(answer + peer.recv(5))
      """, Int(port))
    #expect(echo == "b'hello'")
    let error = await #expect(throws: SystemdError.self) { try await listen(at: port, of: address) }
    #expect(error?.isPortInUse == true && error?.description.contains("\(port)") == true)
    await end(listener)
    // Connections that were closed here wait in the kernel, and do not occupy the port.
    await end(try await listenWhenFree(at: port, of: address))
  }

  @Test func `is not free if a program listens at another address of the machine`() async throws {
    let service = try await RunningProgram.start(
      "/usr/bin/python3",
      [
        "-u", "-c",
        "import socket; s = socket.create_server(('0.0.0.0', 0)); print(s.getsockname()[1]); s.accept()",
      ])
    let port = try #require(UInt16(try await service.line()))
    #expect(!LoopbackListener.isFree(port: port))
    await #expect(throws: SystemdError.self) { try await listen(at: port, of: .ipv4) }
    service.kill()
  }

  @Test func `Lines of a pipe are read until it ends`() async throws {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let (lines, line) = AsyncStream<String>.makeStream()
    let text = Array("one\n\ntwo\r\n\u{1F600}\n".utf8) + [0xFF, 0x0A] + Array("last\nincomplete".utf8)
    #expect(write(ends[1], text, text.count) == text.count)
    close(ends[1])
    await EventLoop.shared.readLines(of: ends[0]) { line.yield($0) }
    line.finish()
    var read: [String] = []
    for await line in lines { read.append(line) }
    #expect(read == ["one", "", "two\r", "\u{1F600}", "last"])
    close(ends[0])
  }
}

@Suite struct `A connection at a socket in the file system` {
  /// Answers the greeting with 6 MiB, and ends the output at anything else.
  private static func answer(_ connection: StreamConnection) {
    connection.start { bytes in
      guard bytes.starts(with: "hello".utf8) else { return connection.endOutputWhenSent() }
      connection.send([UInt8](repeating: 0x61, count: 6 << 20))
    } ended: {
    }
  }

  private static func listen(
    at path: String, _ accept: @escaping @Sendable (StreamConnection) -> Void
  ) async throws -> StreamListener {
    let (results, made) = AsyncStream<Result<StreamListener, SystemdError>>.makeStream()
    EventLoop.shared.submit {
      do throws(SystemdError) {
        made.yield(.success(try StreamListener(at: path, on: .shared, accept)))
      } catch {
        made.yield(.failure(error))
      }
    }
    return try await #require(results.first { _ in true }).get()
  }

  /// The socket of the kernel takes some 200 KiB, so that the rest waits until the peer has read them.
  @Test func `sends more than the kernel takes at once, while it also receives`() async throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/socket"
    let listener = try await Self.listen(at: path, Self.answer)
    let received = try await Command.run(
      "/usr/bin/python3",
      [
        "-c",
        """
        import socket, sys
        peer = socket.socket(socket.AF_UNIX)
        peer.connect(sys.argv[1])
        peer.sendall(b"hello")
        count = 0
        while True:
            part = peer.recv(65536)
            if not part: break
            if count < 1 << 20 <= count + len(part): peer.sendall(b"more")
            count += len(part)
        print(count)
        """, path,
      ]
    ).orThrow().output
    #expect(received == "\(6 << 20)\n")
    EventLoop.shared.submit { listener.end() }
  }

  @Test func `that is closed sends its output before`() async throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/socket"
    let listener = try await Self.listen(at: path) { connection in
      connection.start { _ in
        connection.send([UInt8](repeating: 0x61, count: 6 << 20))
        connection.closeWhenSent(within: .seconds(86_400))
        connection.send([0x62])
      } ended: {
      }
    }
    let received = try await Command.run(
      "/usr/bin/python3",
      [
        "-c",
        """
        import socket, sys
        peer = socket.socket(socket.AF_UNIX)
        peer.connect(sys.argv[1])
        peer.sendall(b"hello")
        print(len(peer.makefile("rb").read()))
        """, path,
      ]
    ).orThrow().output
    #expect(received == "\(6 << 20)\n")
    EventLoop.shared.submit { listener.end() }
  }

  /// The peer would otherwise keep the connection, and fill the memory.
  @Test func `that is closed reads nothing more, and ends in time if its peer reads nothing`() async throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/socket"
    let listener = try await Self.listen(at: path) { connection in
      connection.start { _ in
        connection.send([UInt8](repeating: 0x61, count: 6 << 20))
        connection.closeWhenSent(within: .milliseconds(100))
      } ended: {
      }
    }
    let result = try await Command.run(
      "/usr/bin/python3",
      [
        "-c",
        """
        import socket, sys
        peer = socket.socket(socket.AF_UNIX)
        peer.connect(sys.argv[1])
        peer.sendall(b"hello")
        count = 0
        try:
            while count < 64 << 20: count += peer.send(bytes(65536))
            print("received")
        except ConnectionError:
            print("closed")
        """, path,
      ]
    ).orThrow().output
    #expect(result == "closed\n")
    EventLoop.shared.submit { listener.end() }
  }
}
