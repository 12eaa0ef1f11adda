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
    var languages = LanguageTable()
    return own.allSatisfy { form, before in
      let shape = shape(form, &languages)
      return others[..<before].contains { other in
        ShapeProduct(shape, pattern(of: form), self.shape(other, &languages), pattern(of: other))
          .isFirstInSecond(&languages)
      }
    }
  }

  private func pattern(of form: Int) -> RoutePattern {
    routes[storage.index.route(of: form)].patterns[storage.index.pattern(of: form)]
  }

  private func shape(_ form: Int, _ languages: inout LanguageTable) -> RouteShape {
    let (route, pattern) = (storage.index.route(of: form), storage.index.pattern(of: form))
    return RouteShape(
      storage.index.forms[form], of: routes[route].patterns[pattern], route: route, index: pattern,
      conditions: routes[route].conditions, languages: &languages)
  }
}
