// SPDX-License-Identifier: Apache-2.0
/// The second parsing pass over a pattern, which splits it into components as a URL is split.
struct RoutePatternParser {
  var pattern: RoutePattern
  let source: PatternSource
  /// Returns the ASCII form of a host label as browsers map it; `nil` if there is no such mapping.
  let hostInASCII: ((String) -> String?)?
  /// Indicates whether the host is mapped under every scheme, and not only under those under which browsers map it.
  var mapsEveryHost = false

  /// Parses a pattern; errors contain their offset.
  static func parse(
    _ text: String, types: [RouteType], options: RouteOptions, hostInASCII: ((String) -> String?)? = nil,
    mapsEveryHost: Bool = false
  ) throws(RouteTableError) -> RoutePattern {
    guard text.utf8.count <= RouteLimits.bytes else {
      throw RouteTableError(.tooLong(bytes: text.utf8.count))
    }
    if let (excluded, rest) = try excludedSchemes(of: text) {
      let removed = text.utf8.count - rest.utf8.count
      do throws(RouteTableError) {
        var pattern = try parse(
          rest.hasPrefix("/") ? rest : "*:" + rest, types: types, options: options, hostInASCII: hostInASCII,
          mapsEveryHost: mapsEveryHost)
        pattern.excludedSchemes = excluded
        return pattern
      } catch {
        let shift = rest.hasPrefix("/") ? removed : removed - 2
        throw RouteTableError(error.reason, at: error.offset.map { $0 + shift }, pattern: error.pattern)
      }
    }
    var parser = RoutePatternParser(
      pattern: RoutePattern(options: options), source: try PatternElementReader.read(text, types: types),
      hostInASCII: hostInASCII, mapsEveryHost: mapsEveryHost)
    parser.pattern.captures = parser.source.captures
    var rest = try parser.readScheme(parser.source.elements[...])
    if options.authority == .host || parser.pattern.schemes.isEmpty {
      rest = try parser.readAuthority(rest)
    } else {
      rest = rest.dropFirst(min(3, rest.prefix { $0.isByte("/") }.count))
    }
    let path = rest.first?.offset
    rest = try parser.readPath(rest)
    try parser.checkHost(at: path)
    rest = try parser.readQuery(rest)
    if rest.first?.isByte("#") == true {
      parser.pattern.fragment = try parser.part(rest.dropFirst(), in: .fragment, form: .path)
    }
    return parser.pattern
  }

  /// Returns the schemes of a pattern that begins with `{!a|b}:`, sorted, and the text after the colon; `nil` for other patterns.
  private static func excludedSchemes(
    of text: String
  ) throws(RouteTableError) -> (schemes: [String], rest: String)? {
    guard text.utf8.first == UInt8(ascii: "{"), text.hasPrefix("{!") else { return nil }
    guard let end = text.firstIndex(of: "}") else { throw RouteTableError(.unclosedCapture, at: 0) }
    let rest = text[text.index(after: end)...]
    guard rest.hasPrefix(":") else { throw RouteTableError(.missingScheme, at: 0) }
    guard !rest.hasPrefix("://") else {
      throw RouteTableError(.notationOfOthers("{!…}://", here: "{:http|https}://"), at: 0)
    }
    let names = text[..<end].dropFirst(2).split(separator: "|", omittingEmptySubsequences: false).map {
      String($0).lowercased()
    }
    for name in names {
      guard let first = name.utf8.first, first.isASCIILetter, name.utf8.allSatisfy(\.isSchemeByte) else {
        throw RouteTableError(.missingScheme, at: 2)
      }
    }
    guard names.count <= RouteLimits.variants else {
      throw RouteTableError(.tooMany("schemes", limit: RouteLimits.variants), at: 2)
    }
    let schemes = Set(names).sorted()
    guard schemes.count == names.count else {
      throw RouteTableError(.duplicateValue(names.first ?? ""), at: 2)
    }
    return (schemes, String(rest.dropFirst()))
  }

  private mutating func readScheme(_ elements: PatternElements) throws(RouteTableError) -> PatternElements {
    if elements.first?.isByte("/") == true { return elements }
    let (scheme, rest) = elements.cut { $0.isByte(":") || $0.endsAuthority }
    guard rest.first?.isByte(":") == true, !scheme.isEmpty else {
      throw RouteTableError(.missingScheme, at: 0)
    }
    // `/` alone stands for any scheme in front of a path with a slash.
    if scheme.count == 1, scheme.first?.isByte("*") == true, rest.dropFirst().first?.isByte("/") != true {
      return rest.dropFirst()
    }
    if let star = scheme.first(where: { $0.isByte("*") }) {
      throw RouteTableError(.notationOfOthers("*:", here: "{:http|https}:"), at: star.offset)
    }
    var names = [""]
    for element in scheme {
      switch element.content {
      case .byte(let byte):
        for index in names.indices { names[index].unicodeScalars.append(Unicode.Scalar(byte.foldedASCII)) }
      case .brace: throw RouteTableError(.missingScheme, at: element.offset)
      case .capture:
        throw RouteTableError(.misplacedCapture("the scheme: write `{:a|b}`"), at: element.offset)
      case .choice(let number):
        guard names.count * source.choices[number].count <= RouteLimits.variants else {
          throw RouteTableError(.tooMany("schemes", limit: RouteLimits.variants), at: element.offset)
        }
        names = names.flatMap { name in
          source.choices[number].map { alternative in
            alternative.reduce(name) { text, element in
              guard case .byte(let byte) = element.content else { return text + "{" }
              return text + String(Unicode.Scalar(byte.foldedASCII))
            }
          }
        }
      }
    }
    for name in names {
      guard let first = name.utf8.first, first.isASCIILetter else {
        throw RouteTableError(.missingScheme, at: 0)
      }
      guard name.utf8.allSatisfy(\.isSchemeByte) else {
        let offset = names.count == 1 ? name.utf8.prefix(while: \.isSchemeByte).count : 0
        throw RouteTableError(.missingScheme, at: offset)
      }
    }
    guard names.count == 1 || Set(names).count == names.count else {
      throw RouteTableError(.duplicateValue(names.first ?? ""), at: 0)
    }
    pattern.schemes = names
    return rest.dropFirst()
  }

  private mutating func readAuthority(_ elements: PatternElements) throws(RouteTableError) -> PatternElements
  {
    guard !pattern.schemes.isEmpty, elements.starts(with: "//") else { return elements }
    let (text, rest) = elements.dropFirst(2).cut { $0.endsAuthority }
    pattern.authority = try readAuthority(of: text)
    return rest
  }
}
