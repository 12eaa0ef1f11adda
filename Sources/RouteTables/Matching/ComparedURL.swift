/// A URL as the routes of a policy compare it: as it is written, and with its host as browsers would map it.
///
/// The host of an http, https, ws, wss or ftp URL is mapped before a table reads it, because every program maps it.
/// Under any other scheme a program may map the host or not, so a route compares the written host, and a route that
/// restricts compares the mapped host too.
public struct ComparedURL: Sendable {
  /// The URL; under http, https, ws, wss and ftp, with its host mapped.
  public let text: String
  /// The URL with its host mapped, or the reason why the host cannot be mapped, under any other scheme; `nil` if
  /// mapping does not change the host.
  public let mapped: Result<String, Unmapped>?

  /// The error of a host that cannot be mapped.
  public struct Unmapped: Error, Hashable, Sendable {
    /// The reason, as a sentence.
    public let reason: String
  }

  /// Creates a URL from its readings.
  public init(
    _ text: String, mapped: Result<String, some Error & CustomStringConvertible>?
  ) {
    self.text = text
    self.mapped = mapped.map { $0.mapError { Unmapped(reason: $0.description) } }
  }
}

extension RouteTable where Action == RouteAction {
  /// Returns the match of the route that wins a URL in both readings of its host.
  ///
  /// The route that wins the written URL decides, unless a route that denies or asks wins the mapped one. The `url` of
  /// the match is the URL that the route matches.
  ///
  /// - Throws: ``RouteTableError`` if the URL cannot be read. Its reason is `uncertainHost` if the mapped host belongs to
  ///   a final route that does not win the written URL, or if the host cannot be mapped and a route that restricts names
  ///   a host under the scheme.
  public func match(
    _ url: ComparedURL, when context: [String: String], verified: [String: String]?
  ) throws(RouteTableError) -> RouteMatch<RouteAction>? {
    let written = try match(url.text, when: context, verified: verified)
    guard let reading = url.mapped else { return written }
    let text: String
    switch reading {
    case .success(let mapped): text = mapped
    case .failure(let error):
      guard mayForbidHost(underSchemeOf: url.text) else { return written }
      throw RouteTableError(.uncertainHost(error.reason))
    }
    guard let mapped = try match(text, when: context, verified: verified),
      written.map({ $0.route.rank >= mapped.route.rank }) ?? true,
      written?.route.owner != mapped.route.owner || written?.route.id != mapped.route.id
    else { return written }
    // A denial is as strict as any route of its own layer, but a final route precedes those of other layers.
    if let written, written.action.isDenial, written.route.rank == mapped.route.rank { return written }
    switch mapped.action {
    case .deny, .ask: return mapped
    case .allow, .handler: return written
    case .open, .perform, .exec, .rewrite:
      guard mapped.route.rank == .finalAdministrator else { return written }
      let host = (try? URLAuthority(text))?.host ?? ""
      throw RouteTableError(
        .uncertainHost(
          "the final route “\(mapped.route.id)” decides for \(host), which some programs read here: write the host so"
        ))
    }
  }

  /// Returns whether a route that denies, asks or is final names a host under the scheme of a URL.
  private func mayForbidHost(underSchemeOf url: String) -> Bool {
    let scheme = url.foldedScheme ?? ""
    return routes.contains { route in
      route.restricts && route.patterns.contains { $0.mayMatch(scheme: scheme) && $0.namesHost }
    }
  }

  /// Returns whether an unreadable URL could match a route that denies, asks or is final, in either reading of its host.
  public func mayForbidUnreadable(_ url: ComparedURL, _ authority: URLAuthority) -> Bool {
    if mayForbidUnreadable(authority) { return true }
    switch url.mapped {
    case nil: return false
    case .failure?: return mayForbidHost(underSchemeOf: url.text)
    case .success(let text)?: return (try? URLAuthority(text)).map(mayForbidUnreadable) ?? true
    }
  }
}

extension RouteGap {
  /// Returns whether the rule could have matched `url` in either reading of its host.
  public func mayCover(_ url: ComparedURL, _ authority: URLAuthority) -> Bool {
    if mayCover(url.text, authority) { return true }
    switch url.mapped {
    case nil: return false
    case .failure?:
      guard case .patterns(let patterns) = extent else { return false }
      return patterns.contains { $0.mayMatch(scheme: url.text.foldedScheme ?? "") && $0.namesHost }
    case .success(let text)?: return (try? URLAuthority(text)).map { mayCover(text, $0) } ?? true
    }
  }
}

extension Route where Action == RouteAction {
  /// A Boolean value that indicates whether the route denies, asks or is final.
  var restricts: Bool {
    switch action {
    case .deny, .ask: true
    default: rank == .finalAdministrator
    }
  }
}

extension RouteAction {
  fileprivate var isDenial: Bool { if case .deny = self { true } else { false } }
}

extension RoutePattern {
  /// A Boolean value that indicates whether the pattern names a host.
  fileprivate var namesHost: Bool {
    options.authority == .host && authority.map { !$0.labels.isEmpty || $0.lead != .none } ?? false
  }
}
