// SPDX-License-Identifier: Apache-2.0
/// The literals at both ends of a part, such as `pre{x}post`.
struct Affixes: Sendable {
  let first: [UInt8]
  let last: [UInt8]
  /// Indicates whether any text that is not empty may be between the affixes, so that they decide the match.
  let decide: Bool
}

extension RoutePattern {
  /// Returns the affixes of a part; `nil` if there are none, or if the part is compared without case.
  func affixes(of part: PatternPart, in component: PatternComponent) -> Affixes? {
    guard component != .path || !options.ignoresCase else { return nil }
    var pieces = part.pieces[...]
    var (first, last) = ([UInt8](), [UInt8]())
    if case .literal(let bytes)? = pieces.first {
      first = bytes
      pieces.removeFirst()
    }
    if case .literal(let bytes)? = pieces.last {
      last = bytes
      pieces.removeLast()
    }
    guard !first.isEmpty || !last.isEmpty else { return nil }
    var decide = false
    if pieces.count == 1, case .capture(let number)? = pieces.first {
      decide = captures[number].type.language == RouteType.string.language
    }
    return Affixes(first: first, last: last, decide: decide)
  }
}
