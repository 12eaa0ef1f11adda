internal import RouteTables

extension RouteFileSet {
  /// Runs the tests that stand in the files, against the whole table; returns what failed.
  ///
  /// A test asks as somebody for whom the conditions of its route hold.
  public func runTests() -> [RouteFileComplaint] {
    let routes = Dictionary(table.routes.map { (RouteDraft.Name(owner: $0.owner, id: $0.id), $0) }) { $1 }
    return tests.flatMap { test in
      let conditions = routes[RouteDraft.Name(owner: test.owner, id: test.route)]?.conditions ?? []
      let context = conditions.map { ($0.name, $0.language.shortestText ?? "") }
      return run(test, when: Dictionary(context) { $1 })
    }.inOrder()
  }

  private func run(_ test: RouteFileTest, when context: [String: String]) -> [RouteFileComplaint] {
    func failed(_ message: String) -> [RouteFileComplaint] {
      [RouteFileComplaint(.test, test.location, message)]
    }
    let match: RouteMatch<RouteAction>?
    do {
      match = try table.match(test.url, when: context)
    } catch {
      // A URL that cannot be read is taken by no route.
      return test.isTaken ? failed("this URL cannot be read: \(error)") : []
    }
    let isOwn = match?.route.id == test.route && match?.route.owner == test.owner
    if !test.isTaken {
      return isOwn ? failed("`\(test.route)` takes this URL, and is not to") : []
    }
    guard let match else { return failed("`\(test.route)` is to take this URL, and no route does") }
    guard isOwn else {
      return failed(
        "`\(test.route)` is to take this URL, and `\(match.route.id)` of `\(match.route.owner)` does "
          + "(\(match.pattern), \(match.route.location))")
    }
    let values = Dictionary(match.values.map { ($0.name, $0.value) }) { first, _ in first }
    return test.expectations.compactMap { expected in
      let text = match[expected.name] ?? ""
      let found = values[expected.name]
      if let found, expected.value.matches(found, text) { return nil }
      let held =
        found.map { value in if case .strings(let texts) = value { "\(texts)" } else { "`\(text)`" } }
        ?? "absent"
      return RouteFileComplaint(
        .test, expected.location,
        "the capture `\(expected.name)` is \(held), and is to be \(expected.value.text)")
    }
  }
}
