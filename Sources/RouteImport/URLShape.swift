// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// The structure of web URLs that one route pattern matches.
struct URLShape: Hashable, Sendable {
  /// A label of a host.
  enum Label: Hashable, Sendable {
    case literal(String)
    case any
    case expression(TextExpression)
  }

  enum Port: Hashable, Sendable {
    case standard
    case any
    case number(String)
  }

  /// A part of a path.
  enum Part: Hashable, Sendable {
    case literal(String)
    /// One segment that is not empty.
    case any
    /// One segment that begins with a text and is longer.
    case beginning(String)
    case expression(TextExpression)
    /// One or more segments, also empty ones.
    case some
    /// Any number of segments; only at the end.
    case rest
  }

  /// A required item of the query.
  struct QueryItem: Hashable, Sendable {
    enum Value: Hashable, Sendable {
      case literal(String)
      case any
      case expression(TextExpression)
    }
    let key: String
    /// The value; `nil` if the key alone is required.
    let value: Value?
  }

  var scheme: String
  /// Indicates whether one or more labels precede ``labels``.
  var hasSubdomains: Bool
  var labels: [Label]
  var port: Port
  var path: [Part]
  var query: [QueryItem] = []
  /// Indicates whether literals of the path ignore case.
  var ignoresCase = false

  /// Indicates whether the shape matches all URLs of its scheme.
  var matchesAllHostsAndPaths: Bool {
    hasSubdomains && labels.isEmpty && port == .any && path == [.rest] && query.isEmpty
  }

  /// Returns whether no host of this shape is one of the other, as far as their literal labels show.
  func hasOtherHost(than other: URLShape) -> Bool {
    zip(labels.reversed(), other.labels.reversed()).contains { label, other in
      guard case .literal(let own) = label, case .literal(let text) = other else { return false }
      return own.lowercased() != text.lowercased()
    }
  }

  // MARK: Pattern

  /// Returns the pattern, with these texts as schemes.
  func pattern(schemes: [String]) -> String {
    let scheme = schemes.count == 1 ? schemes[0] : "{:\(schemes.joined(separator: "|"))}"
    var text = scheme + "://" + (hasSubdomains ? labels.isEmpty ? "*" : "*." : "")
    text += labels.enumerated().map { index, label in
      switch label {
      case .literal(let text): text
      case .any: "{host\(index + 1)}"
      case .expression(let expression): "{host\(index + 1):/\(expression.patternText)/}"
      }
    }.joined(separator: ".")
    switch port {
    case .standard: break
    case .any: text += ":*"
    case .number(let number): text += ":\(number)"
    }
    for (index, part) in path.enumerated() { text += "/" + Self.pattern(of: part, index: index + 1) }
    if !query.isEmpty {
      text += "?" + query.enumerated().map { Self.pattern(of: $1, index: $0 + 1) }.joined(separator: "&")
    }
    return text
  }

  private static func pattern(of part: Part, index: Int) -> String {
    switch part {
    case .literal(let text): text.withDoubledBraces
    case .any: "{part\(index)}"
    case .beginning(let text): "\(text.withDoubledBraces){part\(index)}"
    case .expression(let expression): "{part\(index):/\(expression.patternText)/}"
    case .some: "{part\(index)...}"
    case .rest: "{rest...?}"
    }
  }

  private static func pattern(of item: QueryItem, index: Int) -> String {
    switch item.value {
    case nil: item.key.withDoubledBraces
    case .literal(let text)?: "\(item.key.withDoubledBraces)=\(text.withDoubledBraces)"
    case .any?: "\(item.key.withDoubledBraces)={value\(index)}"
    case .expression(let expression)?:
      "\(item.key.withDoubledBraces)={value\(index):/\(expression.patternText)/}"
    }
  }

  // MARK: Language

  /// Returns the texts of the URLs that the pattern matches.
  func language() throws(ImportError) -> RegularLanguage {
    let items = try queryExpression()
    let expression = RegularExpression.sequence(
      [.literal(scheme + "://"), try hostExpression(), portExpression] + pathExpressions + [
        items, WebURLLanguage.anyFragment,
      ])
    do {
      let language = try RegularLanguage(expression)
      guard let all = WebURLLanguage.all else { return language }
      return try language.intersection(all)
    } catch {
      throw .unsupported("the pattern is too large")
    }
  }

