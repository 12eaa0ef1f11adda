/// The literals at both ends of what stands side by side: `pre{x}post`.
struct Affixes: Sendable {
  let first: [UInt8]
  let last: [UInt8]
  /// Whether all that matters is that something stands between them.
  let decide: Bool
}

extension RoutePattern {
  /// What the texts of a part begin and end with; `nil` if that is nothing, or in any case of its letters.
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
