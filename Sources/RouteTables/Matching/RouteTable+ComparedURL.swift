// SPDX-License-Identifier: Apache-2.0
extension RouteTable where Action == RouteAction {
  /// Returns the match of the route that wins a URL in all its readings.
  ///
  /// The route that wins the written URL decides, unless a route that denies or asks wins another reading. A route opens,
  /// allows or rewrites the URL only if it wins each reading with another host or file. Otherwise it has no effect, and broader routes of
  /// its layer that deny or ask apply. The `url` of the match is the URL that the route matches.
  ///
  /// - Throws: ``RouteTableError`` if the URL cannot be read. Its reason is `uncertainHost` if another reading belongs to
  ///   a final route that does not win the written URL, if another reading cannot be compared with a route that restricts,
  ///   or if a route asks about a URL with two hosts.
  public func match(
    _ url: ComparedURL, when context: [String: String], verified: [String: String]?
  ) throws(RouteTableError) -> RouteMatch<RouteAction>? {
    let written = try match(url.text, when: context, verified: verified)
    guard !url.otherReadings.isEmpty else { return written }
    let request = Request(context: context, verified: verified)
    var strictest: RouteMatch<RouteAction>?
    var uncertainty: RouteTableError?
    for reading in url.otherReadings {
      do throws(RouteTableError) {
        guard let match = try restriction(of: reading, of: url, beside: written, request),
          strictest.map(match.isStricter(than:)) ?? true
        else { continue }
        strictest = match
      } catch {
        uncertainty = uncertainty ?? error
      }
    }
    let found = strictest ?? written
    if let found, found.action.isDenial, found.route.rank == .finalAdministrator { return found }
    if let uncertainty { throw uncertainty }
    guard let found else { return nil }
    switch found.action {
    case .deny, .handler: return found
    case .ask: return try asking(found, about: url)
    case .allow, .open, .browse, .perform, .exec, .rewrite:
      guard let reading = disagreement(with: found, about: url, request) else { return found }
      // An `allow` without effect leaves the decision to the other rules.
      guard found.route.rank == .finalAdministrator, found.action != .allow else {
        return try restriction(behind: found, of: url, request)
      }
      throw RouteTableError(
        .uncertainHost(
          reading.sentence(", and then the final route “\(found.route.id)” does not apply")))
    }
  }

  /// Returns the match of a route that asks.
  ///
  /// - Throws: ``RouteTableError`` if the user would see one host, and the application may connect to another.
  private func asking(
    _ found: RouteMatch<RouteAction>, about url: ComparedURL
  ) throws(RouteTableError) -> RouteMatch<RouteAction> {
    guard let reason = url.uncertainty else { return found }
    throw RouteTableError(.uncertainHost(reason))
  }

  /// The values of the conditions of one request.
  private struct Request {
    let context: [String: String]
    let verified: [String: String]?
  }

  /// Returns a reading of the URL that another route wins than the one of `found`; `nil` if there is none.
  private func disagreement(
    with found: RouteMatch<RouteAction>, about url: ComparedURL, _ request: Request
  ) -> ComparedURL.Reading? {
    for reading in url.readingsToAgree {
      guard let text = reading.text else {
        // A route for the whole scheme wins each reading that no narrower route wins; `restriction` compared those.
        guard RoutePattern.cover(found.route.patterns, scheme: url.text.foldedScheme ?? "") else {
          return reading
        }
        continue
      }
      let match: RouteMatch<RouteAction>?
      do throws(RouteTableError) {
        match = try self.match(text, when: request.context, verified: request.verified)
      } catch {
        return reading
      }
      guard let match, match.route.isSame(as: found.route) else { return reading }
    }
    return nil
  }

