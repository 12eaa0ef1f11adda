import BusInterfaces
import Systemd

/// The reason why a request is not answered, with a message for the caller.
enum ListenError: Error, Hashable, CustomStringConvertible {
  /// The arguments are not those of `usher listen`.
  case called
  /// The command could not be started.
  case notStarted(SystemdError)
  /// The command exited with a failure and without an answer.
  case ended(command: String, ExitStatus?)
  /// No answer came in time.
  case late(command: String?, timeout: Duration, said: String?)
  /// The answer is not a valid reply.
  case noReply(command: String?, MessageError)
  /// The command reported a failure, with this message.
  case failed(String)
  /// The reader of the requests has disconnected.
  case replierExited

  var description: String {
    switch self {
    case .called: "this program is internal to Usher; run “usher listen” instead (see usher listen --help)"
    case .notStarted(let error): "\(error)"
    case .ended(let command, let status):
      "\(command) exited with \(status.map { "\($0)" } ?? "an unknown status") without a reply"
    case .late(let command, let timeout, let said):
      "\(command ?? "the parent program") did not reply within \(timeout.formatted)"
        + (command == nil ? "" : " and was terminated")
        + (said.map { "; its output is not a reply: “\($0)”" } ?? "")
    case .noReply(let command, let error):
      "the reply of \(command ?? "the parent program") is invalid: \(error); write {\"handled\": true} or {\"error\": \"…\"}"
    case .failed(let sentence): sentence
    case .replierExited: "the program that replied for this application has exited"
    }
  }
}

extension Duration {
  /// The duration in seconds, with a fraction if it has one.
  fileprivate var formatted: String {
    let (seconds, rest) = (components.seconds, components.attoseconds)
    return rest == 0 ? "\(seconds) s" : "\(Double(seconds) + Double(rest) / 1e18) s"
  }
}
