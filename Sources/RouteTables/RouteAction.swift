/// What a route of a route file does with the URL it matches.
///
/// A table is generic over its action; this is the one that `Routes/*.toml` can say and the broker decides on.
public enum RouteAction: Hashable, Sendable {
  /// The application's own handler of this name takes the URL.
  case handler(String)
  /// The application with this desktop-file ID opens the URL.
  case open(application: String)
  /// The application performs one of its desktop actions.
  case perform(application: String, action: String)
  /// This argv is run, captures substituted.
  case exec([String])
  /// The URL becomes this one, captures substituted, and is routed again.
  case rewrite(String)
  /// A person chooses among these applications; with none named, says whether the URL may be opened at all.
  case ask([String])
  /// The URL may be opened; the next rule says by whom.
  case allow
  /// The URL is refused, and the caller is told why.
  case deny(reason: String)
}
