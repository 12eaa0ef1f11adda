import BrokerCore

/// What became of a question that was put to a person.
enum PromptResponse: Hashable, Sendable {
  /// The person said so.
  case answered(Answer)
  /// Nothing was said; the sentence says why.
  case silent(String)
  /// There is no way to ask here.
  case noWay

  static let closed = PromptResponse.silent("the question was closed without an answer")
  static let closedBefore = PromptResponse.silent(
    "the question was closed without an answer a moment ago, and is not asked again yet")
  static let late = PromptResponse.silent(
    "nobody has answered the question in time; an answer that comes later counts for the next such link")
  static let unanswered = PromptResponse.silent("nobody has answered the question in time")
  static let tooMany = PromptResponse.silent(
    "too many questions of the same application wait for an answer already")
}

/// How a way to ask ended.
enum PromptResult: Hashable, Sendable {
  /// The person said so.
  case answered(Answer)
  /// The person closed it.
  case closed
  /// Nobody said anything in time.
  case late
  /// It cannot be asked in this way after all.
  case impossible
}
