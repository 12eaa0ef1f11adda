// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

extension RoutePattern {
  /// Warnings about valid but probably unintended text in the pattern, such as a capture in the syntax of another router.
  ///
  /// ```swift
  /// try RoutePattern("/users/:id").warnings  // ["`:id` is literal text here: write a capture as `{id}`"]
  /// ```
  public var warnings: [String] {
    var warnings: [String] = []
    if schemes.isEmpty, segments.count > 1, segments[0].literal == [] {
      warnings.append(
        "a pattern that begins with `//` is a path: for a host, begin with a scheme, `https://`")
    }
    if let doubt = doubtOfAddress ?? doubtOfHostChoice { warnings.append(doubt) }
    warnings += doubts(ofSegments: { _ in true }) + doubtsOfQuery
    for capture in captures {
      let words = capture.type.name.split(separator: "|")
      guard words.count > 1, words.allSatisfy({ RouteType.builtIn(named: String($0)) != nil }) else {
        continue
      }
      warnings.append(
        "`\(capture.type)` matches these literal words, not texts of these types: write one pattern for each type"
      )
    }
    return warnings
  }

  /// Warnings about segments and query items that consist of a `*`, which no URL has by chance.
  fileprivate var doubtsOfStars: [String] {
    doubts(ofSegments: { $0 == Array("*".utf8) || $0 == Array("**".utf8) }) + doubtsOfQuery
  }

  private func doubts(ofSegments isConcerned: ([UInt8]) -> Bool) -> [String] {
    segments.compactMap { segment in
      segment.literal.flatMap { isConcerned($0) ? Self.doubt(ofSegment: $0) : nil }
    }
  }

  private var doubtsOfQuery: [String] {
    query.filter { [$0.key, $0.value?.literal].contains([UInt8(ascii: "*")]) }.map { _ in
      "`*` is literal text in a query: for any value, write only the key, or `key={x}`"
    }
  }

  /// A warning about a choice in the host with a `*`, which is literal there, so that no host contains it; `nil` if there is none.
  fileprivate var doubtOfHostChoice: String? {
    let pieces = authority?.labels.flatMap(\.pieces) ?? []
    let hasStar = pieces.contains { piece in
      guard case .choice(let alternatives) = piece else { return false }
      return alternatives.contains { $0.contains { $0.contains(UInt8(ascii: "*")) } }
    }
    guard hasStar else { return nil }
    return
      "`*` is literal text in a choice, and no host has it: write one pattern for each host, such as `https://h.example/` and `https://*.h.example/`"
  }

  /// Returns a warning about a literal segment that looks like a capture; `nil` if it does not.
  private static func doubt(ofSegment bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let first = text.first, let last = text.last else { return nil }
    let inside = String(text.dropFirst())
    switch (first, last) {
    case (":", _) where isName(inside):
      return "`\(text)` is literal text here: write a capture as `{\(inside)}`"
    case ("*", _) where inside.isEmpty:
      return "`*` is literal text here: write a segment as `{x}` and the rest of a path as `{rest...}`"
    case ("*", _) where inside == "*":
      return "`**` is literal text here: write the rest of a path as `{rest...}`"
    case ("*", _) where isName(inside):
      return "`\(text)` is literal text here: write the rest of a path as `{\(inside)...}`"
    case ("<", ">"), ("[", "]"):
      let name = inside.dropLast().drop { ".*".contains($0) }
      let isRest = name.count + 1 < inside.count
      guard let word = name.split(separator: ":").last.map({ String($0) }), isName(word) else { return nil }
      return "`\(text)` is literal text here: write a capture as `{\(word)\(isRest ? "..." : "")}`"
    default: return nil
    }
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, first.isASCIILetter || first == UInt8(ascii: "_") else { return false }
    return text.utf8.allSatisfy {
      $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
    }
  }
}

extension RouteTable {
  /// Warnings about valid but probably unintended text in the patterns, with locations.
  public var warnings: [(location: SourceLocation, sentence: String)] { warnings(\.warnings) }

  /// Warnings about text that cannot match what it looks like: a host that seems to match addresses or subdomains, and a `*`
  /// that seems to match any text.
  ///
  /// - Parameter isIntended: Returns whether the author of the route knows that it matches a `*`.
  public func certainWarnings(
    unless isIntended: (_ route: Route<Action>) -> Bool
  ) -> [(location: SourceLocation, sentence: String)] {
    routes.flatMap { route in
      let stars = isIntended(route) ? [] : route.patterns.map(\.doubtsOfStars)
      return zip(route.patterns, route.record.patternLocations).enumerated().flatMap { index, place in
        let (pattern, location) = place
        let host = (pattern.doubtOfAddress ?? pattern.doubtOfHostChoice).map { [$0] } ?? []
        return (host + (stars.isEmpty ? [] : stars[index])).map { (location, $0) }
      }
    }
  }

  private func warnings(
    _ sentences: (RoutePattern) -> [String]
  ) -> [(location: SourceLocation, sentence: String)] {
    routes.flatMap { route in
      zip(route.patterns, route.record.patternLocations).flatMap { pattern, location in
        sentences(pattern).map { (location, $0) }
      }
    }
  }
}

