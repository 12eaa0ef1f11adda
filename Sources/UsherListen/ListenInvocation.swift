// SPDX-License-Identifier: Apache-2.0
import Systemd

/// The arguments that `usher listen` passes on: `OPTION… ID COUNT URL… [EXECUTABLE ARGUMENT…]`.
///
/// This interface is internal to one version of the two programs; users call `usher listen`.
struct ListenInvocation: Sendable {
  /// The executable that answers, with its arguments.
  struct Command: Sendable {
    let executable: String
    let arguments: [String]
  }

  /// The options that concern the handling of requests.
  struct Options: Sendable {
    /// The longest time without a reply and without progress.
    var timeout = Duration.seconds(20)
    var isForEach = false
    /// The maximum number of requests that the program has at a time; `nil` for one, whose cancellation it does not learn.
    var concurrent: Int?
  }

  let applicationID: String
  let urls: [String]
  let command: Command?
  var options = Options()
  var idle: Duration?
  var readsReplies = false

  init(arguments: [String]) throws(ListenError) {
    let options = arguments.prefix { $0.hasPrefix("--") }
    let rest = arguments.dropFirst(options.count)
    guard let id = rest.first, let count = rest.dropFirst().first.flatMap({ Int($0) }), count >= 0,
      rest.count >= 2 + count
    else { throw .invalidInvocation }
    applicationID = id
    urls = Array(rest.dropFirst(2).prefix(count))
    let words = Array(rest.dropFirst(2 + count))
    command = words.first.map { Command(executable: $0, arguments: Array(words.dropFirst())) }
    for option in options {
      switch option {
      case "--each": self.options.isForEach = true
      case "--replies": readsReplies = true
      default:
        let parts = option.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let number = Int64(parts[1]) else { throw .invalidInvocation }
        switch parts[0] {
        case "--timeout": self.options.timeout = .microseconds(number)
        case "--idle": idle = .microseconds(number)
        case "--concurrent": self.options.concurrent = Int(number)
        default: throw .invalidInvocation
        }
      }
    }
  }
}
