internal import RouteTables

extension RouteFileSet {
  /// Runs the tests that stand in the files, against the whole table; returns what failed.
  public func runTests() -> [RouteFileComplaint] { tests.flatMap { run($0) }.inOrder() }

  private func run(_ test: RouteFileTest) -> [RouteFileComplaint] {
    func failed(_ message: String) -> [RouteFileComplaint] {
      [RouteFileComplaint(.test, test.location, message)]
    }
    let match: RouteMatch<RouteAction>?
    do {
      match = try table.match(test.url)
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
      let found = values[expected.name]
      if let found, expected.value.matches(found) { return nil }
      let held = found.map { "`\($0)`" } ?? "absent"
      return RouteFileComplaint(
        .test, expected.location,
        "the capture `\(expected.name)` is \(held), and is to be \(expected.value.text)")
    }
  }
}
