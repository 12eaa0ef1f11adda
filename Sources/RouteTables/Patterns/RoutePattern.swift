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
  struct Authority: Hashable, Sendable {
    /// What stands in front of the labels.
    enum Lead: Hashable, Sendable {
      case none
      /// `*.`: one or more labels.
      case labels
      /// `*`: any host.
      case any
    }

    enum Port: Hashable, Sendable {
      /// `:*`
      case any
      /// The ports that may stand there; `nil` is the scheme's own, or none.
      case numbers([UInt16?])
    }

    /// What must stand before `@`; without it no user may.
    var user: PatternPart?
    var lead = Lead.none
    /// The labels from the left; an IP address is one; an empty host has none.
    var labels: [PatternPart] = []
    var port = Port.numbers([nil])
  }

  struct QueryItem: Hashable, Sendable {
    enum Test: Hashable, Sendable {
      /// `k`
      case present
      /// `!k`
      case absent
      /// `k=…`
      case value(PatternPart)
    }

    /// The decoded key.
    var key: [UInt8]
    var test: Test

    var value: PatternPart? {
      if case .value(let part) = test { part } else { nil }
    }
  }

  /// The schemes, folded; none if the pattern holds under any scheme and host.
  var schemes: [String] = []
  var authority: Authority?
  var isRooted = true
  var segments: [PatternPart] = []
  var query: [QueryItem] = []
  var fragment: PatternPart?

  /// The captures, in the order in which the pattern writes them.
  public internal(set) var captures: [RouteCapture] = []
  /// How the URLs are read.
  public let options: RouteOptions

  /// Reads a pattern.
  ///
  /// - Parameters:
  ///   - text: the pattern, as `docs/routes.md` has its grammar.
  ///   - types: those of your own that it may name.
  ///   - options: how URLs are read for it.
  ///   - location: where its first character stands, if it stands in a file; errors then name the very column.
  ///   - hostInASCII: returns the ASCII form of a host label as browsers map it, and `nil` for one that has none. Without it, a pattern for http,
  ///     https, ws, wss or ftp whose host is not ASCII is refused.
  /// - Throws: ``RouteTableError``, with the byte that is meant.
  public init(
    _ text: String, types: [RouteType] = [], options: RouteOptions = RouteOptions(),
    at location: SourceLocation? = nil, hostInASCII: ((String) -> String?)? = nil
  ) throws(RouteTableError) {
    do {
      self = try RoutePatternParser.parse(text, types: types, options: options, hostInASCII: hostInASCII)
    } catch {
      throw error.placed(in: text, at: location)
    }
  }

  init(options: RouteOptions) { self.options = options }

  /// Whether the whole place is an optional capture: it binds and, in query and fragment, never selects.
  func isOptional(_ part: PatternPart) -> Bool {
    part.wholeCapture.map { captures[$0].isOptional } ?? false
  }

  /// Whether the place is a rest.
  func isRest(_ part: PatternPart) -> Bool {
    part.wholeCapture.map { captures[$0].extent == .rest } ?? false
  }

  /// Whether some URL of `scheme`, in lower case, could match: the pattern names this scheme or none.
  public func mayMatch(scheme: String) -> Bool { schemes.isEmpty || schemes.contains(scheme) }
}
