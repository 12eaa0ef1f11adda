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
    searchUncovered(patterns, scheme: scheme) { if case .none = $0 { true } else { false } }
  }

  /// Returns a URL of a scheme that none of the patterns matches; `nil` if there is none or none was found.
  ///
  /// ```swift
  /// RoutePattern.uncoveredURL([try RoutePattern("tel:{number}")], scheme: "tel")   // "tel:"
  /// ```
  ///
  /// - Parameters:
  ///   - patterns: The patterns.
  ///   - scheme: The scheme in lower case.
  public static func uncoveredURL(_ patterns: [RoutePattern], scheme: String) -> String? {
    var url: String?
    _ = searchUncovered(patterns, scheme: scheme) { outcome in
      if case .found(let draft) = outcome { url = draft.request.url }
      return url == nil
    }
    return url
  }

  /// Searches for URLs of a scheme that none of the patterns matches, with one search for each form of such URLs, until `mayContinue`
  /// returns `false` for an outcome.
  ///
  /// - Returns: `true` if all searches were made.
  private static func searchUncovered(
    _ patterns: [RoutePattern], scheme: String, while mayContinue: (WitnessSearch.Outcome) -> Bool
  ) -> Bool {
    guard let all = try? everyURL(ofSchemes: [scheme]) else { return false }
    var languages = LanguageInterner()
    let covering = patterns.filter { $0.mayMatch(scheme: scheme) }.flatMap { $0.requests(&languages) }
    return all.flatMap { $0.requests(&languages) }.allSatisfy { requests in
      var search = WitnessSearch(inside: [requests], outside: covering)
      return mayContinue(search.run(&languages))
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
