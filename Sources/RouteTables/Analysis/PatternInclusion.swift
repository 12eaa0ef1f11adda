/// Two shapes side by side: what both match, and whether one matches all that the other does.
struct PatternInclusion {
  private let first: (shape: RouteVariant, pattern: RoutePattern)
  private let second: (shape: RouteVariant, pattern: RoutePattern)

  init(_ first: RouteVariant, _ pattern: RoutePattern, _ second: RouteVariant, _ other: RoutePattern) {
    self.first = (first, pattern)
    self.second = (second, other)
  }

  /// How what the first matches lies to what the second matches.
  enum Inclusion: Equatable {
    /// The second matches all of it.
    case inside
    /// The first matches something that the second does not.
    case outside
    case undecided(UndecidedReason)
  }

  /// Whether everything that the first matches, the second matches, too; what cannot be decided is not.
  func isFirstInSecond(_ languages: inout LanguageInterner) -> Bool { inclusion(&languages) == .inside }

  /// Finds out whether everything that the first matches, the second matches, too.
  func inclusion(_ languages: inout LanguageInterner) -> Inclusion {
    let wider = second.shape.shape.scheme
    guard wider == nil || wider == first.shape.shape.scheme else { return .outside }
    let (one, other) = classes(&languages)
    return one.inclusion(in: other, &languages)
  }

  /// The two the other way round.
  var reversed: PatternInclusion {
    PatternInclusion(second.shape, second.pattern, first.shape, first.pattern)
  }

  /// A request that both match; `nil` if there is none.
  func witness(_ languages: inout LanguageInterner) -> RouteRequest? {
    let (one, other) = classes(&languages)
    var search = WitnessSearch(inside: [one, other])
    return if case .found(let draft) = search.run(&languages) { draft.request } else { nil }
  }

  private func classes(_ languages: inout LanguageInterner) -> (RequestSet, RequestSet) {
    (
      RequestSet(first.shape, first.pattern, &languages),
      RequestSet(second.shape, second.pattern, &languages)
    )
  }
}

extension RequestSet {
  /// Finds out whether another class has all requests of this one.
  func inclusion(in other: RequestSet, _ languages: inout LanguageInterner) -> PatternInclusion.Inclusion {
    var search = WitnessSearch(inside: [self], outside: [other])
    return switch search.run(&languages) {
    case .none: .inside
    case .found: .outside
    case .undecided(let reason): .undecided(reason)
    }
  }
}
