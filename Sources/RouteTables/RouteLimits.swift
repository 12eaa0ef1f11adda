/// The sizes beyond which a URL or a pattern is refused, each with a typed error.
public enum RouteLimits {
  /// Bytes of a URL or of a pattern: 64 KiB.
  public static let bytes = 65_536
  /// Segments of a path.
  public static let segments = 1_024
  /// Labels of a host.
  public static let labels = 128
  /// Items of a URL's query.
  public static let queryItems = 256
  /// Captures of a pattern.
  public static let captures = 32
  /// Query items that one pattern names.
  public static let predicates = 64
  /// Shapes of a route: its patterns, times the choices and optional segments that change how many segments there are.
  public static let shapes = 64
}
