/// What became of a request, or of one of its deliveries, weakest first.
public enum Outcome: String, CaseIterable, Comparable, Sendable {
  /// Proven not to have arrived, or refused; the delivery's `error` says why.
  case failed
  /// It was sent, and nobody can know what became of it.
  case unknown
  /// The broker has it and will not lose it.
  case accepted
  /// The target's answer, or the program's start, was seen.
  case delivered
  /// The target says that it dealt with it.
  case handled

  /// Whether `left` is the weaker one.
  public static func < (left: Outcome, right: Outcome) -> Bool { left.strength < right.strength }

  private var strength: Int { Outcome.allCases.firstIndex(of: self) ?? 0 }
}
