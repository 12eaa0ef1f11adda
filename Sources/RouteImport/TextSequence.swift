// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// One alternative of an expression, without nested alternatives where the expression allows it, and anchored at both ends.
struct TextSequence: Hashable, Sendable {
  /// An element of a sequence.
  enum Item: Hashable, Sendable {
    case set(ScalarSet)
    case repeated(TextExpression, min: Int, max: Int?)
    case start
    case end

    /// The character that the item is, in lower case if it ignores case.
    var character: Unicode.Scalar? { if case .set(let set) = self { set.character } else { nil } }

    /// Indicates whether the item matches any text.
    var isAnyText: Bool { self == .repeated(.set(.all), min: 0, max: nil) }

    var expression: TextExpression {
      switch self {
      case .set(let set): .set(set)
      case .repeated(let part, let min, let max): .repetition(part, min: min, max: max)
      case .start: .start
      case .end: .end
      }
    }
  }

  private static let maximumCount = 256

  let items: [Item]

  /// The language of the complete texts.
  var expression: RegularExpression { .sequence(items.map(\.expression.expression)) }

  /// Returns the alternatives of an expression that is searched for in a text.
  static func alternatives(of expression: TextExpression) throws(ImportError) -> [TextSequence] {
    var sequences: [TextSequence] = []
    for items in try flattened(expression) {
      let sequence = TextSequence(items: try anchored(items))
      if !sequences.contains(sequence) { sequences.append(sequence) }
    }
    return sequences
  }

  private static func flattened(_ expression: TextExpression) throws(ImportError) -> [[Item]] {
    switch expression {
    case .set(let set): return [[.set(set)]]
    case .start: return [[.start]]
    case .end: return [[.end]]
    case .choice(let parts):
      var all: [[Item]] = []
      for part in parts { all += try flattened(part) }
      return try limited(all)
    case .sequence(let parts):
      var all: [[Item]] = [[]]
      for part in parts {
        let next = try flattened(part)
        all = try limited(all.flatMap { items in next.map { items + $0 } })
      }
      return all
    case .repetition(let part, 0, 1): return try limited([[]] + flattened(part))
    case .repetition(.set(let set), let min, let max) where min == max && min <= 8:
      return [Array(repeating: .set(set), count: min)]
    case .repetition(let part, 1, 1): return try flattened(part)
    case .repetition(let part, let min, let max):
      guard !part.hasAnchor else { throw .unsupported("an anchor is repeated") }
      return [[.repeated(part, min: min, max: max)]]
    }
  }

  private static func limited(_ all: [[Item]]) throws(ImportError) -> [[Item]] {
    guard all.count <= maximumCount else { throw .unsupported("the expression has too many alternatives") }
    return all
  }

  /// Returns the items without anchors, with any text where an anchor is missing.
  private static func anchored(_ items: [Item]) throws(ImportError) -> [Item] {
    var middle = items[...]
    let any = Item.repeated(.set(.all), min: 0, max: nil)
    let isAtStart = middle.first == .start
    let isAtEnd = middle.last == .end
    middle = middle.drop { $0 == .start }
    while middle.last == .end { middle.removeLast() }
    guard !middle.contains(.start), !middle.contains(.end) else {
      throw .unsupported("`^` or `$` stands inside the expression")
    }
    var anchored: [Item] = []
    for item in (isAtStart ? [] : [any]) + middle + (isAtEnd ? [] : [any])
    where !(item == any && anchored.last == any) {
      anchored.append(item)
    }
    return anchored
  }
}
