// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import Launching
import TestSupport
import Testing

@Suite struct `The socket for an answer` {
  private let directory: TemporaryDirectory
  private let address = CallbackAddress(scheme: "usher-callback")

  init() throws { directory = try TemporaryDirectory() }

  private var path: String { "\(directory.path)/usher/callback-\(address.token)" }

  private func bring(_ url: String) -> Bool { CallbackSocket.deliver(url, to: address, in: directory.path) }

  @Test func `It accepts one answer, possibly before the wait, and is removed`() throws {
    let socket = try #require(CallbackSocket(for: address, in: directory.path))
    #expect(bring(address.url(of: .success) + "?id=7"))
    #expect(socket.answer(until: .now + .seconds(30) * timeoutFactor) == .success([.init("id", "7")]))
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(!bring(address.url(of: .cancel)))
  }

  @Test func `Only the user can access the socket`() throws {
    let socket = try #require(CallbackSocket(for: address, in: directory.path))
    for (path, mode) in [(path, 0o600), ("\(directory.path)/usher", 0o700)] {
      let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(found == mode, "\(path)")
    }
    withExtendedLifetime(socket) {}
  }

  @Test func `Concurrently created sockets do not change the umask of the process`() async throws {
    func umask() throws -> Substring? {
      try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
        .first { $0.hasPrefix("Umask:") }
    }
    let before = try #require(try umask())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { [path = directory.path] in
          for _ in 0..<200 { _ = CallbackSocket(for: CallbackAddress(scheme: "usher-callback"), in: path) }
        }
      }
    }
    #expect(try umask() == before)
  }

  @Test func `Answers to other requests and invalid ones are skipped`() throws {
    let socket = try #require(CallbackSocket(for: address, in: directory.path))
    #expect(bring("nonsense"))
    #expect(bring(CallbackAddress(scheme: "usher-callback").url(of: .success)))
    #expect(bring(""))
    // A client that sends nothing, and stays connected.
    let silent = try Connection(to: path)
    #expect(bring(address.url(of: .cancel)))
    #expect(socket.answer(until: .now + .seconds(30) * timeoutFactor) == .cancel)
    withExtendedLifetime(silent) {}
  }

  @Test func `An answer beyond the size limit is an error`() throws {
    let answer = address.url(of: .success) + "?x="
    let rest = CallbackSocket.maximumSize - answer.utf8.count
    let cases: [(Int, XCallbackAnswer)] = [
      (rest, .success([.init("x", String(repeating: "a", count: rest))])),
      (rest + 1, .error(code: nil, message: "the answer of the application is longer than 64 KiB")),
    ]
    for (count, expected) in cases {
      let socket = try #require(CallbackSocket(for: address, in: directory.path))
      #expect(bring(answer + String(repeating: "a", count: count)))
      #expect(socket.answer(until: .now + .seconds(30) * timeoutFactor) == expected)
    }
  }

  @Test func `A command that accepts no answer does not block the sender`() throws {
    try directory.makeDirectory("usher")
    let stopped = try Connection(listeningAt: path)
    let pending = try Connection(to: path)
    let isRefused = DispatchSemaphore(value: 0)
    let (address, directory) = (address, directory.path)
    let url = address.url(of: .success)
    let sender = Thread {
      if !CallbackSocket.deliver(url, to: address, in: directory) { isRefused.signal() }
    }
    sender.start()
    #expect(isRefused.wait(timeout: .now() + 60 * timeoutFactor) == .success)
    withExtendedLifetime((stopped, pending)) {}
  }

  @Test func `No answer arrives in time`() throws {
    let socket = try #require(CallbackSocket(for: address, in: directory.path))
    #expect(socket.answer(until: .now + .milliseconds(20)) == nil)
  }

  @Test func `It is waited for until there is something else to read`() throws {
    let socket = try #require(CallbackSocket(for: address, in: directory.path))
    let interruption = Pipe()
    try interruption.fileHandleForWriting.write(contentsOf: Data([1]))
    let descriptor = interruption.fileHandleForReading.fileDescriptor
    #expect(socket.answer(until: .now + .seconds(30) * timeoutFactor, interruptedBy: descriptor) == nil)
    withExtendedLifetime(interruption) {}
  }

  @Test func `An answer that has arrived counts although there is something else to read`() throws {
    let socket = try #require(CallbackSocket(for: address, in: directory.path))
    #expect(bring("nonsense"))
    #expect(bring(address.url(of: .cancel)))
    let interruption = Pipe()
    try interruption.fileHandleForWriting.write(contentsOf: Data([1]))
    let descriptor = interruption.fileHandleForReading.fileDescriptor
    #expect(socket.answer(until: .now + .seconds(30) * timeoutFactor, interruptedBy: descriptor) == .cancel)
    withExtendedLifetime(interruption) {}
  }

  @Test func `It is removed with its waiter, and a left one by the next`() throws {
    do { _ = CallbackSocket(for: address, in: directory.path) }
    #expect(!FileManager.default.fileExists(atPath: path))
    // The socket of a command that was killed.
    let waiting = try #require(
      CallbackSocket(for: CallbackAddress(scheme: "usher-callback"), in: directory.path))
    try Connection.leaveSocket(at: path)
    #expect(FileManager.default.fileExists(atPath: path))
    let next = try #require(
      CallbackSocket(for: CallbackAddress(scheme: "usher-callback"), in: directory.path))
    let left = try FileManager.default.contentsOfDirectory(atPath: "\(directory.path)/usher")
    #expect(left.count == 2 && !left.contains("callback-\(address.token)"))
    withExtendedLifetime((waiting, next)) {}
  }

  @Test func `Later commands leave the backlog of a waiting one empty`() throws {
    let waiting = try #require(CallbackSocket(for: address, in: directory.path))
    // As many as the backlog holds.
    let later = (0..<9).map { _ in
      CallbackSocket(for: CallbackAddress(scheme: "usher-callback"), in: directory.path)
    }
    #expect(later.allSatisfy { $0 != nil })
    try #require(bring(address.url(of: .cancel)))
    #expect(waiting.answer(until: .now + .seconds(30) * timeoutFactor) == .cancel)
    withExtendedLifetime(later) {}
  }

  @Test func `A socket is not removed between its creation and the start of the wait`() throws {
    try directory.makeDirectory("usher")
    let starting = try Connection(boundTo: path)
    let next = try #require(
      CallbackSocket(for: CallbackAddress(scheme: "usher-callback"), in: directory.path))
    #expect(FileManager.default.fileExists(atPath: path))
    withExtendedLifetime((starting, next)) {}
  }

  @Test func `There is no socket without a runtime directory, or if another file has its name`() throws {
    #expect(CallbackSocket(for: address, in: nil) == nil)
    #expect(CallbackSocket(for: address, in: "\(directory.path)/missing") == nil)
    try directory.write("", to: "usher")
    #expect(CallbackSocket(for: address, in: directory.path) == nil)
    #expect(CallbackSocket(for: address, in: directory.path + String(repeating: "/.", count: 60)) == nil)
  }
}

/// A client socket of the test.
private final class Connection {
  private let descriptor: Int32

  init(to path: String) throws(TestSupportError) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard Self.with(path, { connect(descriptor, $0, $1) }) == 0 else {
      throw TestSupportError("nobody listens at \(path)")
    }
  }

  /// Creates a socket that does not listen.
  init(boundTo path: String) throws(TestSupportError) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard Self.with(path, { bind(descriptor, $0, $1) }) == 0 else {
      throw TestSupportError("no socket at \(path)")
    }
  }

  /// Creates a socket with room for one connection, which is never accepted.
  init(listeningAt path: String) throws(TestSupportError) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard Self.with(path, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 0) == 0 else {
      throw TestSupportError("no socket at \(path)")
    }
  }

  deinit { close(descriptor) }

  /// Creates a socket on which no process listens.
  static func leaveSocket(at path: String) throws(TestSupportError) {
    _ = try Connection(boundTo: path)
  }

  private static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
