/// A request that the command's front sent to the broker's socket, and that this program takes over.
///
/// The front passes it in argument zero, as `--sent=ID` and similar, before all other arguments, where a user cannot pass
/// it.
struct HandedOffRequest: Equatable {
  /// The status of the request.
  enum Status: String, CaseIterable {
    /// The broker did not answer: the request is sent again, under the same ID.
    case sent = "--sent="
    /// The broker has a message, or the outcome is unknown: the request is only queried.
    case perhapsOpen = "--perhaps-open="
    /// The request succeeded, and its outcome is printed for the user.
    case opened = "--opened="
  }

  /// The ID of the sent request.
  let id: String
  let status: Status

  /// Parses an argument; `nil` if it is no such argument.
  init?(_ word: String) {
    guard let status = Status.allCases.first(where: { word.hasPrefix($0.rawValue) }) else { return nil }
    self.status = status
    id = String(word.dropFirst(status.rawValue.count))
  }
}
