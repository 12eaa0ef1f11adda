// SPDX-License-Identifier: Apache-2.0

/// The precedence of the final rules of a random policy, computed rule by rule.
///
/// It follows `docs/policy.md` and the decisions 39, 92 and 93: the requirements between rules are a graph, and the `wins_over` of
/// rules that must precede each other are not effective.
struct RandomPrecedence {
  typealias Rule = RandomPolicy.Rule

  /// A pattern of a rule: of the URLs with two segments, or of those without a slash.
  private struct Part: Hashable {
    let rule: Int
    let isRooted: Bool
  }

  /// A rule that has precedence, and a denial that it names.
  private struct Pair: Hashable {
    let winner: Int
    let loser: Int
  }

  private let rules: [Rule]
  private let parts: [Part]
  private var pairs: Set<Pair> = []
  /// For each part those that must come after it.
  private var after: [Part: Set<Part>] = [:]

  /// Computes the precedence of the final rules of both directories.
  init(_ rules: [Rule]) {
    self.rules = rules.sorted { Self.defaultOrder($0) < Self.defaultOrder($1) }
    parts = self.rules.enumerated().flatMap { number, rule in
      (rule.excluded == nil ? [true] : [true, false]).map { Part(rule: number, isRooted: $0) }
    }
    for (winner, rule) in self.rules.enumerated() {
      for loser in self.rules.indices where rule.winsOver.contains(self.rules[loser].id) {
        pairs.insert(Pair(winner: winner, loser: loser))
      }
    }
    pairs = pairs.filter { pair in
      !parts(of: pair.loser).allSatisfy { part in
        parts(of: pair.winner).contains { includes($0, part) }
      }
    }
    while true {
      after = closure(edges)
      let impossible = impossible
      guard !impossible.isEmpty else { return }
      pairs.subtract(impossible)
    }
  }

  /// The effective `wins_over` of each rule, by its ID.
  var winsOver: [String: Set<String>] {
    Dictionary(grouping: pairs) { rules[$0.winner].id }.mapValues { Set($0.map { rules[$0.loser].id }) }
  }

  /// Returns the rule that precedes all others of those that match a request; `nil` if there is none.
  func first(of matching: [Rule], for request: RandomPolicy.Request) -> Rule? {
    let names = Set(matching.map(\.id))
    let candidates = parts.filter {
      $0.isRooted == (request.second != nil) && names.contains(rules[$0.rule].id)
    }
    return candidates.first { part in
      candidates.allSatisfy { $0 == part || precedes(part, $0) }
    }.map { rules[$0.rule] }
  }

  private func precedes(_ part: Part, _ other: Part) -> Bool {
    if after[part, default: []].contains(other) { return true }
    return part.rule < other.rule && !after[other, default: []].contains(part)
  }

  /// The order without `wins_over`: denials, then the routes of `/etc/xdg`, then those of another directory; the narrower first.
  private static func defaultOrder(_ rule: Rule) -> (Int, Int, Int, Int, Int, String) {
    let key = rule.key
    return (
      rule.action == .deny ? 0 : rule.layer == .final ? 1 : 2, key.0, key.1, key.2, key.3, rule.id
    )
  }

  private func parts(of rule: Int) -> [Part] { parts.filter { $0.rule == rule } }

  /// Returns whether a part matches all URLs of another.
  private func includes(_ wider: Part, _ narrower: Part) -> Bool {
    let (one, other) = (rules[wider.rule], rules[narrower.rule])
    guard wider.isRooted == narrower.isRooted, one.source == nil || one.source == other.source else {
      return false
    }
    switch (one.excluded, other.excluded) {
    case (nil, nil):
      return one.first.letters.isSuperset(of: other.first.letters)
        && one.second.letters.isSuperset(of: other.second.letters)
    case (nil, _?): return false
    case (let excluded?, nil): return !excluded.contains("notes")
    case (let excluded?, let others?): return excluded.isSubset(of: others)
    }
  }

  /// Returns whether a URL matches both parts.
  private func overlap(_ part: Part, _ second: Part) -> Bool {
    let (one, other) = (rules[part.rule], rules[second.rule])
    guard part.isRooted == second.isRooted else { return false }
    switch (one.excluded, other.excluded) {
    case (nil, nil):
      return !one.first.letters.isDisjoint(with: other.first.letters)
        && !one.second.letters.isDisjoint(with: other.second.letters)
    case (let excluded?, nil), (nil, let excluded?): return !excluded.contains("notes")
    case (_?, _?): return true
    }
  }

  /// The requirements that one part precede another.
  private var edges: [Part: Set<Part>] {
    var edges: [Part: Set<Part>] = [:]
    func add(_ first: Part, before second: Part) { edges[first, default: []].insert(second) }
    for pair in pairs {
      for first in parts(of: pair.winner) {
        for second in parts(of: pair.loser) { add(first, before: second) }
      }
    }
    // A final route of another directory comes after those of /etc/xdg, also if it is an exception, unless it denies.
    for winner in Set(pairs.map(\.winner))
    where rules[winner].layer == .foreign && rules[winner].action != .deny {
      for part in parts(of: winner) {
        for other in parts where rules[other.rule].layer == .final && overlap(other, part) {
          add(other, before: part)
        }
      }
    }
    let denials = Set(pairs.map(\.loser))
    var waiting = denials
    for denial in denials {
      for part in parts where rules[part.rule].action != .deny {
        guard !pairs.contains(Pair(winner: part.rule, loser: denial)) else { continue }
        for own in parts(of: denial) where overlap(own, part) {
          add(own, before: part)
          waiting.insert(part.rule)
          // Of two rules with the same URLs, one is not an exception by its name.
          for equal in parts where equal.rule != part.rule && includes(equal, part) && includes(part, equal) {
            guard pairs.contains(Pair(winner: equal.rule, loser: denial)),
              rules[equal.rule].layer == rules[part.rule].layer
            else { continue }
            add(part, before: equal)
          }
        }
      }
    }
    for part in parts where waiting.contains(part.rule) {
      for wider in parts where wider.rule > part.rule && includes(wider, part) {
        guard !denials.contains(part.rule) || rules[wider.rule].action != .deny else { continue }
        add(part, before: wider)
      }
    }
    return edges
  }

  /// Returns for each part all that must come after it.
  private func closure(_ edges: [Part: Set<Part>]) -> [Part: Set<Part>] {
    var closure: [Part: Set<Part>] = [:]
    for part in parts {
      var queue = Array(edges[part, default: []])
      var found: Set<Part> = []
      while let next = queue.popLast() {
        if found.insert(next).inserted { queue += edges[next, default: []] }
      }
      closure[part] = found
    }
    return closure
  }

  /// The `wins_over` of rules that must precede each other: of each set of such rules, those of another directory come first.
  private var impossible: Set<Pair> {
    var impossible: Set<Pair> = []
    for part in parts where after[part, default: []].contains(part) {
      let circle = after[part, default: []].filter { after[$0, default: []].contains(part) }
      let found = pairs.filter { pair in
        circle.contains { $0.rule == pair.winner } && circle.contains { $0.rule == pair.loser }
      }
      let foreign = found.filter { rules[$0.winner].layer == .foreign }
      impossible.formUnion(foreign.isEmpty ? found : foreign)
    }
    return impossible
  }
}
