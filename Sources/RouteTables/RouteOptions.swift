/// How the URLs of a route are read, where that differs from the rule.
///
/// ```swift
/// let about = try RoutePattern("/About", options: RouteOptions(ignoresCase: true))
/// try routes.add([about], id: "about", action: "about", at: SourceLocation(file: "routes", line: 1))
/// try routes.build().match("/ABOUT")?.route.id   // "about"
/// ```
public struct RouteOptions: Hashable, Sendable {
  /// What `+` means in the query.
  public enum Plus: String, Hashable, Sendable, CaseIterable {
    /// A space, except in mailto, tel, sms, xmpp and magnet.
    case automatic
    /// Itself, in every scheme.
    case literal
  }

  /// What stands between `scheme:` and the path.
  public enum Authority: String, Hashable, Sendable, CaseIterable {
    /// A host, where there is `//`.
    case host
    /// Nothing: `app:x`, `app:/x`, `app://x` and `app:///x` are one; no user, no port, no folding.
    case segment
  }

  /// Which user a URL may have before its host, where the pattern writes none.
  public enum User: String, Hashable, Sendable, CaseIterable {
    /// None: only a user that the pattern writes matches.
    case written
    /// None or any, because browsers and most programs open the same page.
    case any
  }

  /// Whether ASCII capitals are small letters in the literals of the path.
  public var ignoresCase = false
  /// Whether one slash at the end of the path counts for nothing, be it in the pattern or in the URL.
  public var ignoresTrailingSlash = false
  /// What `+` means in the query.
  public var plus = Plus.automatic
  /// What stands between the scheme and the path.
  public var authority = Authority.host
  /// Which user may stand before the host, where the pattern writes none.
  public var user = User.written

  /// The rule: case and slashes count, `+` is a space where forms are meant, `//` begins a host.
  public init() {}

  /// Options that differ from the rule.
  public init(
    ignoresCase: Bool = false, ignoresTrailingSlash: Bool = false, plus: Plus = .automatic,
    authority: Authority = .host, user: User = .written
  ) {
    self.ignoresCase = ignoresCase
    self.ignoresTrailingSlash = ignoresTrailingSlash
    self.plus = plus
    self.authority = authority
    self.user = user
  }
}
