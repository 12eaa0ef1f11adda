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
    /// The request cannot be a message, with the reason; it was not sent.
    case invalid(String)
    /// No relay can be reached, so that the request was not sent; the text says which sockets were tried.
    case unreachable(String)
    /// The relay has rejected the connection, with its reason.
    case rejected(String)
    /// The user has cancelled the request before it was sent.
    case interrupted
    /// The connection ended after the request was sent, so that its outcome is unknown.
    case lost(String)
  }

  private let message: RemoteMessage
  private let contactTimeout: Int
  private let timeout: Int32
  private let interruption: Int32
  private let report: @Sendable (String) -> Void

  /// Creates a client for one request.
  ///
  /// - Parameters:
  ///   - message: A message of the kind ``RemoteMessage/Kind/open``.
  ///   - contactTimeout: The time in milliseconds in which a relay must introduce itself, before the request is sent.
  ///   - timeout: The time in milliseconds that the relay has for each part of its answer.
  ///   - interruption: A descriptor that is readable when the user cancels the request; -1 if the user cannot.
  ///   - report: Called with each line about the progress.
  public init(
    _ message: RemoteMessage, contactTimeout: Int, timeout: Int32, interruption: Int32 = -1,
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.message = message
    self.contactTimeout = contactTimeout
    self.timeout = timeout
    self.interruption = interruption
    self.report = report
  }

  /// Sends the request to the first relay that can be reached at one of the paths.
  public func carryOut(at paths: [String]) -> Outcome {
    guard let bytes = message.bytes else {
      return .invalid(
        "the request is too long: a message to the desktop has at most \(RemoteMessage.limit) bytes")
    }
    var search = RelaySearch(interruption: interruption)
    switch search.find(at: paths, timeout: contactTimeout) {
    case .rejected(let reason): return .rejected(reason)
    case .unreachable(let reason): return .unreachable(reason)
    case .interrupted: return .interrupted
    case .found(let connection, let stream):
      defer { close(connection) }
      return exchange(bytes, stream, over: connection)
    }
  }

  /// Sends the request to a relay that has introduced itself, and reads its messages until the result.
  private func exchange(_ bytes: [UInt8], _ stream: RemoteStream, over connection: Int32) -> Outcome {
    guard send(bytes, to: connection) else { return .lost("the connection to the desktop was lost") }
    var stream = stream
    var buffer = [UInt8](repeating: 0, count: 16_384)
    var interruption = interruption
    while true {
      do throws(RemoteStream.Failure) {
        while let next = try stream.next() {
          switch next.kind {
          case .result where next["id"] == message["id"]: return .result(next)
          case .rejection: return .rejected(next["error"] ?? "the relay gives no reason")
          case .progress: if let text = next["text"] { report(text) }
          default: break
          }
        }
      } catch {
        return .lost("\(error)")
      }
      guard let ready = wait(for: Int16(POLLIN), of: connection, or: interruption) else {
        return .lost("the relay does not answer")
      }
      if ready == interruption {
        // The relay answers with the end of the request.
        interruption = -1
        guard let bytes = RemoteMessage(.cancel, ["id": message["id"]]).bytes, send(bytes, to: connection)
        else { return .lost("the connection to the desktop was lost") }
        continue
      }
      let count = read(connection, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return .lost("the connection to the desktop was lost") }
      stream.append(buffer[..<count])
    }
  }

  /// Waits until a descriptor is ready, or another one is readable; `nil` after the timeout.
  private func wait(for events: Int16, of connection: Int32, or other: Int32 = -1) -> Int32? {
    while true {
      var waiting = [
        pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        pollfd(fd: connection, events: events, revents: 0),
      ]
      let ready = poll(&waiting, 2, timeout)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return nil }
      return waiting[0].revents != 0 ? other : connection
    }
  }

  /// Sends bytes; returns `false` if the connection is lost, or the other side does not read in time.
  private func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        guard wait(for: Int16(POLLOUT), of: connection) != nil else { return false }
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
