/// Two shapes side by side: what both match, and whether one matches all that the other does.
struct ShapeProduct {
  private let first: (shape: RouteShape, pattern: RoutePattern)
  private let second: (shape: RouteShape, pattern: RoutePattern)

  init(_ first: RouteShape, _ pattern: RoutePattern, _ second: RouteShape, _ other: RoutePattern) {
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
  func isFirstInSecond(_ languages: inout LanguageTable) -> Bool { inclusion(&languages) == .inside }

  /// Finds out whether everything that the first matches, the second matches, too.
  func inclusion(_ languages: inout LanguageTable) -> Inclusion {
    let wider = second.shape.shape.scheme
    guard wider == nil || wider == first.shape.shape.scheme else { return .outside }
    let (one, other) = classes(&languages)
    return one.inclusion(in: other, &languages)
  }

  /// The two the other way round.
  var reversed: ShapeProduct { ShapeProduct(second.shape, second.pattern, first.shape, first.pattern) }

  /// A request that both match; `nil` if there is none.
  func witness(_ languages: inout LanguageTable) -> RouteRequest? {
    let (one, other) = classes(&languages)
    var search = RequestSearch(inside: [one, other])
    return if case .found(let draft) = search.run(&languages) { draft.request } else { nil }
  }

  private func classes(_ languages: inout LanguageTable) -> (RequestClass, RequestClass) {
    (
      RequestClass(first.shape, first.pattern, &languages),
      RequestClass(second.shape, second.pattern, &languages)
    )
  }
}

extension RequestClass {
  /// Finds out whether another class has all requests of this one.
  func inclusion(in other: RequestClass, _ languages: inout LanguageTable) -> ShapeProduct.Inclusion {
    var search = RequestSearch(inside: [self], outside: [other])
    return switch search.run(&languages) {
    case .none: .inside
    case .found: .outside
    case .undecided(let reason): .undecided(reason)
    }
  }
}
