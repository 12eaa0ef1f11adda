// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Systemd

/// The reason why a request is not answered, with a message for the caller.
enum ListenError: Error, Hashable, CustomStringConvertible {
  /// The arguments are not those of `usher listen`.
  case invalidInvocation
  /// The command could not be started.
  case notStarted(SystemdError)
  /// The command exited without reading the request.
  case requestNotRead(command: String)
  /// The command exited with a failure, without a reply.
  ///
  /// The status is the reply of a command that has only one request in its life, and chose it.
  case ended(command: String, ExitStatus?, isReply: Bool)
  /// The command exited while it had several requests, so that the cause is unknown.
  case endedWithSeveral(command: String, ExitStatus?)
  /// The command closed its output, so that it cannot reply, and keeps running.
  case outputClosed(command: String)
  /// No reply came in time.
  case timedOut(command: String?, timeout: Duration, said: String?, isTerminated: Bool)
  /// The reader of the requests read nothing for this time, so that the request was not written, or only a part of it.
  case notRead(Duration, isPartial: Bool)
  /// The line names the request, but is not a valid reply.
  case invalidReply(MessageError)
  /// The program wrote a line that cannot be attributed to a request; `nil` if it only lacks the request's ID.
  case unattributed(MessageError?)
  /// The command reported a failure, with this message.
  case failed(String)
  /// The reader of the requests has disconnected.
  case replierExited

  var description: String {
    switch self {
    case .invalidInvocation:
      "this program is internal to Usher; run “usher listen” instead (see usher listen --help)"
    case .notStarted(let error): "\(error)"
    case .requestNotRead(let command): "\(command) exited before it read the request"
    case .ended(let command, let status, _):
      "\(command) exited with \(Self.text(status)) without a reply"
    case .endedWithSeveral(let command, let status):
      "\(command) exited with \(Self.text(status)) while it handled several requests"
    case .outputClosed(let command): "\(command) closed its output without a reply and was terminated"
    case .timedOut(let command, let timeout, let said, let isTerminated):
      "\(command ?? "the parent program") did not reply within \(timeout.formatted)"
        + (isTerminated ? " and was terminated" : "")
        + (said.map { "; its last line of output was “\($0)”" } ?? "")
    case .notRead(let timeout, let isPartial):
      "the reader of the requests has stopped reading, and did not get \(isPartial ? "all of " : "")this one within \(timeout.formatted)"
    case .invalidReply(let error):
      "the program's reply is invalid: \(error); write {\"request-id\": …, \"handled\": true} or {\"request-id\": …, \"error\": \"…\"}"
    case .unattributed(nil):
      "the program wrote a line that cannot be attributed to a request: request-id: the key is missing; "
        + "write the request's ID into each reply, as in {\"request-id\": …, \"handled\": true}"
    case .unattributed(let error?):
      "the program wrote a line that begins with “{” and is no reply: \(error); "
        + "write each reply as one line of JSON in UTF-8 that begins with {\"request-id\": …, and logs to standard error"
    case .failed(let sentence): sentence
    case .replierExited: "the reader of the requests closed its end of the pipe without a reply"
    }
  }

  /// A Boolean value that is `true` if the command exited while it had several requests.
  var isEndWithSeveral: Bool { if case .endedWithSeveral = self { true } else { false } }

  /// A Boolean value that is `true` if the program had the request and may have handled it, completely or in part.
  ///
  /// It is `false` for errors before the program had the request, and for failures that the program itself reported.
  var leavesOutcomeUnknown: Bool {
    switch self {
    case .invalidInvocation, .notStarted, .requestNotRead, .notRead(_, isPartial: false), .failed,
      .ended(_, _, isReply: true):
      false
    case .ended, .endedWithSeveral, .outputClosed, .timedOut, .notRead, .invalidReply, .unattributed,
      .replierExited:
      true
    }
  }

  private static func text(_ status: ExitStatus?) -> String {
    status.map { "\($0)" } ?? "an unknown status"
  }
}

extension Duration {
  /// The duration in seconds, with a fraction if it has one.
  fileprivate var formatted: String {
    let (seconds, rest) = (components.seconds, components.attoseconds)
    return rest == 0 ? "\(seconds) s" : "\(Double(seconds) + Double(rest) / 1e18) s"
  }
}
