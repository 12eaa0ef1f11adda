// SPDX-License-Identifier: Apache-2.0
extension RoutePatternParser {
  mutating func readPath(_ elements: PatternElements) throws(RouteTableError) -> PatternElements {
    let (text, rest) = elements.cut { $0.isByte("?") || $0.isByte("#") }
    let isJoined = pattern.options.authority == .segment && !pattern.schemes.isEmpty
    pattern.isRooted = isJoined || pattern.authority != nil || text.first?.isByte("/") == true
    pattern.writtenForm.endsBeforePath = pattern.authority != nil && text.isEmpty
    let dropsSlash = pattern.isRooted && !isJoined
    // The normal form of a `file:` URL has no empty segments, so such a segment would never match.
    let joinsSlashes = pattern.isRooted && pattern.schemes == ["file"]
    var endsWithDots = false
    let runs = (dropsSlash ? text.dropFirst() : text).runs(between: "/")
    pattern.segments.reserveCapacity(runs.count)
    for run in runs {
      let part = try part(run, in: .path, form: .path)
      // In the normal form of a local `file:` URL, `%2F` is a slash, so such a segment would never match.
      if isOfLocalFiles, part.hasText(where: { $0.contains(UInt8(ascii: "/")) }) {
        throw RouteTableError(.encodedSlashInFilePath, at: run.first?.offset)
      }
      let dots = pattern.isRooted ? part.literal.flatMap { DotSegment($0) } : nil
      let isLeftOut = joinsSlashes && part.literal?.isEmpty == true
      if dots == nil, !isLeftOut { pattern.segments.append(part) }
      if dots == .parent, pattern.segments.popLast()?.captures.isEmpty == false {
        throw RouteTableError(.dotSegmentOverCapture, at: run.first?.offset)
      }
      endsWithDots = dots != nil
    }
    if joinsSlashes ? pattern.segments.isEmpty : endsWithDots { pattern.segments.append(PatternPart()) }
    guard pattern.segments.count <= RouteLimits.segments else {
      throw RouteTableError(.tooMany("path segments", limit: RouteLimits.segments))
    }
    try checkOptionals()
    try checkRests()
    return rest
  }

  /// Indicates whether the pattern matches local `file:` URLs and none of other machines.
  private var isOfLocalFiles: Bool {
    guard pattern.schemes.contains("file"), pattern.options.authority == .host else { return false }
    guard let authority = pattern.authority else { return pattern.isRooted }
    return authority.user == nil && authority.lead == .none
      && (authority.labels.isEmpty || authority.labels == [.literal(Array("localhost".utf8))])
  }

  private func checkOptionals() throws(RouteTableError) {
    var optional: Int?
    for part in pattern.segments {
      if pattern.isOptional(part) {
        if optional == nil, let number = part.wholeCapture, pattern.captures[number].extent == .single {
          optional = number
        }
      } else if let optional {
        throw RouteTableError(
          .invalidCapture(
            "`{\(pattern.captures[optional].name)}` is optional, so everything after it in the path must be optional: "
              + "write a second pattern without it"),
          at: source.captureOffsets[optional])
      }
    }
  }

  private func checkRests() throws(RouteTableError) {
    var rest: Int?
    var hasTwo = false
    var hasLiteral = false
    for part in pattern.segments {
      if pattern.isRest(part), let number = part.wholeCapture {
        if rest != nil, hasTwo || !hasLiteral {
          throw RouteTableError(
            .invalidCapture("a path has at most two catch-alls, with a literal segment between them"),
            at: source.captureOffsets[number])
        }
        hasTwo = rest != nil
        rest = number
        hasLiteral = false
      } else if part.literal?.isEmpty == false {
        hasLiteral = true
      }
    }
  }

  /// The normalization of query keys and values.
  private var queryForm: Normalization {
    pattern.options.plus == .literal ? .path : .query(scheme: pattern.schemes.first)
  }

  mutating func readQuery(_ elements: PatternElements) throws(RouteTableError) -> PatternElements {
    guard let mark = elements.first, mark.isByte("?") else { return elements }
    let (text, rest) = elements.dropFirst().cut { $0.isByte("#") }
    for run in text.runs(between: "&") {
      guard let first = run.first else { throw RouteTableError(.emptyQueryItem, at: mark.offset) }
      let item = try readItem(run, at: first.offset)
      guard !pattern.query.contains(where: { $0.key == item.key }) else {
        throw RouteTableError(.duplicateQueryKey(String(decoding: item.key, as: UTF8.self)), at: first.offset)
      }
      pattern.query.append(item)
    }
    guard pattern.query.count <= RouteLimits.patternQueryItems else {
      throw RouteTableError(.tooMany("query items", limit: RouteLimits.patternQueryItems), at: mark.offset)
    }
    return rest
  }

  private func readItem(
    _ run: PatternElements, at start: Int
  ) throws(RouteTableError) -> RoutePattern.QueryItem {
    var (key, rest) = run.cut { $0.isByte("=") }
    let isAbsent = key.first?.isByte("!") == true
    if isAbsent { key = key.dropFirst() }
    guard !key.isEmpty else { throw RouteTableError(.emptyQueryItem, at: start) }
    if let hole = key.first(where: { !$0.isText }) {
      throw RouteTableError(.misplacedCapture("the key of a query item: write `key={name}`"), at: hole.offset)
    }
    let name = try PatternText.literal(key, form: queryForm)
    guard let equals = rest.first else {
      return RoutePattern.QueryItem(key: name, test: isAbsent ? .absent : .present)
    }
    guard !isAbsent else {
      throw RouteTableError(
        .invalidCapture("`!key` requires the key to be absent and must not have a value"), at: equals.offset)
    }
    return RoutePattern.QueryItem(
      key: name, test: .value(try part(rest.dropFirst(), in: .query, form: queryForm)))
  }
}
