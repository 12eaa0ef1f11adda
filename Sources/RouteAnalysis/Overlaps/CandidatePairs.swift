// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// A filter of variants that end in one node of the index: the pairs that may match a common request.
///
/// Two variants that require literal texts for one query key, fragment or condition match a common request only if the
/// texts are equal.
struct CandidatePairs {
  /// A set of pairs of variants.
  enum Group {
    /// All pairs of two variants in the array.
    case within([Int])
    /// All pairs of a variant in the first array and one in the second.
    case between([Int], [Int])
  }

  /// A component for which a variant may require a literal text.
  private enum Aspect: Hashable {
    case item(key: [UInt8])
    case fragment
    case condition(name: String)
  }

  private enum Text: Hashable {
    case absent
    case text([UInt8])
  }

  /// The required texts of each variant, by variant number.
  private let texts: [[Aspect: Text]]

  init(_ tree: RouteTrie) {
    var onlyTexts: [LanguageInterner.Number: String?] = [:]
    texts = tree.shapes.map { shape in
      guard !shape.isUnconditional else { return [:] }
      var texts: [Aspect: Text] = [:]
      for test in shape.tests { texts[.item(key: test.key)] = Self.text(of: test) }
      if case .literal(let text)? = shape.fragment { texts[.fragment] = .text(text) }
      for condition in shape.conditions {
        let text = onlyTexts[condition.language] ?? tree.languages[condition.language].onlyText
        onlyTexts[condition.language] = .some(text)
        texts[.condition(name: condition.name)] = text.map { .text(Array($0.utf8)) }
      }
      return texts
    }
  }

  /// Returns the text that a test requires; `nil` if it requires no single text.
  ///
  /// A `+` is normalized to a space, because some variants read it as a space. A key that contains either has no text,
  /// because variants with different options read it as different keys.
  private static func text(of test: RouteVariant.Test) -> Text? {
    let (plus, space) = (UInt8(ascii: "+"), UInt8(ascii: " "))
    guard !test.key.contains(plus), !test.key.contains(space) else { return nil }
    return switch test.kind {
    case .absent: .absent
    case .first(.literal(let text)): .text(text.map { $0 == plus ? space : $0 })
    case .first, .each, .present: nil
    }
  }

  /// Calls `visit` with each pair that may match a common request, until `visit` returns `false` or the budget is spent.
  ///
  /// Each examined pair costs one step of the budget. Returns `false` if `visit` returned `false`.
  func forEach(in group: Group, _ budget: inout Int, _ visit: (Int, Int) -> Bool) -> Bool {
    var stack = [group]
    while budget > 0, let next = stack.popLast() {
      budget -= next.size
      if let aspect = best(next) {
        stack += divided(next, by: aspect)
      } else if !handOut(next, budget: &budget, visit: visit) {
        return false
      }
    }
    return true
  }

  private func handOut(_ group: Group, budget: inout Int, visit: (Int, Int) -> Bool) -> Bool {
    for (place, one) in group.first.enumerated() {
      for other in group.others(after: place) {
        guard budget > 0 else { return true }
        budget -= 1
        if !areApart(one, other), !visit(one, other) { return false }
      }
    }
    return true
  }

  private func areApart(_ one: Int, _ other: Int) -> Bool {
    guard !texts[one].isEmpty, !texts[other].isEmpty else { return false }
    return texts[one].contains { aspect, text in texts[other][aspect].map { $0 != text } ?? false }
  }

  /// Returns the aspect that excludes the most pairs, if that exceeds the cost of dividing the group; `nil` otherwise.
  private func best(_ group: Group) -> Aspect? {
    guard group.pairs > 4 * group.size else { return nil }
    let (first, second) = (count(group.first), group.second.map { count($0) })
    var best: (aspect: Aspect, saved: Int)?
    for (aspect, own) in first {
      guard let others = second.map({ $0[aspect] }) ?? own else { continue }
      let all = own.values.reduce(0, +) * others.values.reduce(0, +)
      let saved = all - own.reduce(0) { $0 + $1.value * others[$1.key, default: 0] }
      if saved > max(best?.saved ?? 0, 4 * group.size) { best = (aspect, saved) }
    }
    return best?.aspect
  }

  /// Returns the number of variants that require each text, by aspect.
  private func count(_ shapes: [Int]) -> [Aspect: [Text: Int]] {
    var counts: [Aspect: [Text: Int]] = [:]
    for shape in shapes {
      for (aspect, text) in texts[shape] { counts[aspect, default: [:]][text, default: 0] += 1 }
    }
    return counts
  }

  /// Returns one group for each required text, and one that pairs each variant without a required text with all variants.
  private func divided(_ group: Group, by aspect: Aspect) -> [Group] {
    let own = Dictionary(grouping: group.first) { texts[$0][aspect] }
    let free = own[nil] ?? []
    let asking = group.first.filter { texts[$0][aspect] != nil }
    guard let second = group.second else {
      return own.filter { $0.key != nil }.map { .within($0.value) } + [.within(free), .between(asking, free)]
    }
    let others = Dictionary(grouping: second) { texts[$0][aspect] }
    let same = own.compactMap { text, shapes in
      text == nil ? nil : others[text].map { Group.between(shapes, $0) }
    }
    return same + [.between(asking, others[nil] ?? []), .between(free, second)]
  }
}

extension CandidatePairs.Group {
  fileprivate var first: [Int] {
    switch self {
    case .within(let shapes), .between(let shapes, _): shapes
    }
  }

  fileprivate var second: [Int]? { if case .between(_, let second) = self { second } else { nil } }

  fileprivate var size: Int { first.count + (second?.count ?? 0) }

  /// The number of pairs.
  fileprivate var pairs: Int { first.count * (second?.count ?? (first.count - 1)) / (second == nil ? 2 : 1) }

  /// Returns the variants that are paired with the one at an index of the first array.
  fileprivate func others(after place: Int) -> ArraySlice<Int> {
    second.map { $0[...] } ?? first[(place + 1)...]
  }
}
