/// Two shapes side by side: what both match, and whether one matches all that the other does.
struct ShapeProduct {
  let first: RouteShape
  let second: RouteShape
  let patterns: (RoutePattern, RoutePattern)

  init(_ first: RouteShape, _ pattern: RoutePattern, _ second: RouteShape, _ other: RoutePattern) {
    self.first = first
    self.second = second
    patterns = (pattern, other)
  }

  private var forms: (PatternShape, PatternShape) { (first.shape, second.shape) }

  /// Whether everything that the first matches, the second matches, too.
  func isFirstInSecond(_ languages: inout LanguageTable) -> Bool {
    asksForMore(&languages) && opensInside(&languages)
      && PlaceSequence(pathOf: forms.0, patterns.0, &languages)
        .isSubset(of: PlaceSequence(pathOf: forms.1, patterns.1, &languages), &languages)
  }

  private func asksForMore(_ languages: inout LanguageTable) -> Bool {
    for other in second.tests {
      guard let own = first.tests.first(where: { $0.key == other.key }) else { return false }
      switch RouteShape.relation(own.kind, other.kind, &languages) {
      case .equal, .narrower: break
      case .wider, .crossing, .disjoint: return false
      }
    }
    if first.hasLiteralPlus != second.hasLiteralPlus, !second.tests.isEmpty { return false }
    if let other = second.fragment {
      guard let own = first.fragment, own == other || languages.relation(own, other) == .narrower else {
        return false
      }
    }
    for other in second.conditions {
      guard let own = first.conditions.first(where: { $0.name == other.name }),
        own.language == other.language || languages.relation(own.language, other.language) == .narrower
      else { return false }
    }
    return true
  }

  private func opensInside(_ languages: inout LanguageTable) -> Bool {
    let (one, other) = forms
    guard let scheme = other.scheme else {
      if one.scheme == nil { return one.opening == other.opening }
      return one.user == nil && other.opening == .rootedPath
        && (one.opening == .host || one.opening == .rootedPath)
    }
    guard one.scheme == scheme, one.opening == other.opening else { return false }
    guard one.opening == .host else { return true }
    guard other.port == .any || other.port == one.port, (one.user == nil) == (other.user == nil) else {
      return false
    }
    if let own = one.user, let others = other.user {
      let (place, wider) = (
        languages.place(own, of: patterns.0, in: .user), languages.place(others, of: patterns.1, in: .user)
      )
      guard place == wider || languages.relation(place, wider) == .narrower else { return false }
    }
    return PlaceSequence(hostOf: one, patterns.0, &languages)
      .isSubset(of: PlaceSequence(hostOf: other, patterns.1, &languages), &languages)
  }
}
