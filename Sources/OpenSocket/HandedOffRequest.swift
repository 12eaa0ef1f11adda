// SPDX-License-Identifier: Apache-2.0
/// A request that the front sent to the broker's socket, and that the complete command takes over.
///
/// The front passes it in argument zero, as `--sent=ID` and similar, before all other arguments, where a user cannot pass
/// it.
public struct HandedOffRequest: Equatable, Sendable {
  /// The status of the request.
  public enum Status: String, CaseIterable, Sendable {
    /// The broker did not answer: the request is sent again, under the same ID.
    case sent = "--sent="
    /// The broker has a message, or the outcome is unknown: the request is only queried.
    case uncertain = "--resume-uncertain="
    /// The request succeeded, and its outcome is printed for the user.
    case opened = "--opened="
  }

  /// The ID of the sent request.
  public let id: String
  /// The knowledge of the front about it.
  public let status: Status

  /// Creates a request that was sent.
  public init(_ id: String, _ status: Status) {
    self.id = id
    self.status = status
  }

  /// Parses an argument; `nil` if it is no such argument.
  public init?(_ word: String) {
    guard let status = Status.allCases.first(where: { word.hasPrefix($0.rawValue) }) else { return nil }
    self.status = status
    id = String(word.dropFirst(status.rawValue.count))
  }

  /// The argument, which ``init(_:)`` parses.
  public var word: String { status.rawValue + id }
}
