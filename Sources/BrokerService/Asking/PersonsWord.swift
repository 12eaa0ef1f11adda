import BrokerCore

/// What became of a question that was put to a person.
enum PersonsWord: Hashable, Sendable {
  /// The person said so.
  case answered(Answer)
  /// Nothing was said; the sentence says why.
  case silent(String)
  /// There is no way to ask here.
  case noWay

  static let closed = PersonsWord.silent("the question was closed without an answer")
  static let closedBefore = PersonsWord.silent(
    "the question was closed without an answer a moment ago, and is not asked again yet")
  static let late = PersonsWord.silent(
    "nobody has answered the question in time; an answer that comes later counts for the next such link")
  static let unanswered = PersonsWord.silent("nobody has answered the question in time")
  static let tooMany = PersonsWord.silent(
    "too many questions of the same application wait for an answer already")
}

/// How a way to ask ended.
enum AskingEnd: Hashable, Sendable {
  /// The person said so.
  case answered(Answer)
  /// The person closed it.
  case closed
  /// Nobody said anything in time.
  case late
  /// It cannot be asked in this way after all.
  case impossible
}
