/// The labels of a host, or the segments of a path, as a small automaton over texts.
struct PlaceSequence {
  struct Item {
    let place: Place
    /// Whether it takes one or more.
    let repeats: Bool
  }

  private var items: [Item] = []
  /// Whether the first item may be left out.
  private var mayBeginLater: Bool

  /// The path of a shape.
  init(pathOf shape: PatternShape, _ pattern: RoutePattern, _ languages: inout LanguageTable) {
    mayBeginLater = false
    for part in shape.segments {
      if pattern.isRest(part), let number = part.wholeCapture {
        let language = languages.type(of: pattern.captures[number], mayBeEmpty: true)
        items.append(Item(place: .language(language), repeats: true))
      } else {
        items.append(Item(place: languages.place(part, of: pattern, in: .path), repeats: false))
      }
    }
  }

  /// The host of a shape, from the left.
  init(hostOf shape: PatternShape, _ pattern: RoutePattern, _ languages: inout LanguageTable) {
    mayBeginLater = shape.hostRest?.mayBeEmpty == true
    if let rest = shape.hostRest {
      let type = rest.capture.map { languages.type(of: pattern.captures[$0], mayBeEmpty: false) }
      items.append(Item(place: .language(type ?? LanguageTable.anyText), repeats: true))
    }
    for part in shape.labels {
      items.append(Item(place: languages.place(part, of: pattern, in: .host), repeats: false))
    }
  }

  /// The same, with nothing left out.
  var complete: PlaceSequence {
    var sequence = self
    sequence.mayBeginLater = false
    return sequence
  }

  // A state is twice the number of items that are done, and one more inside an item that repeats.

  private func closure(_ state: Int) -> [Int] {
    if state & 1 == 1 { return [state] + closure(state + 1) }
    return state == 0 && mayBeginLater ? [0, 2] : [state]
  }

  private func isEnd(_ state: Int) -> Bool { state == 2 * items.count }

  private func ways(from state: Int) -> [(place: Place, targets: [Int])] {
    let number = state / 2
    guard number < items.count else { return [] }
    let item = items[number]
    if state & 1 == 1 { return [(item.place, closure(state))] }
    return [(item.place, closure(item.repeats ? state + 1 : state + 2))]
  }

  /// Texts that both take, as few as can be; `nil` if there are none.
  ///
  /// In a path without a slash in front, the first of several segments is not empty: it would be that slash.
  func common(
    with other: PlaceSequence, isRootless: Bool = false, _ languages: inout LanguageTable
  ) -> [[UInt8]]? {
    var trail: [(one: Int, other: Int, from: Int, text: [UInt8])] = []
    for one in closure(0) { for second in other.closure(0) { trail.append((one, second, -1, [])) } }
    var seen: Set<[Int]> = []
    var index = 0
    while index < trail.count {
      let step = trail[index]
      if isEnd(step.one), other.isEnd(step.other) {
        var texts: [[UInt8]] = []
        while trail[index].from >= 0 {
          texts.append(trail[index].text)
          index = trail[index].from
        }
        return texts.reversed()
      }
      for way in ways(from: step.one) {
        for otherWay in other.ways(from: step.other) {
          guard let text = languages.commonText(way.place, otherWay.place) else { continue }
          let isSlash = isRootless && step.from < 0 && text.isEmpty
          let longer = isSlash ? languages.commonText(way.place, otherWay.place, isEmpty: false) : text
          for target in way.targets {
            for otherTarget in otherWay.targets {
              let isLast = isEnd(target) && other.isEnd(otherTarget)
              guard let text = isLast ? text : longer, seen.insert([target, otherTarget]).inserted else {
                continue
              }
              trail.append((target, otherTarget, index, text))
            }
          }
        }
      }
      index += 1
    }
    return nil
  }

  /// Whether all that this takes, `other` takes, too; what is too large to tell is not.
  func isSubset(of other: PlaceSequence, _ languages: inout LanguageTable) -> Bool {
    var seen: Set<[Int]> = []
    let start = Set(other.closure(0)).sorted()
    var stack = closure(0).map { ($0, start) }
    while let (state, others) = stack.popLast() {
      guard seen.insert([state] + others).inserted, seen.count < 10_000 else {
        if seen.count >= 10_000 { return false }
        continue
      }
      if isEnd(state), !others.contains(where: { other.isEnd($0) }) { return false }
      for way in ways(from: state) {
        let otherWays = others.flatMap { other.ways(from: $0) }
        guard let parts = Self.parts(of: way.place, otherWays.map(\.place), &languages) else { return false }
        for members in parts {
          let next = Set(members.flatMap { otherWays[$0].targets }).sorted()
          for target in way.targets { stack.append((target, next)) }
        }
      }
    }
    return true
  }

  /// Which of `others` take a text of `place`, for every text there is; `nil` if that is too large to tell.
  private static func parts(
    of place: Place, _ others: [Place], _ languages: inout LanguageTable
  ) -> [[Int]]? {
    var members: [Int] = []
    var undecided: [Int] = []
    for (number, other) in others.enumerated() {
      switch languages.relation(place, other) {
      case .equal, .narrower: members.append(number)
      case .disjoint: break
      case .wider, .crossing: undecided.append(number)
      }
    }
    if undecided.isEmpty { return [members] }
    // Where a text is left over that none of the others takes, the rest does not matter.
    if members.isEmpty, takesRareText(place, languages),
      !undecided.contains(where: { takesRareText(others[$0], languages) })
    {
      return [[]]
    }
    guard let whole = language(place, &languages) else { return nil }
    var parts: [(language: RouteLanguage, members: [Int])] = [(whole, members)]
    for number in undecided {
      guard let language = language(others[number], &languages) else { return nil }
      var next: [(language: RouteLanguage, members: [Int])] = []
      for part in parts {
        guard let inside = try? part.language.intersection(language),
          let outside = try? part.language.subtracting(language)
        else { return nil }
        if !inside.isEmpty { next.append((inside, part.members + [number])) }
        if !outside.isEmpty { next.append((outside, part.members)) }
      }
      guard next.count <= 64 else { return nil }
      parts = next
    }
    return parts.map(\.members)
  }

  /// Whether the place takes a text that few types but the widest take.
  private static func takesRareText(_ place: Place, _ languages: LanguageTable) -> Bool {
    guard case .language(let number) = place else { return false }
    return languages[number].contains(Array("\u{10FFFD} \u{10FFFD}".utf8))
  }

  private static func language(_ place: Place, _ languages: inout LanguageTable) -> RouteLanguage? {
    switch place {
    case .language(let number): languages[number]
    case .folded(let bytes): try? RouteLanguage(.literal(String(decoding: bytes, as: UTF8.self), folds: true))
    case .literal(let bytes): try? RouteLanguage(.literal(String(decoding: bytes, as: UTF8.self)))
    }
  }
}
