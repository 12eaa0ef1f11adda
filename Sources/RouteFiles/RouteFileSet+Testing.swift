// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

internal import HostNames
internal import RouteTables

extension RouteFileSet {
  /// Runs the tests in the files against the whole table, and returns the failures.
  ///
  /// A route matches a URL if it does so in a request that satisfies its conditions.
  public func runTests() -> [RouteFileDiagnostic] {
    let routes = Dictionary(
      table.routes.enumerated().map { (PartialRoute.Name(owner: $1.owner, id: $1.id), $0) }
    ) { $1 }
    return tests.flatMap { test in
      run(test, of: routes[PartialRoute.Name(owner: test.owner, id: test.route)])
    }.inOrder()
  }

  private func run(_ test: RouteFileTest, of route: Int?) -> [RouteFileDiagnostic] {
    func failed(_ message: String) -> [RouteFileDiagnostic] {
      [RouteFileDiagnostic(.test, at: test.location, message)]
    }
    let mustMatch: Bool
    let expectations: [RouteFileTest.Expectation]
    switch test.claim {
    case .isDecided(let outcome, let caller, let name):
      return failure(of: test, outcome, for: caller, by: name).map(failed) ?? []
    case .mustMatch(let captures): (mustMatch, expectations) = (true, captures)
    case .isNotTaken: (mustMatch, expectations) = (false, [])
    }
    let match: RouteMatch<RouteAction>?
    do {
      match = try self.match(HostName.mappingHost(of: test.url), of: route)
    } catch {
      // No route matches an invalid URL.
      return mustMatch ? failed("the URL cannot be parsed: \(error)") : []
    }
    let isOwn = match?.route.id == test.route && match?.route.owner == test.owner
    if !mustMatch {
      return isOwn ? failed("`\(test.route)` must not match this URL") : []
    }
    guard let match else { return failed("`\(test.route)` must match this URL, but no route does") }
    guard isOwn else {
      return failed(
        "`\(test.route)` must match this URL, but `\(match.route.id)` of `\(match.route.owner)` does "
          + "(\(match.pattern), \(match.route.location))")
    }
    let values = Dictionary(match.values.map { ($0.name, $0.value) }) { first, _ in first }
    return expectations.compactMap { expected in
      let text = match[expected.name] ?? ""
      let found = values[expected.name]
      if let found, expected.value.matches(found, text) { return nil }
      let held =
        found.map { value in if case .strings(let texts) = value { "\(texts)" } else { "`\(text)`" } }
        ?? "absent"
      return RouteFileDiagnostic(
        .test, at: expected.location,
        "the capture `\(expected.name)` is \(held), but must be \(expected.value.text)")
    }
  }

  /// Returns the match of a URL in a request that the route wins, or in one that satisfies the route's conditions.
  private func match(
    _ url: String, of route: Int?
  ) throws(RouteTableError) -> RouteMatch<RouteAction>? {
    guard let route else { return try table.match(url) }
    if let request = try table.request(for: url, wonBy: route) { return try table.match(request) }
    let asked = table.routes[route].conditions.map { ($0.name, $0.language.shortestText ?? "") }
    return try table.match(url, when: Dictionary(asked) { $1 })
  }
}
