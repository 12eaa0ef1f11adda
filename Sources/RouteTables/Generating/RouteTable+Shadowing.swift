extension RouteTable {
  /// Whether all that the first pattern of a route takes goes to `other`, whatever the arguments.
  ///
  /// Asked of one other route alone: several may shadow it together, and then nobody says so.
  func isShadowed(_ number: Int, by other: Int) -> Bool {
    let index = storage.index
    // The forms stand in the order in which they win.
    var others: [Int] = []
    var own: [(form: Int, before: Int)] = []
    for form in index.forms.indices {
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
        return PatternInclusion(shape, pattern, wider, widerPattern).isFirstInSecond(&languages)
      }
    }
  }
}
