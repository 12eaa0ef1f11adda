// SPDX-License-Identifier: Apache-2.0
internal import HostNames
internal import RouteTables

extension RouteFileSet {
  /// Returns the reason for which a test of `tests.decide` failed; `nil` if it passed.
  ///
  /// The table decides as it does in the broker, for this one request.
  func failure(
    of test: RouteFileTest, _ expected: RouteOutcome, for caller: TestCaller, by name: String?
  ) -> String? {
    var (outcome, match, reason) = decision(on: test.url, for: caller, by: table)
    // The rule of the broker: a claim can only add a denial or a question, also in another layer.
    if outcome != .deny, let verified = caller.withoutUnverifiedClaims {
      let plain = decision(on: test.url, for: verified, by: table)
      if plain.outcome == .deny || plain.outcome == .ask || outcome != .ask {
        (outcome, match, reason) = plain
      }
    }
    let isBySame = name.map { name in match.map { $0.isNamed(name, by: test.owner) } ?? false } ?? true
    guard outcome != expected || !isBySame else { return nil }
    let wanted = "`\(expected.rawValue)`" + (name.map { " by `\($0)`" } ?? "")
    return "for \(caller), the expected decision is \(wanted), but it is `\(outcome.rawValue)`\(reason)"
  }

  /// Returns the decision of the table, its route, and the end of a sentence that explains it.
  private func decision(
    on url: String, for caller: TestCaller, by table: RouteTable<RouteAction>
  ) -> (outcome: RouteOutcome, route: Route<RouteAction>?, reason: String) {
    let compared: ComparedURL
    let authority: URLAuthority
    do {
      compared = try ComparedURL(
        url, mappingHost: HostName.mappingHost, otherReadings: HostName.otherReadings)
      authority = try URLAuthority(compared.text)
    } catch {
      return (.deny, nil, " regardless of the routes: the host cannot be parsed: \(error)")
    }
    let names = table.conditionNames
    var table = table
    do {
      var unchanged = ""
      while let match = try table.match(
        compared, when: caller.context(for: names),
        verified: caller.withoutUnverifiedClaims?.context(for: names))
      {
        let route = match.route
        let reason = " by `\(route.id)` of `\(route.owner)` (\(match.pattern), \(route.location))"
        if caller.isSandboxed, let rejection = route.rejection(ofSandboxedCaller: caller.isNameVerified) {
          return (.deny, route, "\(reason): \(rejection)")
        }
        let source = (caller.withoutUnverifiedClaims ?? caller).application
        switch try? match.rewriting(of: URLString(url), source: source) {
        case .invalid: return (.deny, route, "\(reason): the result of the rewrite is not a valid URL")
        case .unchanged:
          // The next layer decides.
          unchanged = ": `\(route.id)` does not change the URL, so it does not decide"
          table = table.filter { $0.rank > route.rank }
        case .wrapped(let obstacle):
          unchanged = ": `\(route.id)` does not decide, because \(obstacle)"
          table = table.filter { !$0.action.unwraps }
        case .url(let next) where match.action.keepsDenials:
          // What denies the URL, or asks about it, also does so if the URL is unwrapped or cleaned.
          let others = self.table.withoutUnwrapping ?? self.table
          let wrapped = decision(on: url, for: caller, by: others)
          if wrapped.outcome == .deny { return wrapped }
          if let asking = wrapped.route, asking.action.asksForConsent,
            match.action.unwraps
              || decision(on: next.text, for: caller, by: others).route?.location != asking.location
          {
            return wrapped
          }
          return (RouteOutcome(of: match.action), route, reason)
        case .url, nil: return (RouteOutcome(of: match.action), route, reason)
        }
      }
      return (.none, nil, unchanged.isEmpty ? ": no route matches" : unchanged)
    } catch {
      if case .uncertainHost(let reason) = error.reason { return (.deny, nil, ": \(reason)") }
      guard
        let route = table.forbiddingUnreadable(
          compared, authority, when: caller.context(for: names),
          verified: caller.withoutUnverifiedClaims?.context(for: names))
      else { return (.none, nil, ": no route matches, because the URL cannot be parsed: \(error)") }
      return (
        .deny, nil,
        ": the URL cannot be parsed, and `\(route.id)` of `\(route.owner)` (\(route.location)) may forbid it: \(error)"
      )
    }
  }
}

extension Route {
  /// Returns whether `name` in a file of `owner` refers to this route: `NAME` of the same owner, or `OWNER/NAME`.
  fileprivate func isNamed(_ name: String, by owner: String) -> Bool {
    id == name && self.owner == owner || "\(self.owner)/\(id)" == name
  }
}

extension RouteAction {
  /// A Boolean value that indicates whether the user decides whether the URL may be opened.
  fileprivate var asksForConsent: Bool {
    if case .ask(let choices, _) = self { choices.isEmpty } else { false }
  }
}
