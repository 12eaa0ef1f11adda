/// What a route of a route file does with the URL it matches.
///
/// A table is generic over its action; this is the one that `Routes/*.toml` can say and the broker decides on.
public enum RouteAction: Hashable, Sendable {
  /// What an answer to a question is remembered for.
  public enum AnswerKey: String, Hashable, Sendable, CaseIterable {
    /// The application that asked.
    case source
    /// The URL's scheme.
    case scheme
    /// The URL's host.
    case host
    /// The route that made us ask.
    case route
  }

  /// The application's own handler of this name takes the URL; where that `requiresConfirmation`, once a person has
  /// confirmed it.
  case handler(String, requiresConfirmation: Bool = false)
  /// The application with this desktop-file ID opens the URL.
  case open(application: String)
  /// The application performs one of its desktop actions.
  case perform(application: String, action: String)
  /// This argv is run; the first element is the program and has no captures.
  ///
  /// `filled(by:url:source:)` gives each element, or `nil` for one that is left out.
  case exec([ActionTemplate])
  /// The URL becomes this one, and is routed again.
  ///
  /// A URL that becomes itself would be routed for ever: who carries it out takes that for no decision.
  case rewrite(ActionTemplate)
  /// A person chooses among these applications; with none named, says whether the URL may be opened at all.
  ///
  /// The answer is remembered for what comes again with all of `remember` the same; for nothing if that is empty.
  case ask([String], remember: [AnswerKey])
  /// The URL may be opened; the next rule says by whom.
  case allow
  /// The URL is refused, and the caller is told why.
  case deny(reason: String)
}

extension RouteCondition {
  /// What the broker asks about a request.
  public enum Name {
    /// The desktop-file ID of the application that asked; empty where it is unknown.
    public static let source = "source"
    /// How sure that is: `sandbox`, `unit`, `executable`, `claimed` or `unknown`.
    public static let assurance = "assurance"
    /// The web origin that the request came from, as `https://example.org`; empty where there is none.
    public static let origin = "origin"
    /// What a person did for the request: `clicked`, `allowed`, or empty.
    public static let person = "person"
    /// Whether the caller is in a sandbox, or may be: `yes`, or empty.
    public static let sandboxed = "sandboxed"
    /// Who can change what is installed of the application that asked: `system`, root alone; `user`; or empty where it is unknown.
    public static let installed = "installed"

    /// Whether an application runs: `running`, or empty.
    ///
    /// `application` is the one that the route names; without one it is the application that would get the URL if there
    /// were no routes, or that the caller asked for.
    public static func target(_ application: String?) -> String {
      application.map { "target:\($0)" } ?? "target"
    }
  }

  /// Whose state the condition asks for: an application's ID, or `""` for the one that would get the URL; `nil` if it asks
  /// for something else.
  public var target: String? { Self.target(ofName: name) }

  /// The same, of the name of a condition.
  public static func target(ofName name: String) -> String? {
    if name == "target" { return "" }
    return name.hasPrefix("target:") ? String(name.dropFirst("target:".count)) : nil
  }
}
