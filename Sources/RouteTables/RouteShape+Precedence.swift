extension RouteShape {
  /// Whether this shape is the narrower of two that end in one node and name as many keys: in the query or, where
  /// that is equal, in the fragment.
  func isNarrower(than other: RouteShape, _ languages: inout LanguageTable) -> Bool {
    guard hasKeys(of: other) else { return false }
    var isNarrower = false
    for (own, others) in zip(predicates, other.predicates) {
      switch own.test.relation(to: others.test, &languages) {
      case .equal: break
      case .narrower: isNarrower = true
      // A literal that is no text of the type: nothing is narrower than nothing.
      case .wider, .crossing, .disjoint: return false
      }
    }
    if isNarrower { return true }
    guard let fragment else { return false }
    guard let others = other.fragment else { return true }
    return fragment.relation(to: others, &languages) == .narrower
  }

  /// Whether some query and fragment hold for both.
  func meets(_ other: RouteShape, _ languages: inout LanguageTable) -> Bool {
    for own in predicates {
      for others in other.predicates where others.key == own.key {
        if own.test.relation(to: others.test, &languages) == .disjoint { return false }
      }
    }
    guard let fragment, let others = other.fragment else { return true }
    return fragment.relation(to: others, &languages) != .disjoint
  }

  /// Whether two types cross in the value of one key or in the fragment, where both name the same keys and meet.
  func crosses(_ other: RouteShape, _ languages: inout LanguageTable) -> Bool {
    guard hasKeys(of: other), meets(other, &languages) else { return false }
    for (own, others) in zip(predicates, other.predicates)
    where own.test.relation(to: others.test, &languages) == .crossing { return true }
    guard key.dropLast() == other.key.dropLast(), let fragment, let others = other.fragment else { return false }
    return fragment.relation(to: others, &languages) == .crossing
  }

  /// How much the query and the fragment let through.
  func width(_ languages: LanguageTable) -> Double {
    var width = 1.0
    for predicate in predicates { width *= 0.5 + predicate.test.width(languages) / 2 }
    return width * (0.5 + (fragment?.width(languages) ?? 1) / 2)
  }
}
