// SPDX-License-Identifier: Apache-2.0
extension RoutePattern {
  /// Parses a pattern.
  ///
  /// - Parameters:
  ///   - text: The pattern; `docs/routes.md` has the grammar.
  ///   - types: The custom types that the pattern can name.
  ///   - options: The options for the interpretation of URLs.
  ///   - location: The location of the first character in its file, if there is one; errors then refer to the exact column.
  ///   - hostInASCII: Returns the ASCII form of a host label as browsers map it, or `nil` if there is none. Without it, a
  ///     pattern for http, https, ws, wss or ftp whose host is not ASCII is rejected.
  ///   - mapsEveryHost: Indicates whether `hostInASCII` maps the host under every scheme.
  /// - Throws: ``RouteTableError``, with the offset of the error.
  public init(
    _ text: String, types: [RouteType] = [], options: RouteOptions = RouteOptions(),
    at location: SourceLocation? = nil, hostInASCII: ((String) -> String?)? = nil,
    mapsEveryHost: Bool = false
  ) throws(RouteTableError) {
    do {
      self = try RoutePatternParser.parse(
        text, types: types, options: options, hostInASCII: hostInASCII,
        mapsEveryHost: mapsEveryHost)
      try checkVariants()
    } catch {
      throw error.placed(in: text, at: location)
    }
  }

  /// Throws if there are too many variants, if `..` removes a capture, or if an automaton is too large.
  private func checkVariants() throws(RouteTableError) {
    // A pattern without choices and optional segments has one variant, whose parts were checked when they were read.
    guard !PatternExpansion.isOnlyOne(self) else { return }
    for shape in try PatternExpansion.shapes(of: self) {
      for part in shape.labels { _ = try language(of: part, in: .host) }
      for part in shape.segments { _ = try language(of: part, in: .path) }
    }
    for item in query {
      if let value = item.value { _ = try language(of: value, in: .query) }
    }
    if let fragment { _ = try language(of: fragment, in: .fragment) }
    if let user = authority?.user { _ = try language(of: user, in: .user) }
  }
}
