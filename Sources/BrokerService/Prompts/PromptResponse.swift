// SPDX-License-Identifier: Apache-2.0
import BrokerCore

/// The result of a question.
enum PromptResponse: Hashable, Sendable {
  /// The user answered, and the prompt has a new activation token if the desktop issued one.
  case answered(Answer, token: String? = nil)
  /// There is no answer; the sentence gives the reason.
  case silent(String)
  /// No prompt mechanism is available.
  case unavailable

  /// A Boolean value that indicates whether the user was asked and has not consented.
  var isRefusal: Bool {
    switch self {
    case .answered(let answer, _): answer == .no
    case .silent: true
    case .unavailable: false
    }
  }

  static let closed = PromptResponse.silent("the prompt was closed without an answer")
  /// The response to a question that is not shown again for the time of `pause`.
  static func closedRecently(pause: Duration) -> PromptResponse {
    let seconds = max(1, pause.components.seconds)
    let time =
      seconds >= 120 ? "\(seconds / 60) minutes" : seconds == 1 ? "1 second" : "\(seconds) seconds"
    return .silent(
      "the user closed this prompt recently, so it is not shown again yet; Usher asks again in \(time)")
  }
  static let late = PromptResponse.silent(
    "the request's timeout expired before the user answered the prompt; if the answer can be stored, it applies to the next such link; "
      + "usher open waits longer with --timeout SECONDS"
  )
  static let unanswered = PromptResponse.silent("the user did not answer the prompt in time")
  static let tooMany = PromptResponse.silent(
    "too many prompts are waiting for an answer; answer or close some of them, and try again")
}

/// The result of one prompt mechanism.
enum PromptResult: Hashable, Sendable {
  /// The user answered, and the mechanism passes on an activation token if it has one.
  case answered(Answer, token: String? = nil)
  /// The user closed the prompt.
  case closed
  /// The user did not answer in time.
  case late
  /// The mechanism is not usable after all.
  case impossible
}
