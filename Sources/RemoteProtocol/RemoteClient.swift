// SPDX-License-Identifier: Apache-2.0
/// A client that sends one request to a relay, and waits for its result.
///
/// After the result of a sign-in, a process of its own may stay (``AnswerCarrier``). The process of the client must have one thread.
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
    self.message = message.accepting(.carry)
    self.contactTimeout = contactTimeout
    self.timeout = timeout
    self.interruption = interruption
    self.report = report
  }

  /// Sends the request to the first relay that can be reached at one of the paths.
  public func carryOut(at paths: [String]) -> Outcome {
    guard message.bytes != nil else {
      return .invalid(
        "the request is too long: a message to the desktop has at most \(RemoteMessage.limit) bytes")
    }
    var search = RelaySearch(interruption: interruption)
    switch search.find(at: paths, timeout: contactTimeout) {
    case .rejected(let reason): return .rejected(reason)
    case .unreachable(let reason): return .unreachable(reason)
    case .interrupted: return .interrupted
    case .found(let connection, _): return carryOut(over: connection)
    }
  }

  private func carryOut(over connection: RelayConnection) -> Outcome {
    guard connection.send(message) else { return .lost(RelayConnection.lost) }
    var interruption = interruption
    while true {
      switch connection.next(timeout: timeout, interruption: interruption) {
      case .ended(let reason): return .lost(reason)
      case .interrupted:
        // The relay answers with the end of the request.
        interruption = -1
        guard connection.send(RemoteMessage(.cancel, ["id": message["id"]])) else {
          return .lost(RelayConnection.lost)
        }
      case .message(let next):
        switch next.kind {
        case .result where next["id"] == message["id"]:
          AnswerCarrier(next, over: connection)?.begin()
          return .result(next)
        case .rejection: return .rejected(next.rejection)
        case .progress: if let text = next["text"] { report(text) }
        default: break
        }
      }
    }
  }
}

extension RemoteMessage {
  /// Returns the message of a client that handles messages of a kind.
  fileprivate func accepting(_ kind: Kind) -> RemoteMessage {
    var message = self
    message.fields.append(Field("accepts", kind.rawValue))
    return message
  }
}
