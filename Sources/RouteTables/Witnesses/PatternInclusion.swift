// SPDX-License-Identifier: Apache-2.0
/// A comparison of the requests that two variants match.
package struct PatternInclusion {
  private let first: (shape: RouteVariant, pattern: RoutePattern)
  private let second: (shape: RouteVariant, pattern: RoutePattern)

  package init(
    _ first: RouteVariant, pattern firstPattern: RoutePattern, _ second: RouteVariant,
    pattern secondPattern: RoutePattern
  ) {
    self.first = (first, firstPattern)
    self.second = (second, secondPattern)
  }

  /// The relation of the first variant's requests to the second's.
  package enum Inclusion: Equatable {
    /// The second variant matches all requests of the first.
    case inside
    /// The first variant matches a request that the second does not match.
    case outside
    case undecided(UndecidedReason)
  }

  /// Returns whether the second variant matches all requests of the first; `false` if this is undecided.
  func isFirstInSecond(_ languages: inout LanguageInterner) -> Bool { inclusion(&languages) == .inside }

  /// Returns whether the second variant matches all requests of the first.
  package func inclusion(_ languages: inout LanguageInterner) -> Inclusion {
    let wider = second.shape.shape.scheme
    guard wider == nil || wider == first.shape.shape.scheme else { return .outside }
    let (one, other) = classes(&languages)
    return one.inclusion(in: other, &languages)
  }

  /// The comparison with both variants exchanged.
  package var reversed: PatternInclusion {
    PatternInclusion(second.shape, pattern: second.pattern, first.shape, pattern: first.pattern)
  }

  /// Returns a request that both variants match; `nil` if there is none or none was found.
  func witness(_ languages: inout LanguageInterner) -> RouteRequest? {
    let (one, other) = classes(&languages)
    var search = WitnessSearch(inside: [one, other])
    return if case .found(let draft) = search.run(&languages) { draft.request } else { nil }
  }

  private func classes(_ languages: inout LanguageInterner) -> (RequestSet, RequestSet) {
    (
      RequestSet(first.shape, pattern: first.pattern, &languages),
      RequestSet(second.shape, pattern: second.pattern, &languages)
    )
  }
}

extension RequestSet {
  /// Returns whether another set contains all requests of this one.
  package func inclusion(in other: RequestSet, _ languages: inout LanguageInterner)
    -> PatternInclusion.Inclusion
  {
    var search = WitnessSearch(inside: [self], outside: [other])
    return switch search.run(&languages) {
    case .none: .inside
    case .found: .outside
    case .undecided(let reason): .undecided(reason)
    }
  }
}