extension RouteTable {
  /// Warnings about web patterns without a path, which seem to match a whole site and match only its start page.
  ///
  /// `https://h.example` matches only `https://h.example/`. With the slash, the pattern is not reported.
  public var missingPathWarnings: [(location: SourceLocation, sentence: String)] {
    warnings { pattern in
      guard pattern.writtenForm.endsBeforePath, pattern.query.isEmpty, pattern.fragment == nil,
        !pattern.schemes.isEmpty, pattern.schemes.allSatisfy({ ["http", "https"].contains($0) })
      else { return [] }
      let name = ["path", "rest"].first { name in !pattern.captures.contains { $0.name == name } } ?? "pages"
      return [
        "a pattern without a path matches only the start page: write `\(pattern){\(name)...?}` for the whole site, or `\(pattern)` for that page"
      ]
    }
  }
}

extension RouteTable where Action == RouteAction {
  /// Warnings about routes for unknown callers that store answers for a source, which these do not have.
  public var rememberWarnings: [(location: SourceLocation, sentence: String)] {
    routes.compactMap { route in
      guard case .ask(_, let remembered) = route.action, remembered.contains(.source),
        let assurance = route.conditions.first(where: { $0.name == RouteCondition.Name.assurance }),
        assurance.language.contains("unknown")
      else { return nil }
      return (
        route.record.location,
        "`remember` contains `source`, so no answer for an unknown caller is stored: such callers are asked about each link"
      )
    }
  }

  /// Warnings about routes that deny or ask and seem to match every URL, but miss those without a slash after the scheme.
  ///
  /// `/{path...?}` does not match `tel:112`, and `scheme = "*"` does.
  public var missingSlashWarnings: [(location: SourceLocation, sentence: String)] {
    routes.flatMap { route -> [(location: SourceLocation, sentence: String)] in
      switch route.action {
      case .deny, .ask: break
      default: return []
      }
      guard !route.patterns.contains(where: { $0.schemes.isEmpty && !$0.isRooted }) else { return [] }
      return zip(route.patterns, route.record.patternLocations).compactMap { pattern, location in
        guard pattern.matchesEveryPath else { return nil }
        return (
          location,
          "`\(pattern)` misses URLs without a slash after the scheme, such as `tel:112`: write `scheme = \"*\"` in place of `match`"
        )
      }
    }
  }
}

extension RouteTable where Action == RouteAction {
  /// Warnings about routes that deny or ask and seem to match a whole scheme, but miss some of its URLs.
  ///
  /// `tel:{number}` does not match `tel:/112`, and `scheme = "tel"` does. Other routes of the table that deny, or ask as well, under
  /// the same or fewer conditions may match the missing URLs.
  ///
  /// - Parameter isIntended: Returns whether the author of the route knows that it misses URLs of the scheme.
  public func partialSchemeWarnings(
    unless isIntended: (_ route: Route<RouteAction>, _ scheme: String) -> Bool
  ) -> [(location: SourceLocation, sentence: String)] {
    routes.flatMap { route -> [(location: SourceLocation, sentence: String)] in
      guard route.action.restrictsAll else { return [] }
      var known: Set<String> = []
      return zip(route.patterns, route.record.patternLocations).flatMap { pattern, location in
        (pattern.hasOnlyWildcards ? pattern.schemeNames : []).compactMap { scheme in
          guard known.insert(scheme).inserted, !isIntended(route, scheme),
            let url = RoutePattern.uncoveredURL(patterns(restrictingLike: route), scheme: scheme)
          else { return nil }
          return (
            location,
            "`\(pattern)` does not match all URLs of `\(scheme)`, for example not `\(url)`: write `scheme = \"\(scheme)\"` in place of "
              + "`match`, or name such a URL in `tests.no`"
          )
        }
      }
    }
  }

  /// Returns the patterns of the routes that deny, or ask as the route does, wherever the conditions of the route hold.
  private func patterns(restrictingLike route: Route<RouteAction>) -> [RoutePattern] {
    let conditions = Set(route.conditions)
    return routes.filter { other in
      let restricts = if case .deny = other.action { true } else { other.action == route.action }
      return restricts && conditions.isSuperset(of: other.conditions)
    }.flatMap(\.patterns)
  }
}

extension RouteAction {
  /// Indicates whether the action rejects the URL, or asks whether it may be opened.
  fileprivate var restrictsAll: Bool {
    switch self {
    case .deny, .ask([], _): true
    default: false
    }
  }
}

extension RoutePattern {
  /// Indicates whether the pattern names a scheme and consists of one segment or catch-all of any text, with any host if it has one.
  fileprivate var hasOnlyWildcards: Bool {
    guard !schemes.isEmpty, query.isEmpty, fragment == nil, segments.count == 1 else { return false }
    func isAnyText(_ part: PatternPart) -> Bool {
      part.wholeCapture.map { captures[$0].type.language == RouteType.string.language } ?? false
    }
    return isAnyText(segments[0]) && (authority?.labels.allSatisfy(isAnyText) ?? true)
  }

  /// A Boolean value that indicates whether the pattern is a path of any segments, under any scheme and host.
  fileprivate var matchesEveryPath: Bool {
    guard schemes.isEmpty, isRooted, authority == nil, segments.count == 1, isRest(segments[0]),
      query.isEmpty, fragment == nil, let number = segments[0].wholeCapture
    else { return false }
    return captures[number].type.language == RouteType.string.language
  }
}
