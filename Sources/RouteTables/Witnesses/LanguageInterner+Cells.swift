// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// A text, and the other matchers that match it.
struct ComponentCell {
  let text: [UInt8]
  /// The indices of the other matchers that match every text of the cell.
  let members: [Int]
}

extension LanguageInterner {
  /// Returns texts that all of `included` and as few of `others` as possible match.
  ///
  /// The result is empty if there is no such text, and `nil` if the automata are too large. The text must also belong to
  /// `within`; with `isWordy` a text that is not empty is preferred. Each comparison of two languages costs steps of the
  /// budget.
  mutating func cells(
    of included: [ComponentMatcher], within: Number? = nil, avoiding others: [ComponentMatcher],
    isWordy: Bool = false,
    _ budget: inout Int
  ) -> [ComponentCell]? {
    for case .literal(let text) in included {
      guard included.allSatisfy({ takes($0, text) }), within.map({ self[$0].contains(text) }) ?? true else {
        return []
      }
      return [ComponentCell(text: text, members: others.indices.filter { takes(others[$0], text) })]
    }
    guard let base = intersection(included.map { number($0) }) else { return nil }
    guard !self[base].isEmpty else { return [] }
    var (members, open) = ([Int](), [Int]())
    for (index, other) in others.enumerated() {
      switch relation(.language(base), other) {
      case .equal, .narrower: members.append(index)
      case .disjoint: break
      case .wider, .crossing: open.append(index)
      }
    }
    func isFree(_ text: [UInt8]) -> Bool {
      within.map { self[$0].contains(text) } ?? true && !open.contains { takes(others[$0], text) }
    }
    let samples = samples(of: base)
    if let text = samples.first(where: { (!isWordy || !$0.isEmpty) && isFree($0) })
      ?? samples.first(where: isFree)
    {
      return [ComponentCell(text: text, members: members)]
    }
    guard let whole = within.map({ intersection([base, $0]) }) ?? base else { return nil }
    guard !self[whole].isEmpty else { return [] }
    guard let outside = subtracting(open.map { others[$0] }, from: whole, &budget) else { return nil }
    guard let text = outside.shortestText else {
      return divide(whole, members: members, open: open, others: others, budget: &budget)
    }
    // A later search is likely to need the same text, so it becomes a sample of the language.
    learn(Array(text.utf8), of: base)
    return [ComponentCell(text: Array(text.utf8), members: members)]
  }

  /// The number of budget steps for one comparison.
  private static let cost = 8

  /// Returns the texts of a language that no matcher matches; `nil` if the automaton is too large or the budget is spent.
  private mutating func subtracting(
    _ others: [ComponentMatcher], from whole: Number, _ budget: inout Int
  ) -> RegularLanguage? {
    let numbers = others.map { number($0) }
    // A refined search subtracts the previous languages and one more, so the last remainder is cached.
    var remainder = remainders[whole] ?? Remainder(rest: self[whole])
    if !numbers.starts(with: remainder.without) { remainder = Remainder(rest: self[whole]) }
    for number in numbers.dropFirst(remainder.without.count) where !remainder.rest.isEmpty {
      budget -= Self.cost
      guard budget > 0, let next = try? remainder.rest.subtracting(self[number]) else { return nil }
      remainder = Remainder(without: remainder.without + [number], rest: next)
    }
    remainders[whole] = remainder
    return remainder.rest
  }

  /// Partitions a language by the matchers that match its texts, and returns the parts that the fewest of them match.
  private mutating func divide(
    _ whole: Number, members: [Int], open: [Int], others: [ComponentMatcher], budget: inout Int
  ) -> [ComponentCell]? {
    var parts = [(language: self[whole], members: members)]
    for index in open {
      let number = number(others[index])
      let other = self[number]
      var next: [(language: RegularLanguage, members: [Int])] = []
      for part in parts {
        budget -= 2 * Self.cost
        guard budget > 0, let outside = try? part.language.subtracting(other),
          let inside = try? part.language.intersection(other)
        else { return nil }
        if !outside.isEmpty { next.append((outside, part.members)) }
        if !inside.isEmpty { next.append((inside, part.members + [index])) }
      }
      guard next.count <= 64 else { return nil }
      parts = next
    }
    let sets = parts.map { Set($0.members) }
    return parts.indices.compactMap { index in
      guard !sets.contains(where: { $0.isStrictSubset(of: sets[index]) }),
        let text = parts[index].language.shortestText
      else { return nil }
      return ComponentCell(text: Array(text.utf8), members: parts[index].members.sorted())
    }
  }

  /// Returns whether a matcher matches a text.
  func takes(_ place: ComponentMatcher, _ text: [UInt8]) -> Bool {
    switch place {
    case .literal(let own): own == text
    case .folded(let own): own == text.map(\.foldedASCII)
    case .language(let number): self[number].contains(text)
    }
  }

  /// Returns the number of the language that a matcher matches.
  private mutating func number(_ place: ComponentMatcher) -> Number {
    switch place {
    case .language(let number): number
    case .folded(let text): intern(folded: text)
    case .literal(let text):
      intern((try? RegularLanguage(.literal(String(decoding: text, as: UTF8.self)))) ?? .none)
    }
  }

  /// Returns the number of the intersection, any text if `numbers` is empty; `nil` if the automaton is too large.
  private mutating func intersection(_ numbers: [Number]) -> Number? {
    var result = Self.anything
    for number in numbers {
      switch relation(result, number) {
      case .equal, .narrower: continue
      case .wider: result = number
      case .disjoint: return intern(.none)
      case .crossing:
        guard let both = try? self[result].intersection(self[number]) else { return nil }
        result = intern(both)
      }
    }
    return result
  }
}
