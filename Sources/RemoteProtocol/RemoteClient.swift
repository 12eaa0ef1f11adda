// SPDX-License-Identifier: Apache-2.0
import Glibc
import OpenSocket

/// A client that sends one request to a relay, and waits for its result.
///
/// It needs nothing but the C library, because the machine on which it runs may have nothing else of Usher.
public struct RemoteClient: Sendable {
  /// The outcome of a request.
  public enum Outcome: Equatable, Sendable {
    /// The relay has answered with a message of the kind ``RemoteMessage/Kind/result``.
    case result(RemoteMessage)
    /// No relay can be reached, so that the request was not sent; the text says which sockets were tried.
    case unreachable(String)
    /// The relay has rejected the connection, with its reason.
    case rejected(String)
    /// The connection ended after the request was sent, so that its outcome is unknown.
    case lost(String)
  }

  private let message: RemoteMessage
  private let timeout: Int32
  private let interruption: Int32
  private let report: @Sendable (String) -> Void

  /// Creates a client for one request.
  ///
  /// - Parameters:
  ///   - message: A message of the kind ``RemoteMessage/Kind/open``.
  ///   - timeout: The time in milliseconds that the relay has for each part of its answer.
  ///   - interruption: A descriptor that is readable when the user cancels the request; -1 if the user cannot.
  ///   - report: Called with each line about the progress.
  public init(
    _ message: RemoteMessage, timeout: Int32, interruption: Int32 = -1,
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.message = message
    self.timeout = timeout
    self.interruption = interruption
    self.report = report
  }

  /// Sends the request to the first relay that can be reached at one of the paths.
  public func carryOut(at paths: [String]) -> Outcome {
    guard let bytes = message.bytes else { return .rejected("the request is too long") }
    var reasons: [String] = []
    for path in paths {
      let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      guard connection >= 0 else { return .unreachable(String(cString: strerror(errno))) }
      defer { close(connection) }
      guard Self.connect(connection, to: path) else {
        let code = errno
        if code == ECONNREFUSED, RemoteSocket.isAbandoned(path) { unlink(path) }
        reasons.append("\(path): \(String(cString: strerror(code)))")
        continue
      }
      // sshd accepts a connection even if its other end is gone, so the relay must introduce itself before the request is sent.
      var stream = RemoteStream()
      guard Self.send(RemoteStream.greeting, to: connection) else { continue }
      switch receive(from: connection, &stream, until: .ready) {
      case .message: break
      case .rejected(let reason): return .rejected(reason)
      case .ended(let reason):
        reasons.append("\(path): \(reason)")
        continue
      }
      guard Self.send(bytes, to: connection) else { return .lost("the connection to the desktop was lost") }
      switch receive(from: connection, &stream, until: .result) {
      case .message(let result): return .result(result)
      case .rejected(let reason): return .rejected(reason)
      case .ended(let reason): return .lost(reason)
      }
    }
    return .unreachable(reasons.joined(separator: "; "))
  }

  private enum Reception {
    case message(RemoteMessage)
    case rejected(String)
    case ended(String)
  }

  /// Reads messages until one of `kind` about this request arrives.
  private func receive(
    from connection: Int32, _ stream: inout RemoteStream, until kind: RemoteMessage.Kind
  ) -> Reception {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    var interruption = kind == .result ? self.interruption : -1
    while true {
      do throws(RemoteStream.Failure) {
        while let next = try stream.next() {
          switch next.kind {
          case kind where kind == .ready || next["id"] == message["id"]: return .message(next)
          case .rejection: return .rejected(next["error"] ?? "the relay gives no reason")
          case .progress: if let text = next["text"] { report(text) }
          default: break
          }
        }
      } catch {
        return .ended("\(error)")
      }
      var waiting = [connection, interruption].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let ready = poll(&waiting, 2, timeout)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return .ended("the relay does not answer") }
      if waiting[1].revents != 0 {
        // The relay answers with the end of the request.
        interruption = -1
        guard let bytes = RemoteMessage(.cancel, ["id": message["id"]]).bytes,
          Self.send(bytes, to: connection)
        else { return .ended("the connection to the desktop was lost") }
        continue
      }
      let count = read(connection, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return .ended("the connection to the desktop was lost") }
      stream.append(buffer[..<count])
    }
  }

  private static func connect(_ descriptor: Int32, to path: String) -> Bool {
    errno = ENAMETOOLONG
    return SocketAddress.with(path) { Glibc.connect(descriptor, $0, $1) } == 0
  }

  private static func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
