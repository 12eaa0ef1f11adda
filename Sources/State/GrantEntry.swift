/// What a person has said once and for all about links, until it expires or is taken back; nothing secret is in it.
public struct GrantEntry: Hashable, Sendable {
  /// What it is about: the question of one rule, and of each part that is not `nil`, links with just this.
  public struct Scope: Hashable, Sendable {
    /// Who asks, by desktop-file ID.
    public var source: String?
    /// The web origin that asks, as `https://example.org`.
    public var origin: String?
    /// The URL's scheme, in lower case.
    public var scheme: String?
    /// The URL's host.
    public var host: String?
    /// The route that asks, as `owner/id`; `nil` for Usher's own rules.
    public var route: String?
    /// The layer of that route.
    public var layer: String?
    /// Whether the caller is in a sandbox.
    public var isSandboxed: Bool

    /// A scope of these parts.
    public init(
      source: String? = nil, origin: String? = nil, scheme: String? = nil, host: String? = nil,
      route: String? = nil, layer: String? = nil, isSandboxed: Bool = false
    ) {
      self.source = source
      self.origin = origin
      self.scheme = scheme
      self.host = host
      self.route = route
      self.layer = layer
      self.isSandboxed = isSandboxed
    }

    /// The parts that a selection may name, in the table's order, absent ones empty.
    var selection: [DatabaseValue] {
      [source, origin, scheme, host, route].map { .text($0 ?? "") }
    }

    /// All parts in the table's order, absent ones empty.
    var values: [DatabaseValue] {
      selection + [.text(layer ?? ""), .integer(isSandboxed ? 1 : 0)]
    }
  }

  /// What it is about.
  public var scope: Scope
  /// How surely the source must be known.
  public var assurance: String
  /// What the person said: `yes`, `no`, or the desktop-file ID of an application.
  public var answer: String
  /// When, in microseconds since 1970.
  public var time: Int64
  /// Until when, in microseconds since 1970; `nil` without end.
  public var expires: Int64?

  /// A grant with what is known of it.
  public init(scope: Scope, assurance: String, answer: String, time: Int64, expires: Int64?) {
    self.scope = scope
    self.assurance = assurance
    self.answer = answer
    self.time = time
    self.expires = expires
  }
}
