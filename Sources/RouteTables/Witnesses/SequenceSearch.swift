// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// A search for host labels or segments that the included sequences match, and as few others as possible.
struct SequenceSearch {
  /// The constraint on the texts that follows from the parsing of URLs.
  enum Rule {
    /// Host labels; in a special scheme, the last label must not be a number.
    case host(isInternet: Bool)
    /// Segments of a rooted path, in which dot segments are resolved.
    case rooted
    /// Segments of the normal form of a local path, which is decoded: only the root has an empty segment.
    case localFile
    /// Segments of a path without a leading slash.
    case rootless(hasDots: Bool)
  }

  struct Finding {
    let texts: [[UInt8]]
    /// The numbers of the rivals that also match the texts.
    let survivors: [Int]
  }

  private struct State: Hashable {
    let included: [Int]
    let rivals: [[Int]]
  }

  private struct Step {
    let state: State
    let from: Int
    let text: [UInt8]
  }

  private let included: [ComponentSequence]
  private let rivals: [(number: Int, sequence: ComponentSequence)]
  private let rule: Rule
  private var trail: [Step] = []
  private var seen: Set<State> = []
  private var findings: [Finding] = []

  init(_ included: [ComponentSequence], rivals: [(number: Int, sequence: ComponentSequence)], _ rule: Rule) {
    self.included = included
    self.rivals = rivals
    self.rule = rule
  }

  /// Returns the findings with minimal sets of rivals; `nil` if the budget is spent or an automaton is too large.
  mutating func run(_ languages: inout LanguageInterner, _ budget: inout Int) -> [Finding]? {
    let others = rivals.map { Set($0.sequence.closure(0)).sorted() }
    for start in Self.product(included.map { $0.closure(0) }) {
      add(Step(state: State(included: start, rivals: others), from: -1, text: []))
    }
    var index = 0
    while index < trail.count {
      budget -= 1
      guard budget > 0 else { return nil }
      if isEnd(trail[index].state.included) {
        note(index)
        if findings.contains(where: \.survivors.isEmpty) { break }
      }
      guard advance(from: index, &languages, &budget) else { return nil }
      index += 1
    }
    return findings
  }

  private func isEnd(_ states: [Int]) -> Bool { zip(included, states).allSatisfy { $0.isEnd($1) } }

  private mutating func add(_ step: Step) {
    if seen.insert(step.state).inserted { trail.append(step) }
  }

  private mutating func note(_ index: Int) {
    let state = trail[index].state
    let survivors = rivals.indices.filter { number in
      state.rivals[number].contains { rivals[number].sequence.isEnd($0) }
    }.map { rivals[$0].number }
    let set = Set(survivors)
    guard !findings.contains(where: { set.isSuperset(of: $0.survivors) }) else { return }
    findings.removeAll { set.isSubset(of: $0.survivors) }
    var texts: [[UInt8]] = []
    var place = index
    while trail[place].from >= 0 {
      texts.append(trail[place].text)
      place = trail[place].from
    }
    findings.append(Finding(texts: texts.reversed(), survivors: survivors))
  }

  /// Extends a step by one text in all possible ways; returns `false` if an automaton is too large.
  private mutating func advance(
    from index: Int, _ languages: inout LanguageInterner, _ budget: inout Int
  ) -> Bool {
    let state = trail[index].state
    var ways: [ComponentSequence.Way] = []
    for (sequence, own) in zip(included, state.included) {
      guard let way = sequence.way(from: own) else { return true }
      ways.append(way)
    }
    let otherWays = zip(rivals, state.rivals).map { rival, states in
      states.compactMap { rival.sequence.way(from: $0) }
    }
    let places = Array(Set(otherWays.flatMap { $0.map(\.place) }))
    let numbers = Dictionary(uniqueKeysWithValues: zip(places, places.indices))
    for target in Self.product(ways.map(\.targets)) {
      let limit = limit(isFirst: trail[index].from < 0, isLast: isEnd(target), &languages)
      guard
        let cells = languages.cells(
          of: ways.map(\.place), within: limit, avoiding: places, isWordy: isHost, &budget)
      else { return false }
      for cell in cells {
        let members = Set(cell.members)
        let next = otherWays.map { ways in
          Set(ways.filter { numbers[$0.place].map(members.contains) ?? false }.flatMap(\.targets)).sorted()
        }
        add(Step(state: State(included: target, rivals: next), from: index, text: cell.text))
      }
    }
    return true
  }

  private var isHost: Bool { if case .host = rule { true } else { false } }

  /// Returns the language to which a text must also belong; `nil` if there is no constraint.
  private func limit(isFirst: Bool, isLast: Bool, _ languages: inout LanguageInterner) -> LanguageInterner
    .Number?
  {
    switch rule {
    // The parser ignores a trailing dot, so the last label must not be empty.
    case .host(let isInternet) where isLast && isFirst:
      languages.intern(isInternet ? .onlyLastLabel : .onlyLabel)
    case .host(let isInternet) where isLast: languages.intern(isInternet ? .lastLabel : .someLabel)
    case .host: languages.intern(.hostLabel)
    case .rooted: languages.intern(.noDots)
    case .localFile: languages.intern(isFirst && isLast ? .fileNameOrRoot : .fileName)
    // An empty first segment would be a leading slash.
    case .rootless(let hasDots) where isFirst && !isLast:
      hasDots ? LanguageInterner.anyText : languages.intern(.someNoDots)
    case .rootless(let hasDots): hasDots ? nil : languages.intern(.noDots)
    }
  }

  /// Returns the Cartesian product: all choices of one element of each array.
  private static func product(_ choices: [[Int]]) -> [[Int]] {
    choices.reduce([[]]) { chosen, ways in chosen.flatMap { one in ways.map { one + [$0] } } }
  }
}

extension RegularLanguage {
  /// The labels that are not empty.
  static let someLabel = hostLabel.withoutEmptyText
  /// The labels that do not make a host an address.
  ///
  /// WHATWG URL, section 3.5, "ends in a number".
  fileprivate static let lastLabel =
    (try? someLabel.subtracting(RegularLanguage(builtIn: "[0-9]+|0x[0-9a-f]*"))) ?? someLabel
  /// The hosts of one label, which include IP addresses.
  fileprivate static let onlyLabel = (try? someLabel.union(addressLabel)) ?? someLabel
  fileprivate static let onlyLastLabel = (try? lastLabel.union(addressLabel)) ?? lastLabel
  /// The segments that are not dot segments.
  fileprivate static let noDots = (try? RouteType.string.language.subtracting(dots)) ?? .none
  fileprivate static let someNoDots = noDots.withoutEmptyText
  /// The segments of a path that has been decoded, and the one empty segment of the root.
  fileprivate static let fileNameOrRoot =
    (try? noDots.subtracting(RegularLanguage(builtIn: ".*/.*"))) ?? .none
  fileprivate static let fileName = fileNameOrRoot.withoutEmptyText
  private static let dots = RegularLanguage(builtIn: #"\.\.?"#)
}