  private func hostExpression() throws(ImportError) -> RegularExpression {
    var parts: [RegularExpression] = []
    var literals: [String] = []
    for (index, label) in labels.enumerated() {
      if index > 0 { parts.append(.literal(".")) }
      switch label {
      case .literal(let text):
        parts.append(.literal(text))
        literals.append(text)
      case .any: parts.append(WebURLLanguage.label)
      case .expression(let expression):
        parts.append(.language(try Self.within(WebURLLanguage.labelScalars, expression)))
      }
    }
    if !hasSubdomains, literals.count == labels.count { return .literal(literals.joined(separator: ".")) }
    // `*` alone matches any host, `*.` one or more labels.
    if hasSubdomains {
      parts =
        labels.isEmpty
        ? [WebURLLanguage.labels, WebURLLanguage.label]
        : [WebURLLanguage.label, .literal("."), WebURLLanguage.labels] + parts
    }
    // An address is one label: only what matches any label or any host matches addresses.
    guard let names = WebURLLanguage.names,
      let host = try? RegularLanguage(.sequence(parts)).intersection(names)
    else { throw .unsupported("the pattern is too large") }
    let matchesAddresses = hasSubdomains ? labels.isEmpty : labels == [.any]
    return matchesAddresses ? .choice([.language(host), WebURLLanguage.address]) : .language(host)
  }

  /// Returns the texts of an expression that consist of one or more of these scalars.
  private static func within(_ scalars: ScalarSet, _ expression: TextExpression) throws(ImportError)
    -> RegularLanguage
  {
    do {
      return try RegularLanguage(expression.expression)
        .intersection(RegularLanguage(.repetition(.set(scalars), min: 1, max: nil)))
    } catch {
      throw .unsupported("the expression is too large")
    }
  }

  private var portExpression: RegularExpression {
    switch port {
    case .standard: .empty
    case .any: WebURLLanguage.anyPort
    case .number(let number): .literal(":" + number)
    }
  }

  private var pathExpressions: [RegularExpression] {
    if path == [.rest] || path.isEmpty {
      return [.literal("/"), path.isEmpty ? .empty : WebURLLanguage.anySegments]
    }
    let segment = RegularExpression.repetition(.set(WebURLLanguage.segmentScalars), min: 1, max: nil)
    return path.map { part in
      switch part {
      case .literal(let text): .literal("/" + text, folds: ignoresCase)
      case .any: .sequence([.literal("/"), segment])
      case .beginning(let text): .sequence([.literal("/" + text, folds: ignoresCase), segment])
      case .expression(let expression):
        .sequence([
          .literal("/"),
          (try? Self.within(WebURLLanguage.segmentScalars, expression)).map { .language($0) }
            ?? expression.expression,
        ])
      case .some: .sequence([.literal("/"), WebURLLanguage.anySegments])
      case .rest: .repetition(.sequence([.literal("/"), WebURLLanguage.anySegments]), min: 0, max: 1)
      }
    }
  }

  private func queryExpression() throws(ImportError) -> RegularExpression {
    guard !query.isEmpty else { return WebURLLanguage.anyQuery }
    guard query.count <= 3 else { throw .unsupported("the query has more than three items") }
    let scalars = WebURLLanguage.queryScalars.intersection(ScalarSet(of: "&").inverted)
    let other = RegularExpression.repetition(.set(WebURLLanguage.queryScalars), min: 0, max: nil)
    let before = RegularExpression.repetition(.sequence([other, .literal("&")]), min: 0, max: 1)
    let behind = RegularExpression.repetition(.sequence([.literal("&"), other]), min: 0, max: 1)
    let between = RegularExpression.choice([.literal("&"), .sequence([.literal("&"), other, .literal("&")])])
    let anyValue = RegularExpression.repetition(.set(scalars), min: 0, max: nil)
    var items: [RegularExpression] = []
    for item in query {
      switch item.value {
      case nil:
        items.append(
          .sequence([.literal(item.key), .repetition(.sequence([.literal("="), anyValue]), min: 0, max: 1)]))
      case .literal(let text)?: items.append(.literal("\(item.key)=\(text)"))
      case .any?: items.append(.sequence([.literal(item.key + "="), anyValue]))
      case .expression(let expression)?:
        items.append(.sequence([.literal(item.key + "="), .language(try Self.within(scalars, expression))]))
      }
    }
    let orders = Self.permutations(items.count).map { order in
      RegularExpression.sequence(
        [before] + order.enumerated().flatMap { $0 > 0 ? [between, items[$1]] : [items[$1]] } + [behind])
    }
    return .sequence([.literal("?"), .choice(orders)])
  }

  private static func permutations(_ count: Int) -> [[Int]] {
    (0..<count).reduce([[]]) { all, next in
      all.flatMap { order in
        (0...order.count).map { index in
          var order: [Int] = order
          order.insert(next, at: index)
          return order
        }
      }
    }
  }
}
