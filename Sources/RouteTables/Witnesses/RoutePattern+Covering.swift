// SPDX-License-Identifier: Apache-2.0
extension RoutePattern {
  /// Returns whether patterns together match every URL of a scheme, in every spelling; `false` if that cannot be decided.
  ///
  /// ```swift
  /// RoutePattern.cover([try RoutePattern("tel:{x...?}"), try RoutePattern("/{x...?}")], scheme: "tel")   // true
  /// ```
  ///
  /// - Parameters:
  ///   - patterns: The patterns.
  ///   - scheme: The scheme in lower case.
  public static func cover(_ patterns: [RoutePattern], scheme: String) -> Bool {
    outcomes(patterns, scheme: scheme).map { $0.allSatisfy { if case .none = $0 { true } else { false } } }
      ?? false
  }

  /// Returns a URL of a scheme that none of the patterns matches; `nil` if there is none or none was found.
  ///
  /// ```swift
  /// RoutePattern.uncoveredURL([try RoutePattern("tel:{number}")], scheme: "tel")   // "tel:/"
  /// ```
  ///
  /// - Parameters:
  ///   - patterns: The patterns.
  ///   - scheme: The scheme in lower case.
  public static func uncoveredURL(_ patterns: [RoutePattern], scheme: String) -> String? {
    outcomes(patterns, scheme: scheme)?.lazy.compactMap { outcome in
      if case .found(let draft) = outcome { draft.request.url } else { nil }
    }.first
  }

  /// Searches for URLs of a scheme that none of the patterns matches: one search for each form of such URLs.
  private static func outcomes(_ patterns: [RoutePattern], scheme: String) -> [WitnessSearch.Outcome]? {
    guard let all = try? everyURL(ofSchemes: [scheme]) else { return nil }
    var languages = LanguageInterner()
    let covering = patterns.filter { $0.mayMatch(scheme: scheme) }.flatMap { $0.requests(&languages) }
    return all.flatMap { $0.requests(&languages) }.map { requests in
      var search = WitnessSearch(inside: [requests], outside: covering)
      return search.run(&languages)
    }
  }

  /// The requests of each variant.
  private func requests(_ languages: inout LanguageInterner) -> [RequestSet] {
    ((try? PatternExpansion.shapes(of: self)) ?? []).map { variant in
      RequestSet(
        RouteVariant(variant, of: self, route: 0, index: 0, conditions: [], languages: &languages),
        pattern: self,
        &languages)
    }
  }
}
