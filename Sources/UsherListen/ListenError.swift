import BusInterfaces
import Systemd

/// Why a request is not answered; its caller reads the sentence.
enum ListenError: Error, Hashable, CustomStringConvertible {
  /// This program was called in another way than `usher listen` calls it.
  case called
  /// The command cannot be started.
  case notStarted(SystemdError)
  /// The command ended without an answer, and not well.
  case ended(command: String, ExitStatus?)
  /// No answer came in time.
  case late(command: String?, timeout: Duration, said: String?)
  /// What came in place of an answer.
  case noReply(command: String?, MessageError)
  /// The command says that it failed, in its own words.
  case failed(String)
  /// Whoever answered has gone.
  case nobodyAnswers

  var description: String {
    switch self {
    case .called: "this program is a part of Usher; call “usher listen” (usher listen --help)"
    case .notStarted(let error): "\(error)"
    case .ended(let command, let status):
      "\(command) ended with \(status.map { "\($0)" } ?? "a status that somebody else took") and without a reply"
    case .late(let command, let timeout, let said):
      "\(command ?? "whoever answers") did not reply within \(timeout.formatted)"
        + (command == nil ? "" : " and was ended")
        + (said.map { "; what it wrote is no reply: “\($0)”" } ?? "")
    case .noReply(let command, let error):
      "the reply of \(command ?? "whoever answers") cannot be read: \(error); it is {\"handled\": true} or {\"error\": \"…\"}"
    case .failed(let sentence): sentence
    case .nobodyAnswers: "whoever answered for this application has gone"
    }
  }
}

extension Duration {
  /// Seconds, with a fraction where there is one.
  fileprivate var formatted: String {
    let (seconds, rest) = (components.seconds, components.attoseconds)
    return rest == 0 ? "\(seconds) s" : "\(Double(seconds) + Double(rest) / 1e18) s"
  }
}
