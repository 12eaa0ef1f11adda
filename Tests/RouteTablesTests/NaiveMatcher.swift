@testable import RouteTables

/// The language by its definition: every pattern is tried, and the narrowest of those that match is looked for.
struct NaiveMatcher {
  let patterns: [(id: String, pattern: RoutePattern)]

  /// The winner and what it captures, or `nil`.
  func match(_ url: NaiveURL) -> (id: String, captures: [String: String])? {
    var best: (id: String, rank: [Int], captures: [String: String])?
    for (id, pattern) in patterns {
      guard let captures = Self.captures(of: pattern, url) else { continue }
      let rank = Self.rank(of: pattern)
      guard let current = best else {
        best = (id, rank, captures)
        continue
      }
      if rank == current.rank ? id < current.id : rank.lexicographicallyPrecedes(current.rank) {
        best = (id, rank, captures)
      }
    }
    return best.map { ($0.id, $0.captures) }
  }

  /// What narrows, leftmost first; patterns that match one URL have as many labels and segments.
  private static func rank(of pattern: RoutePattern) -> [Int] {
    func rank(_ part: RoutePattern.Part?) -> Int {
      switch part {
      case .literal?: 0
      case .capture(let capture)?: capture.isOptional ? 4 : [.int: 1, .uint: 2][capture.type] ?? 3
      case nil: 4
      }
    }
    let required = pattern.query.filter(\.isRequired).map { rank($0.value) }
    var ranks = [pattern.scheme == nil ? 1 : 0]
    ranks += (pattern.authority?.labels ?? []).reversed().map { rank($0) }
    ranks += pattern.segments.map { rank($0) }
    ranks += [-required.count, -required.count { $0 == 0 }, -required.count { $0 == 1 || $0 == 2 }]
    let fragment = rank(pattern.fragment)
    return ranks + [fragment == 2 ? 1 : fragment]
  }

  private static func captures(of pattern: RoutePattern, _ url: NaiveURL) -> [String: String]? {
    var captures: [String: String] = [:]
    func holds(_ part: RoutePattern.Part, _ text: String?, mayBeEmpty: Bool) -> Bool {
      switch part {
      case .literal(let bytes): return text.map { Array($0.utf8) == bytes } ?? false
      case .capture(let capture):
        let fits: Bool
        switch capture.type {
        case .string: fits = text != nil && (mayBeEmpty || text?.isEmpty == false)
        case .int: fits = text.flatMap { text in Int64(text).map { String($0) == text } } ?? false
        case .uint: fits = text.flatMap { text in UInt64(text).map { String($0) == text } } ?? false
        }
        captures[capture.name] = fits ? text : capture.defaultValue
        return fits || capture.isOptional
      }
    }
    func hold(_ parts: [RoutePattern.Part], _ texts: [String]) -> Bool {
      parts.count == texts.count && zip(parts, texts).allSatisfy { holds($0, $1, mayBeEmpty: false) }
    }
    if let scheme = pattern.scheme {
      let port = url.port == (scheme == "https" ? 443 : nil) ? nil : url.port
      guard scheme == url.scheme, (pattern.authority == nil) == (url.labels == nil),
        hold(pattern.authority?.labels ?? [], url.labels ?? []), pattern.authority?.port.map(Int.init) == port
      else { return nil }
    }
    guard pattern.isRooted == url.isRooted, hold(pattern.segments, url.segments) else { return nil }
    for item in pattern.query {
      let first = url.query.first { Array($0.key.utf8) == item.key }
      if item.isRequired, first == nil { return nil }
      if let value = item.value, !holds(value, first.map { $0.value ?? "" }, mayBeEmpty: true) { return nil }
    }
    if let fragment = pattern.fragment, !holds(fragment, url.fragment, mayBeEmpty: true) { return nil }
    return captures
  }
}
