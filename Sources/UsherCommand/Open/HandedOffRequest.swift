/// A request that the command's front has brought to the broker's socket, for which this program takes over.
///
/// It comes where the name of a program is, `--sent=ID` and its like, before all words of the call: nobody types it.
struct HandedOffRequest: Equatable {
  /// What is known of it.
  enum Status: String, CaseIterable {
    /// Nobody answered: it is sent again, under the same ID.
    case sent = "--sent="
    /// The broker has something to tell, or nobody may know: it is only asked about.
    case perhapsOpen = "--perhaps-open="
    /// All went well, and somebody looks who is to be told.
    case opened = "--opened="
  }

  /// The ID it was sent with.
  let id: String
  let status: Status

  /// Reads a word; `nil` where it is another one.
  init?(_ word: String) {
    guard let status = Status.allCases.first(where: { word.hasPrefix($0.rawValue) }) else { return nil }
    self.status = status
    id = String(word.dropFirst(status.rawValue.count))
  }
}
