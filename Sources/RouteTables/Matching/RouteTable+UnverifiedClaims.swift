// SPDX-License-Identifier: Apache-2.0
extension RouteTable where Action == RouteAction {
  /// Returns the route for a request that contains unverified claims of a sandboxed caller.
  ///
  /// A claim can only add a denial, or a question whether the URL may be opened. The route that wins with the claims counts if it
  /// restricts the URL so, and the route that wins without them does not restrict it more. Otherwise the route without the claims counts.
  ///
  /// The result is that of one table. A question that a claim adds must not end the search of the caller in later tables: a caller that
  /// searches several also decides without the claims, and the stricter decision counts.
  ///
  /// - Parameters:
  ///   - url: The normalized URL.
  ///   - context: The values of the conditions, including unverified claims.
  ///   - verified: The values without the claims, or `nil` if every value is verified.
  /// - Throws: ``RouteTableError`` if the URL cannot be read.
  public func match(
    _ url: String, when context: [String: String], verified: [String: String]?
  ) throws(RouteTableError) -> RouteMatch<RouteAction>? {
    let found = try match(url, when: context)
    guard let verified else { return found }
    let plain = try match(url, when: verified)
    let isNameVerified = ["unit", "sandbox"].contains(context[RouteCondition.Name.assurance])
    guard let found, let strictness = found.route.strictness(forSandboxedCaller: isNameVerified) else {
      return plain
    }
    guard let plain, let other = plain.route.strictness(forSandboxedCaller: isNameVerified) else {
      return found
    }
    // The route of the earlier layer decides, as in the search through the layers.
    return (plain.route.rank, other) < (found.route.rank, strictness) ? plain : found
  }
}

extension Route where Action == RouteAction {
  /// Returns the reason why the broker does not perform this route's `exec` or `perform` for a sandboxed caller, or `nil` if it does.
  ///
  /// A program and an action can do anything, so a sandboxed caller gets them only from a route that names it, and only if its name is
  /// not merely its own claim.
  ///
  /// - Parameter isNameVerified: Whether the sandbox or the unit of the caller confirms its name.
  public func rejection(ofSandboxedCaller isNameVerified: Bool) -> String? {
    switch action {
    case .exec, .perform: break
    case .open, .browse, .rewrite, .ask, .allow, .deny, .handler: return nil
    }
    guard conditions.contains(where: { $0.name == RouteCondition.Name.source }) else {
      return
        "the route “\(id)” does not name the sandboxed applications that may use it; add their IDs to `source.application`"
    }
    return isNameVerified
      ? nil
      : "the route “\(id)” requires a source application, but the caller only claims to be that application"
  }
}

extension Route where Action == RouteAction {
  /// Returns how strictly the route restricts a sandboxed caller: 0 if it denies, or the broker rejects its action, 1 if it asks whether
  /// the URL may be opened, and `nil` if it does neither.
  ///
  /// - Parameter isNameVerified: Whether the sandbox or the unit of the caller confirms its name.
  fileprivate func strictness(forSandboxedCaller isNameVerified: Bool) -> Int? {
    switch action {
    case .deny: 0
    case .ask(let choices, _): choices.isEmpty ? 1 : nil
    case .exec, .perform: rejection(ofSandboxedCaller: isNameVerified).map { _ in 0 }
    case .open, .browse, .rewrite, .allow, .handler: nil
    }
  }
}

extension RouteTable where Action == RouteAction {
  /// The table without the routes that unwrap URLs or clean them before other routes decide; `nil` if there are none.
  package var withoutUnwrapping: RouteTable? {
    routes.contains(where: \.action.keepsDenials) ? filter { !$0.action.keepsDenials } : nil
  }
}

extension RouteAction {
  /// A Boolean value that indicates whether the action replaces a URL with one that it contains.
  public var unwraps: Bool {
    if case .rewrite(let template) = self { template.unwrapping != nil } else { false }
  }

  /// A Boolean value that indicates whether the action replaces a URL before other routes decide.
  public var comesFirst: Bool {
    if case .rewrite(let template) = self { template.comesFirst } else { false }
  }

  /// Returns whether two routes that clean a URL lead to the same URL, whichever comes first.
  ///
  /// The second is applied to the result of the first, unless the first has removed a query item that the second needs, or keeps the
  /// URL as it is. Two routes that unwrap different items lead to different URLs.
  package static func cleansInAnyOrder(_ first: Route<RouteAction>, _ second: Route<RouteAction>) -> Bool {
    guard case .rewrite(let one) = first.action, case .rewrite(let other) = second.action,
      one.comesFirst, other.comesFirst, one.unwrapping == nil || other.unwrapping == nil
    else { return false }
    return [(one, second, other), (other, first, one)].allSatisfy { template, route, needed in
      guard template.unwrapping == nil else { return true }
      let keys =
        route.patterns.flatMap { $0.query.map(\.key) } + (needed.unwrapping.map { [Array($0.utf8)] } ?? [])
      return !template.dropping.isEmpty
        && !keys.contains { key in template.dropping.contains { key.isQueryKey(named: $0) } }
    }
  }

  /// A Boolean value that indicates whether a rule that denies the URL, or asks about it, precedes the action, whatever its layer.
  package var keepsDenials: Bool { unwraps || comesFirst }
}

extension RouteMatch where Action == RouteAction {
  /// The result of a `rewrite` of a URL.
  public enum Rewriting: Hashable, Sendable {
    /// Another URL, which is decided from the start.
    case url(URLString)
    /// The URL itself: the route decides nothing, and the next layer does.
    case unchanged
    /// A URL whose query item is not a URL that can be unwrapped, for this reason: the route decides nothing, and the next layer does.
    case wrapped(reason: String)
    /// No URL: the link is denied.
    case invalid
  }

  /// Returns what this route's `rewrite` makes of a URL, or `nil` if it has another action.
  ///
  /// - Parameters:
  ///   - url: The URL as it came.
  ///   - source: The application that the link comes from.
  public func rewriting(of url: URLString, source: String?) -> Rewriting? {
    guard case .rewrite(let template) = action else { return nil }
    if let name = template.unwrapping {
      switch url.unwrapped(from: name) {
      case .success(let next): return next == url ? .unchanged : .url(next)
      case .failure(let obstacle): return .wrapped(reason: obstacle.description)
      }
    }
    guard let filled = template.filled(by: self, url: url.text, source: source),
      let next = try? URLString(filled)
    else { return .invalid }
    return next == url ? .unchanged : .url(next)
  }
}
