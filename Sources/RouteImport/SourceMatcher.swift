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

  /// Returns whether the condition is true for a URL, evaluated as the program of the imported file does; `nil` if that takes too
  /// many steps.
  func matches(_ url: String) -> Bool? {
    switch self {
    case .wildcard(let wildcard): wildcard.matches(url)
    case .search(let expression): expression.occurs(in: url)
    case .host(let name): Self.host(of: url) == name
    case .hostSearch(let expression): expression.occurs(in: Self.host(of: url))
    case .scheme(let name): url.prefix { $0 != ":" } == name
    }
  }

  private static func host(of url: String) -> String {
    guard let start = url.firstRange(of: "://")?.upperBound else { return "" }
    let authority = url[start...].prefix { !"/?#".contains($0) }
    return String(authority.prefix { $0 != ":" })
  }

  /// Returns the alternatives of the expression that matches the complete text of the same web URLs.
  func alternatives() throws(ImportError) -> [TextSequence] {
    switch self {
    case .wildcard(let wildcard): return try TextSequence.alternatives(of: wildcard.expression)
    case .search(let expression): return try TextSequence.alternatives(of: expression)
    case .host(let name):
      return try Self.alternatives(ofHost: .sequence([.start, .literal(name), .end]))
    case .hostSearch(let expression): return try Self.alternatives(ofHost: expression)
    case .scheme: return []
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
