/// The second pass over a pattern: cuts it into components as a URL is cut.
struct RoutePatternParser {
  private var pattern = RoutePattern()

  /// Reads a pattern; errors carry their offset.
  static func parse(_ text: String, types: [RouteType]) throws(RouteTableError) -> RoutePattern {
    guard text.utf8.count <= RouteLimits.bytes else {
      throw RouteTableError(.tooLong(bytes: text.utf8.count))
    }
    let (elements, captures) = try PatternElementReader.read(text, types: types)
    var parser = RoutePatternParser()
    parser.pattern.captures = captures
    var rest = try parser.readScheme(elements[...])
    rest = try parser.readAuthority(rest)
    rest = try parser.readPath(rest)
    rest = try parser.readQuery(rest)
    if rest.first?.isByte("#") == true {
      parser.pattern.fragment = try PatternPart.read(rest.dropFirst(), in: .fragment, form: .path)
    }
    return parser.pattern
  }

  private mutating func readScheme(_ elements: PatternElements) throws(RouteTableError) -> PatternElements {
    if elements.first?.isByte("/") == true { return elements }
    let (scheme, rest) = elements.cut(before: ":", "/", "?", "#")
    guard rest.first?.isByte(":") == true, !scheme.isEmpty else {
      throw RouteTableError(.missingScheme, at: 0)
    }
    var name = ""
    for element in scheme {
      guard element.capture == nil else {
        throw RouteTableError(.notInThisVersion("a capture in the scheme"), at: element.offset)
      }
      guard case .byte(let byte) = element.content, byte.isSchemeByte, !name.isEmpty || byte.isASCIILetter
      else {
        throw RouteTableError(.missingScheme, at: element.offset)
      }
      name.unicodeScalars.append(Unicode.Scalar(byte.foldedASCII))
    }
    pattern.scheme = name
    return rest.dropFirst()
  }

  private mutating func readAuthority(_ elements: PatternElements) throws(RouteTableError) -> PatternElements
  {
    guard let scheme = pattern.scheme, elements.prefix(2).count(where: { $0.isByte("/") }) == 2 else {
      return elements
    }
    let (text, rest) = elements.dropFirst(2).cut(before: "/", "?", "#")
    if let at = text.first(where: { $0.isByte("@") }) {
      throw RouteTableError(.notInThisVersion("a user before the host"), at: at.offset)
    }
    pattern.authority = try PatternAuthority.read(text, scheme: scheme)
    return rest
  }

  private mutating func readPath(_ elements: PatternElements) throws(RouteTableError) -> PatternElements {
    let (text, rest) = elements.cut(before: "?", "#")
    pattern.isRooted = pattern.authority != nil || text.first?.isByte("/") == true
    var endsWithDots = false
    for run in (pattern.isRooted ? text.dropFirst() : text).runs(between: "/") {
      let part = try PatternPart.read(run, in: .path, form: .path)
      let dots: DotSegment? =
        if pattern.isRooted, case .literal(let bytes) = part { DotSegment(bytes) } else { nil }
      if dots == nil { pattern.segments.append(part) }
      if dots == .parent, pattern.segments.popLast()?.capture != nil {
        throw RouteTableError(.dotSegmentOverCapture, at: run.first?.offset)
      }
      endsWithDots = dots != nil
    }
    if endsWithDots { pattern.segments.append(.literal([])) }
    guard pattern.segments.count <= RouteLimits.segments else {
      throw RouteTableError(.tooMany("path segments", limit: RouteLimits.segments))
    }
    return rest
  }

  private mutating func readQuery(_ elements: PatternElements) throws(RouteTableError) -> PatternElements {
    guard let mark = elements.first, mark.isByte("?") else { return elements }
    let (text, rest) = elements.dropFirst().cut(before: "#")
    for run in text.runs(between: "&") {
      guard let first = run.first else { throw RouteTableError(.emptyQueryItem, at: mark.offset) }
      let item = try readItem(run, at: first.offset)
      guard !pattern.query.contains(where: { $0.key == item.key }) else {
        throw RouteTableError(.duplicateQueryKey(String(decoding: item.key, as: UTF8.self)), at: first.offset)
      }
      pattern.query.append(item)
    }
    guard pattern.query.count <= RouteLimits.predicates else {
      throw RouteTableError(.tooMany("query items", limit: RouteLimits.predicates), at: mark.offset)
    }
    return rest
  }

  private func readItem(_ run: PatternElements, at start: Int) throws(RouteTableError)
    -> RoutePattern.QueryItem
  {
    let (key, rest) = run.cut(before: "=")
    if key.first?.isByte("!") == true {
      throw RouteTableError(.notInThisVersion("`!key`, a key that must be absent,"), at: start)
    }
    guard !key.isEmpty else { throw RouteTableError(.emptyQueryItem, at: start) }
    if let capture = key.first(where: { $0.capture != nil }) {
      throw RouteTableError(
        .misplacedCapture("the key of a query item: write `key={name}`"), at: capture.offset)
    }
    let value =
      rest.isEmpty ? nil : try PatternPart.read(rest.dropFirst(), in: .query, form: pattern.queryForm)
    return RoutePattern.QueryItem(key: try PatternPart.literal(key, form: pattern.queryForm), value: value)
  }
}
