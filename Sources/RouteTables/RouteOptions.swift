// SPDX-License-Identifier: Apache-2.0
/// Deviations from the default interpretation of URLs for the patterns of a route.
///
/// ```swift
/// let about = try RoutePattern("/About", options: RouteOptions(ignoresCase: true))
/// try routes.add([about], id: "about", action: "about", at: SourceLocation(file: "routes", line: 1))
/// try routes.build().match("/ABOUT")?.route.id   // "about"
/// ```
public struct RouteOptions: Hashable, Sendable {
  /// The meaning of `+` in the query.
  public enum Plus: String, Hashable, Sendable, CaseIterable {
    /// A space, except in mailto, tel, sms, xmpp and magnet.
    case automatic
    /// A plus sign, in every scheme.
    case literal
  }

  /// The interpretation of the text between `scheme:` and the path.
  public enum Authority: String, Hashable, Sendable, CaseIterable {
    /// A host after `//`.
    case host
    /// No host: `app:x`, `app:/x`, `app://x` and `app:///x` are equal.
    ///
    /// There is no user and no port, and the first segment keeps its case.
    case segment
  }

  /// The users that may precede the host of a URL if the pattern writes no user.
  public enum User: String, Hashable, Sendable, CaseIterable {
    /// No user; a URL with a user is matched only by a pattern that writes one.
    case written
    /// No user or any user, because browsers and most programs open the same page.
    case any
  }

  /// Indicates whether literals in the path ignore ASCII case.
  public var ignoresCase = false
  /// Indicates whether one slash at the end of the path is ignored, in the pattern and in the URL.
  ///
  /// It is not part of the value of a catch-all at the end: `/{path...}` captures `any` from `/any/`.
  public var ignoresTrailingSlash = false
  /// The meaning of `+` in the query.
  public var plus = Plus.automatic
  /// The interpretation of the text between the scheme and the path.
  public var authority = Authority.host
  /// The users that may precede the host of a URL if the pattern writes no user.
  public var user = User.written

  /// Creates the default options.
  ///
  /// Case and trailing slashes are significant, `+` is a space in the schemes that use form encoding, and `//` begins a host.
  public init() {}

  /// Creates options; each argument that is omitted has its default value.
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
