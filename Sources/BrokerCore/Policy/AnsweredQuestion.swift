// SPDX-License-Identifier: Apache-2.0
/// A question, and the user's answer to it.
public struct AnsweredQuestion: Hashable, Sendable {
  /// The question.
  public let question: Question
  /// The answer.
  public let answer: Answer
}
