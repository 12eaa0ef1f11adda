// SPDX-License-Identifier: Apache-2.0
/// The user's answers to the questions about a request, and the prompts without an answer.
public struct UserAnswers: Hashable, Sendable {
  /// The user's answers to the questions about a URL, as the caller reports them, separated by spaces, in the order of the questions.
  ///
  /// Each is an application ID, `Question.consent` or `Question.refusal`.
  public var reported: String?
  /// The user's answers to the broker's own prompts for this request.
  public var given: [Question.Identity: Answer] = [:]
  /// The broker's own prompts for this request that had no answer, with the reason.
  public var unanswered: [Question.Identity: String] = [:]
  /// The reasons for which the user is not asked these questions, because an answer would have no effect.
  public var obstacles: [Question.Identity: String] = [:]
  /// The valid grants for the scopes of this request.
  public var grants: [Grant] = []

  /// Returns the answer that the caller reports to the question about a URL at index `number`, from 0; `nil` if it reports none.
  func reportedAnswer(toQuestion number: Int) -> String? {
    let words = reported?.split(separator: " ") ?? []
    return words.indices.contains(number) ? String(words[number]) : nil
  }
}
