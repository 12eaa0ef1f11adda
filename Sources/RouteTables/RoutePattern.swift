/// A URL with holes: `https://{tenant}.forge.example/issues/{n:uint}?tab={tab?}`.
///
/// ```swift
/// let pattern = try RoutePattern("notes://note/{id:int}?tab={tab?}")
/// pattern.captures.map(\.name)  // ["id", "tab"]
/// ```
///
/// A pattern that begins with `/` holds under any scheme and host. Two patterns are equal when they say the same,
/// however they were written: `HTTPS://a.example:443` is `https://a.example/`.
public struct RoutePattern: Hashable, Sendable {
  /// A place that is either given or captured.
  enum Part: Hashable, Sendable {
    /// The decoded bytes.
    case literal([UInt8])
    case capture(RouteCapture)

    var capture: RouteCapture? {
      if case .capture(let capture) = self { capture } else { nil }
    }
  }

  struct Authority: Hashable, Sendable {
    /// The labels from the left; an IP address is one; an empty host has none.
    var labels: [Part] = []
    /// The port, where it is not the scheme's default.
    var port: UInt16?
  }

  struct QueryItem: Hashable, Sendable {
    /// The decoded key.
    var key: [UInt8]
    /// What its first value must be; `nil` if being there is enough.
    var value: Part?

    /// Whether the item selects: an optional capture only binds.
    var isRequired: Bool { value?.capture?.isOptional != true }
  }

  /// The scheme, folded; `nil` if the pattern holds under any scheme and host.
  var scheme: String?
  var authority: Authority?
  var isRooted = true
  var segments: [Part] = []
  var query: [QueryItem] = []
  var fragment: Part?

  /// The captures, in the order in which the pattern writes them.
  public internal(set) var captures: [RouteCapture] = []

  /// Reads a pattern.
  ///
  /// `types` are those of your own that it may name. `location` is where its first character stands, if it stands in
  /// a file; errors then name the very column.
  public init(
    _ text: String, types: [RouteType] = [], at location: SourceLocation? = nil
  ) throws(RouteTableError) {
    do {
      self = try RoutePatternParser.parse(text, types: types)
    } catch {
      throw error.placed(in: text, at: location)
    }
  }

  init() {}

  /// How keys and values of the query are read.
  var queryForm: TextForm { .query(scheme: scheme) }
}
