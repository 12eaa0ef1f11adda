// SPDX-License-Identifier: Apache-2.0
/// A stored answer of the user, which applies until it expires or is revoked.
///
/// It contains nothing secret.
public struct GrantEntry: Hashable, Sendable {
  /// The scope of an answer: the rule that prompts, and the URLs and callers whose parts equal all parts that are not `nil`.
  public struct Scope: Hashable, Sendable {
    /// The desktop-file ID of the source application.
    public var source: String?
    /// The scope unit of the container of a caller that no application identifies.
    public var container: String?
    /// The web origin of the link, such as `https://example.org`.
    public var origin: String?
    /// The scheme of the URL, in lower case.
    public var scheme: String?
    /// The host of the URL.
    public var host: String?
    /// The route that prompts, as `owner/id`; `nil` for the broker's own policy.
    public var route: String?
    /// The layer of the route.
    public var layer: String?
    /// The permission of the source application, which does not concern links; `nil` for an answer about links.
    public var permission: String?
    /// The machine from which the requests come; `nil` for callers on this machine.
    public var remote: String?
    /// A Boolean value that indicates whether the caller is sandboxed.
    public var isSandboxed: Bool

    /// Creates a scope of these parts.
    public init(
      source: String? = nil, container: String? = nil, origin: String? = nil, scheme: String? = nil,
      host: String? = nil, route: String? = nil, layer: String? = nil, permission: String? = nil,
      remote: String? = nil, isSandboxed: Bool = false
    ) {
      self.source = source
      self.container = container
      self.origin = origin
      self.scheme = scheme
      self.host = host
      self.route = route
      self.layer = layer
      self.permission = permission
      self.remote = remote
      self.isSandboxed = isSandboxed
    }

    /// The parts that are texts, each with the column that stores it.
    static let parts: [(column: String, path: any WritableKeyPath<Scope, String?> & Sendable)] = [
      ("source", \.source), ("origin", \.origin), ("scheme", \.scheme), ("host", \.host), ("route", \.route),
      ("container", \.container), ("permission", \.permission), ("remote", \.remote), ("layer", \.layer),
    ]

    /// The values of ``parts``; absent parts are empty.
    var texts: [DatabaseValue] { Self.parts.map { .text(self[keyPath: $0.path] ?? "") } }

    /// The values of all columns of a scope: those of ``parts``, and `sandboxed`.
    var values: [DatabaseValue] { texts + [.integer(isSandboxed ? 1 : 0)] }
  }

  /// The scope of the answer.
  public var scope: Scope
  /// The minimum assurance of the source.
  public var assurance: String
  /// The answer: `yes`, `no`, or the desktop-file ID of an application.
  public var answer: String
  /// The time of the answer, in microseconds since 1970.
  public var time: Int64
  /// The time of its expiry, in microseconds since 1970; `nil` if it does not expire.
  public var expires: Int64?

  /// Creates a grant.
  public init(scope: Scope, assurance: String, answer: String, time: Int64, expires: Int64?) {
    self.scope = scope
    self.assurance = assurance
    self.answer = answer
    self.time = time
    self.expires = expires
  }
}
