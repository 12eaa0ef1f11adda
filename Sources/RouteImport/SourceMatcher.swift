// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// A condition on a URL in an imported file.
enum SourceMatcher: Hashable, Sendable {
  /// A text with `*` of a Finicky configuration.
  case wildcard(FinickyWildcard)
  /// A regular expression that is searched for in the text of the URL.
  case search(TextExpression)
  /// The name of a host, with any port.
  case host(String)
  /// A regular expression that is searched for in the name of the host.
  case hostSearch(TextExpression)
  /// A scheme.
  case scheme(String)
  /// Every web link.
  case all

  /// Returns whether the condition is true for a URL, evaluated as the program of the imported file does; `nil` if that takes too
  /// many steps.
  func matches(_ url: String) -> Bool? {
    switch self {
    case .wildcard(let wildcard): wildcard.matches(url)
    case .search(let expression): expression.occurs(in: url)
    case .host(let name): Self.host(of: url) == name
    case .hostSearch(let expression): expression.occurs(in: Self.host(of: url))
    case .scheme(let name): url.prefix { $0 != ":" } == name
    case .all: ["http", "https"].contains(url.prefix { $0 != ":" })
    }
  }

  private static func host(of url: String) -> String {
    guard let start = url.firstRange(of: "://")?.upperBound else { return "" }
    let authority = url[start...].prefix { !"/?#".contains($0) }
    if authority.first == "[" { return authority.prefix { $0 != "]" } + "]" }
    return String(authority.prefix { $0 != ":" })
  }

  /// Returns the alternatives of the expression that matches the complete text of the same web URLs.
  func alternatives() throws(ImportError) -> [TextSequence] {
    switch self {
    case .wildcard(let wildcard): return try TextSequence.alternatives(of: wildcard.expression)
    case .search(let expression): return try TextSequence.alternatives(of: expression)
    case .hostSearch(let expression): return try Self.alternatives(ofHost: expression)
    case .host, .scheme, .all: return []
    }
  }

  /// The structures of the URLs, if they need not be read from an expression.
  var shapes: [URLShape] {
    guard case .host(let name) = self else { return [] }
    let labels =
      name.hasPrefix("[")
      ? [name] : name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return ["https", "http"].map { scheme in
      URLShape(
        scheme: scheme, hasSubdomains: false, labels: labels.map { .literal($0) }, port: .any, path: [.rest])
    }
  }

  /// Returns the web URLs that match, given the alternatives of the condition; `nil` if the language is too large.
  func language(_ alternatives: [TextSequence]) -> RegularLanguage? {
    switch self {
    case .host(let name): return Self.language(ofHosts: try? RegularLanguage(.literal(name)))
    case .hostSearch(let expression):
      guard let sequences = try? TextSequence.alternatives(of: expression) else { return nil }
      return Self.language(ofHosts: try? RegularLanguage(.choice(sequences.map(\.expression))))
    case .wildcard, .search:
      guard let all = WebURLLanguage.all else { return nil }
      var language = RegularLanguage.none
      for sequence in alternatives {
        guard let next = try? RegularLanguage(sequence.expression).intersection(all),
          let union = try? language.union(next)
        else { return nil }
        language = union
      }
      return language
    case .scheme: return RegularLanguage.none
    case .all: return WebURLLanguage.all
    }
  }

  /// Returns the web URLs whose host is in a language, with any port.
  private static func language(ofHosts wanted: RegularLanguage?) -> RegularLanguage? {
    guard let all = WebURLLanguage.hosts, let hosts = try? wanted?.intersection(all) else { return nil }
    guard !hosts.isEmpty else { return RegularLanguage.none }
    return try? RegularLanguage(
      .sequence([
        WebURLLanguage.schemes, .language(hosts), WebURLLanguage.anyPort, .literal("/"),
        WebURLLanguage.anySegments, WebURLLanguage.anyQuery, WebURLLanguage.anyFragment,
      ]))
  }

  /// The reason why a condition matches no web URL.
  var reasonForNone: String {
    switch self {
    case .host, .hostSearch:
      "it matches no host, because it is compared with the host alone: in lower case, without scheme, port and path"
    case .wildcard, .search, .scheme, .all:
      "it matches no web URL, because it is compared with the complete text of the URL, from the scheme on"
    }
  }

  /// Returns the web URLs whose host an expression matches.
  private static func alternatives(ofHost expression: TextExpression) throws(ImportError) -> [TextSequence] {
    let host = ScalarSet(WebURLLanguage.labelScalars.ranges + ScalarSet(of: ".").ranges)
    let digits = TextExpression.repetition(.set(.digits), min: 1, max: nil)
    var all: [TextSequence] = []
    for sequence in try TextSequence.alternatives(of: expression) {
      let items = sequence.items.map { item in item.expression.mapSets { $0.intersection(host) } }
      for scheme in ["https://", "http://"] {
        for port in [[], [TextExpression.literal(":"), digits]] {
          let whole = TextExpression.sequence(
            [.start, .literal(scheme)] + items + port + [.literal("/"), .anyText, .end])
          all += try TextSequence.alternatives(of: whole)
        }
      }
    }
    return all
  }
}
