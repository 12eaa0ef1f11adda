// SPDX-License-Identifier: Apache-2.0
extension RouteTable {
  /// Returns whether `other` wins every URL that the first pattern of a route matches, for all arguments.
  ///
  /// Only a single other route is tested; if several routes together shadow the pattern, the result is `false`.
  func isShadowed(_ number: Int, by other: Int) -> Bool {
    let index = storage.index
    // The variants are numbered in the order of precedence.
    var others: [Int] = []
    var own: [(form: Int, before: Int)] = []
    for form in 0..<index.variantCount {
      switch index.route(of: form) {
      case other: others.append(form)
      case number where index.pattern(of: form) == 0: own.append((form, others.count))
      default: continue
      }
    }
    let records = routes.map(\.record)
    var languages = LanguageInterner()
    return own.allSatisfy { form, before in
      let (shape, pattern) = index.shape(at: form, of: records, &languages)
      return others[..<before].contains { other in
        let (wider, widerPattern) = index.shape(at: other, of: records, &languages)
        return PatternInclusion(shape, pattern: pattern, wider, pattern: widerPattern).isFirstInSecond(
          &languages)
      }
    }
  }
}
