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
    guard let all = try? everyURL(ofSchemes: [scheme]) else { return false }
    var languages = LanguageInterner()
    let covering = patterns.filter { $0.mayMatch(scheme: scheme) }.flatMap { $0.requests(&languages) }
    return all.flatMap { $0.requests(&languages) }.allSatisfy { requests in
      var search = WitnessSearch(inside: [requests], outside: covering)
      return if case .none = search.run(&languages) { true } else { false }
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