  /// Returns the match of another reading if it restricts the URL more than the match of the written one; `nil` otherwise.
  private func restriction(
    of reading: ComparedURL.Reading, of url: ComparedURL, beside written: RouteMatch<RouteAction>?,
    _ request: Request
  ) throws(RouteTableError) -> RouteMatch<RouteAction>? {
    let text: String
    switch reading {
    case .mapped(let other), .slashes(let other), .beforeSemicolon(let other), .questionMarks(let other):
      text = other
    case .unmapped(let reason):
      let scheme = url.text.foldedScheme ?? ""
      let route = restrictingRoute(when: request.context, verified: request.verified) {
        $0.mayMatch(scheme: scheme) && $0.namesHost
      }
      guard route != nil else { return nil }
      throw RouteTableError(.uncertainHost(reason))
    case .backslashInHost:
      let scheme = url.text.foldedScheme ?? ""
      guard
        let route = restrictingRoute(
          besides: written?.route, when: request.context, verified: request.verified,
          where: { $0.mayMatch(scheme: scheme) })
      else { return nil }
      throw RouteTableError(
        .uncertainHost(
          reading.sentence(", and then the route “\(route.id)” (\(route.location)) may forbid the link")))
    }
    let match: RouteMatch<RouteAction>?
    do throws(RouteTableError) {
      match = try self.match(text, when: request.context, verified: request.verified)
    } catch {
      guard forbidding(reading, of: url, when: request.context, verified: request.verified) != nil else {
        return nil
      }
      throw RouteTableError(
        .uncertainHost(
          "\(reading.reader); the URL as these programs read it cannot be compared with the routes: \(error)")
      )
    }
    guard let match, written.map({ $0.route.rank >= match.route.rank }) ?? true,
      !match.route.isSame(as: written?.route)
    else { return nil }
    // A denial is as strict as any route of its own layer, but a final route precedes those of other layers.
    if let written, written.action.isDenial, written.route.rank == match.route.rank { return nil }
    switch match.action {
    case .deny, .ask: return match
    case .allow, .handler:
      return try restriction(of: text, upTo: written?.route.rank, beside: written, request)
    case .open, .browse, .perform, .exec, .rewrite:
      guard match.route.rank == .finalAdministrator else {
        return try restriction(of: text, upTo: written?.route.rank, beside: written, request)
      }
      let host = (try? URLAuthority(text))?.host ?? ""
      throw RouteTableError(
        .uncertainHost(
          reading.correction != nil
            ? reading.sentence(", and then the final route “\(match.route.id)” decides")
            : "some programs read the host as \(host), for which the final route “\(match.route.id)” decides; write the host as \(host)"
        ))
    }
  }

  /// Returns the match of the strictest route that denies or asks about any reading of a URL; `nil` if there is none.
  ///
  /// - Parameter found: The match of the written URL, whose route has no effect, because it does not win another reading.
  private func restriction(
    behind found: RouteMatch<RouteAction>, of url: ComparedURL, _ request: Request
  ) throws(RouteTableError) -> RouteMatch<RouteAction>? {
    var strictest: RouteMatch<RouteAction>?
    let texts = [url.text] + url.otherReadings.compactMap(\.text)
    let authorities = texts.compactMap { try? URLAuthority($0) }
    guard let restricting = restricting(authorities, upTo: found.route.rank) else { return nil }
    for text in texts {
      // The other readings that cannot be parsed were compared before.
      guard let match = try? restricting.match(text, when: request.context, verified: request.verified),
        strictest.map(match.isStricter(than:)) ?? true
      else { continue }
      strictest = match
    }
    guard let strictest, !strictest.action.isDenial else { return strictest }
    return try asking(strictest, about: url)
  }

  /// Returns the match of the route that wins one reading of a URL if no other routes than those that deny or ask have an effect; `nil`
  /// if there is none.
  ///
  /// - Parameters:
  ///   - text: The reading.
  ///   - rank: The last layer whose routes count; `nil` to count those of all layers.
  ///   - written: The match of the written URL, if its route also has an effect: no broader route counts.
  private func restriction(
    of text: String, upTo rank: PolicyLayer?, beside written: RouteMatch<RouteAction>?, _ request: Request
  ) throws(RouteTableError) -> RouteMatch<RouteAction>? {
    let restricting = restricting([try URLAuthority(text)], upTo: rank, beside: written)
    let match = try restricting?.match(text, when: request.context, verified: request.verified)
    return match.flatMap { $0.route.isSame(as: written?.route) ? nil : $0 }
  }

