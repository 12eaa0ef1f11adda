extension RouteTable where Action == RouteAction {
  /// Returns the route for a request that contains unverified claims of a sandboxed caller.
  ///
  /// A claim can restrict the request but cannot grant anything. If the winning route opens, allows or rewrites because of
  /// a claim, the route that wins without the claims decides.
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
    guard let found, let verified else { return found }
    switch found.action {
    // The broker already refuses programs and actions to a sandboxed caller whose name is only a claim.
    case .deny, .ask, .exec, .perform, .handler: return found
    case .allow, .open, .rewrite: break
    }
    let usesClaim = found.route.conditions.contains { context[$0.name] ?? "" != verified[$0.name] ?? "" }
    return usesClaim ? try match(url, when: verified) : found
  }
}
