extension RouteTable where Action == RouteAction {
  /// Returns the route that decides about a request of which a part is an unverified claim of a sandboxed caller.
  ///
  /// A claim can take rights away and gives none: if the route that wins with the claims opens, allows or rewrites because of a claim, the
  /// route that wins without them decides.
  ///
  /// - Parameters:
  ///   - url: The normalized URL.
  ///   - context: The values of the conditions, unverified claims included.
  ///   - verified: The values without the claims, or `nil` if every value counts.
  /// - Throws: ``RouteTableError`` if the URL cannot be read.
  public func match(
    _ url: String, when context: [String: String], verified: [String: String]?
  ) throws(RouteTableError) -> RouteMatch<RouteAction>? {
    let found = try match(url, when: context)
    guard let found, let verified else { return found }
    switch found.action {
    // The broker refuses programs and actions to a sandboxed caller whose name is only a claim.
    case .deny, .ask, .exec, .perform, .handler: return found
    case .allow, .open, .rewrite: break
    }
    let usesClaim = found.route.conditions.contains { context[$0.name] ?? "" != verified[$0.name] ?? "" }
    return usesClaim ? try match(url, when: verified) : found
  }
}