  /// Returns the routes that may deny or ask about a URL with one of these authorities, and that of `written`; `nil` if none may.
  private func restricting(
    _ authorities: [URLAuthority], upTo rank: PolicyLayer?, beside written: RouteMatch<RouteAction>? = nil
  ) -> RouteTable<RouteAction>? {
    func mayRestrict(_ route: Route<RouteAction>) -> Bool {
      route.action.forbids && rank.map { route.rank <= $0 } ?? true
        && route.patterns.contains { authorities.contains(where: $0.mayMatch) }
    }
    guard routes.contains(where: mayRestrict) else { return nil }
    return filter { $0.isSame(as: written?.route) || mayRestrict($0) }
  }
}

extension RouteTable where Action == RouteAction {
  /// Returns a route that denies, asks or is final, and could match an unreadable URL in any reading; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - url: The URL, of which a table cannot read the path or the query.
  ///   - authority: The authority of the written URL.
  ///   - context: The values of the conditions; `nil` to disregard the conditions.
  ///   - verified: The values without unverified claims, or `nil` if every value is verified.
  public func forbiddingUnreadable(
    _ url: ComparedURL, _ authority: URLAuthority, when context: [String: String]?,
    verified: [String: String]? = nil
  ) -> Route<RouteAction>? {
    if let route = forbiddingUnreadable(authority, when: context, verified: verified) { return route }
    for reading in url.otherReadings {
      if let route = forbidding(reading, of: url, when: context, verified: verified) { return route }
    }
    return nil
  }

  private func forbidding(
    _ reading: ComparedURL.Reading, of url: ComparedURL, when context: [String: String]?,
    verified: [String: String]?
  ) -> Route<RouteAction>? {
    if let authority = reading.text.flatMap({ try? URLAuthority($0) }) {
      return forbiddingUnreadable(authority, when: context, verified: verified)
    }
    let scheme = url.text.foldedScheme ?? ""
    return restrictingRoute(when: context, verified: verified) {
      $0.mayMatch(scheme: scheme) && ($0.namesHost || reading == .backslashInHost)
    }
  }
}

extension RouteGap {
  /// Returns whether the rule could have matched `url` in any of its readings.
  public func mayCover(_ url: ComparedURL, _ authority: URLAuthority) -> Bool {
    if mayCover(url.text, authority) { return true }
    return url.otherReadings.contains { reading in
      if let text = reading.text, let authority = try? URLAuthority(text) { return mayCover(text, authority) }
      guard case .patterns(let patterns) = extent else { return false }
      return patterns.contains {
        $0.mayMatch(scheme: url.text.foldedScheme ?? "") && ($0.namesHost || reading == .backslashInHost)
      }
    }
  }
}

extension RouteMatch where Action == RouteAction {
  /// Returns whether this match restricts a URL more than `other`: of an earlier layer, or a denial beside a question.
  fileprivate func isStricter(than other: Self) -> Bool {
    guard route.rank == other.route.rank else { return route.rank < other.route.rank }
    return action.isDenial && !other.action.isDenial
  }
}

extension Route where Action == RouteAction {
  /// A Boolean value that indicates whether the route denies, asks or is final.
  var restricts: Bool {
    action.forbids || rank == .finalAdministrator
  }

  func isSame(as other: Self?) -> Bool {
    owner == other?.owner && id == other?.id && rank == other?.rank
  }
}

extension RouteAction {
  fileprivate var isDenial: Bool { if case .deny = self { true } else { false } }

  /// A Boolean value that indicates whether the action denies or asks.
  fileprivate var forbids: Bool {
    switch self {
    case .deny, .ask: true
    default: false
    }
  }
}

extension RoutePattern {
  /// A Boolean value that indicates whether the pattern names a host.
  fileprivate var namesHost: Bool {
    options.authority == .host && authority.map { !$0.labels.isEmpty || $0.lead != .none } ?? false
  }
}
