// SPDX-License-Identifier: Apache-2.0
/// An automaton over texts that accepts the labels of a host or the segments of a path.
package struct ComponentSequence: Hashable {
  struct Item: Hashable {
    let place: ComponentMatcher
    /// Indicates whether the item accepts one or more texts instead of exactly one.
    let repeats: Bool
  }

  private(set) var items: [Item] = []
  /// Indicates whether the first item is optional.
  private var mayBeginLater: Bool

  /// Creates a sequence of items that each accept one text.
  init(_ places: [ComponentMatcher]) {
    mayBeginLater = false
    items = places.map { Item(place: $0, repeats: false) }
  }

  /// Creates the sequence of the path of a variant.
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

  /// Creates the sequence of the host of a variant, with the labels from the left.
  init(hostOf shape: PatternVariant, _ pattern: RoutePattern, _ languages: inout LanguageInterner) {
    mayBeginLater = shape.hostRest?.mayBeEmpty == true
    if let rest = shape.hostRest {
      let type = rest.capture.map { languages.hostLabel(of: pattern.captures[$0]) }
      // `*` alone matches every host, including hosts with empty labels.
      let any = rest.mayBeEmpty ? LanguageInterner.anything : LanguageInterner.anyText
      items.append(Item(place: .language(type ?? any), repeats: true))
    }
    for part in shape.labels {
      items.append(Item(place: languages.place(part, of: pattern, in: .host), repeats: false))
    }
  }

  /// The sequence of any labels, or none, as of `*`.
  static let anyHost = {
    var sequence = ComponentSequence([])
    sequence.items = [Item(place: .language(LanguageInterner.anything), repeats: true)]
    sequence.mayBeginLater = true
    return sequence
  }()

  /// A copy of the sequence in which no item is optional.
  var complete: ComponentSequence {
    var sequence = self
    sequence.mayBeginLater = false
    return sequence
  }

  /// Returns the sequence without the empty text in its repeating items.
  func withoutEmptyTexts(_ languages: inout LanguageInterner) -> ComponentSequence {
    var sequence = self
    sequence.items = items.map { item in
      guard item.repeats, case .language(let number) = item.place else { return item }
      return Item(place: .language(languages.withoutEmptyText(number)), repeats: true)
    }
    return sequence
  }

  /// Returns the sequence with one more item in front.
  func after(_ place: ComponentMatcher) -> ComponentSequence {
    var sequence = ComponentSequence([place])
    sequence.items += items
    return sequence
  }

  /// A transition over one text, with its target states.
  struct Way {
    let place: ComponentMatcher
    let targets: [Int]
  }

  // A state is twice the number of completed items, plus one inside a repeating item.

  /// Returns the states that are reachable from `state` without a text, including `state`.
  func closure(_ state: Int) -> [Int] {
    if state & 1 == 1 { return [state] + closure(state + 1) }
    return state == 0 && mayBeginLater ? [0, 2] : [state]
  }

  func isEnd(_ state: Int) -> Bool { state == 2 * items.count }

  /// Returns whether the sequence accepts `texts`.
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
