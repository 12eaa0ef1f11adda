/// A request that the command's front has brought to the broker's socket before this program took over.
///
/// It comes as the first word of the call, from the front alone: `--begun=ID`, or `--perhaps-open=ID`.
struct BegunRequest: Equatable {
  /// The ID it was sent with.
  let id: String
  /// Whether it may have been opened, so that it is only asked what became of it.
  let mayBeOpen: Bool

  /// Takes the word out of `arguments`, the words of the call with the program's name; `nil` where it is not there.
  init?(takenFrom arguments: inout [String]) {
    guard arguments.count > 2 else { return nil }
    let pair = arguments[1].split(separator: "=", maxSplits: 1)
    switch pair.first {
    case "--begun": mayBeOpen = false
    case "--perhaps-open": mayBeOpen = true
    default: return nil
    }
    guard pair.count == 2 else { return nil }
    id = String(pair[1])
    arguments.remove(at: 1)
  }
}
