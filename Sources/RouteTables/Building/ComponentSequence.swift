/// The labels of a host, or the segments of a path, as a small automaton over texts.
struct ComponentSequence: Hashable {
  struct Item: Hashable {
    let place: ComponentMatcher
    /// Whether it takes one or more.
    let repeats: Bool
  }

  private(set) var items: [Item] = []
  /// Whether the first item may be left out.
  private var mayBeginLater: Bool

  /// Of single places.
  init(_ places: [ComponentMatcher]) {
    mayBeginLater = false
    items = places.map { Item(place: $0, repeats: false) }
  }

  /// The path of a shape.
  init(pathOf shape: PatternVariant, _ pattern: RoutePattern, _ languages: inout LanguageInterner) {
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
  init(hostOf shape: PatternVariant, _ pattern: RoutePattern, _ languages: inout LanguageInterner) {
    mayBeginLater = shape.hostRest?.mayBeEmpty == true
    if let rest = shape.hostRest {
      let type = rest.capture.map { languages.hostLabel(of: pattern.captures[$0]) }
      // `*` alone is any host, one of empty labels, too.
      let any = rest.mayBeEmpty ? LanguageInterner.anything : LanguageInterner.anyText
      items.append(Item(place: .language(type ?? any), repeats: true))
    }
    for part in shape.labels {
      items.append(Item(place: languages.place(part, of: pattern, in: .host), repeats: false))
    }
  }

  /// The same, with nothing left out.
  var complete: ComponentSequence {
    var sequence = self
    sequence.mayBeginLater = false
    return sequence
  }

  /// The same behind one place more.
  func after(_ place: ComponentMatcher) -> ComponentSequence {
    var sequence = ComponentSequence([place])
    sequence.items += items
    return sequence
  }

  /// A way on by one text.
  struct Way {
    let place: ComponentMatcher
    let targets: [Int]
  }

  // A state is twice the number of items that are done, and one more inside an item that repeats.

  /// The states in which it is at once with this one.
  func closure(_ state: Int) -> [Int] {
    if state & 1 == 1 { return [state] + closure(state + 1) }
    return state == 0 && mayBeginLater ? [0, 2] : [state]
  }

  func isEnd(_ state: Int) -> Bool { state == 2 * items.count }

  /// Whether it takes these texts.
  func takes(_ texts: [[UInt8]], _ languages: LanguageInterner) -> Bool {
    guard mayBeginLater || items.contains(where: \.repeats) else {
      return items.count == texts.count && zip(items, texts).allSatisfy { languages.takes($0.place, $1) }
    }
    var states = Set(closure(0))
    for text in texts {
      states = Set(
        states.flatMap { state in
          way(from: state).map { languages.takes($0.place, text) ? $0.targets : [] } ?? []
        })
    }
    return states.contains { isEnd($0) }
  }

  func way(from state: Int) -> Way? {
    let number = state / 2
    guard number < items.count else { return nil }
    let item = items[number]
    if state & 1 == 1 { return Way(place: item.place, targets: closure(state)) }
    return Way(place: item.place, targets: closure(item.repeats ? state + 1 : state + 2))
  }
}
