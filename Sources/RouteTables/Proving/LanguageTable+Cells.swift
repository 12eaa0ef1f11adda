/// Some of the texts that places take: one of them, and which of the others take it, too.
struct PlaceCell {
  let text: [UInt8]
  /// The indices of the others that take every text of the cell.
  let members: [Int]
}

extension LanguageTable {
  /// The ways to take a text of all of `included`, and of as few of `others` as can be; none if there is no such text, `nil` if
  /// that is too large to tell.
  ///
  /// `within` is a language that the text must be in besides; `isWordy` prefers a text that is not empty.
  mutating func cells(
    of included: [Place], within: Number? = nil, avoiding others: [Place], isWordy: Bool = false
  ) -> [PlaceCell]? {
    for case .literal(let text) in included {
      guard included.allSatisfy({ takes($0, text) }), within.map({ self[$0].contains(text) }) ?? true else {
        return []
      }
      return [PlaceCell(text: text, members: others.indices.filter { takes(others[$0], text) })]
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
    let samples = samples(of: base).filter { sample in within.map { self[$0].contains(sample) } ?? true }
    let free = samples.filter { sample in !open.contains { takes(others[$0], sample) } }
    if let text = free.first(where: { !isWordy || !$0.isEmpty }) ?? free.first {
      return [PlaceCell(text: text, members: members)]
    }
    guard let whole = within.map({ intersection([base, $0]) }) ?? base else { return nil }
    return divide(whole, members, open, others)
  }

  /// Divides a language by which of the others take its texts, and keeps the parts that the fewest take.
  private mutating func divide(
    _ whole: Number, _ members: [Int], _ open: [Int], _ others: [Place]
  ) -> [PlaceCell]? {
    guard !self[whole].isEmpty else { return [] }
    var parts = [(language: self[whole], members: members)]
    for index in open {
      let number = number(others[index])
      let other = self[number]
      var next: [(language: RouteLanguage, members: [Int])] = []
      for part in parts {
        guard let outside = try? part.language.subtracting(other),
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
      return PlaceCell(text: Array(text.utf8), members: parts[index].members.sorted())
    }
  }

  /// Whether a place takes a text.
  func takes(_ place: Place, _ text: [UInt8]) -> Bool {
    switch place {
    case .literal(let own): own == text
    case .folded(let own): own == text.map(\.foldedASCII)
    case .language(let number): self[number].contains(text)
    }
  }

  /// The number of the language of what a place takes.
  private mutating func number(_ place: Place) -> Number {
    switch place {
    case .language(let number): number
    case .folded(let text): intern(folded: text)
    case .literal(let text):
      intern((try? RouteLanguage(.literal(String(decoding: text, as: UTF8.self)))) ?? .none)
    }
  }

  /// The number of what all take; any text if there are none, `nil` if it is too large.
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
