// SPDX-License-Identifier: Apache-2.0
extension TextExpression {
  /// Returns whether the expression matches a part of a text, as `RegExp.test` and `Regex::is_match` do.
  ///
  /// This evaluator tries the text position by position. It shares the parser, and nothing else, with the conversion to patterns,
  /// whose result it checks. `nil` if the search takes too many steps, or needs too much of the stack.
  func occurs(in text: String) -> Bool? {
    let search = TextSearch(Array(text.unicodeScalars))
    for start in 0...search.text.count {
      if search.match(self, at: start, then: { _ in true }) { return true }
    }
    return search.isExhausted ? nil : false
  }
}

/// A search for an expression by backtracking.
private final class TextSearch {
  private static let maximumSteps = 200_000
  /// Each matched character of a repetition needs a level of the stack.
  private static let maximumDepth = 3_000

  let text: [Unicode.Scalar]
  private var steps = 0
  private var depth = 0

  init(_ text: [Unicode.Scalar]) { self.text = text }

  var isExhausted: Bool { steps > Self.maximumSteps }

  func match(_ expression: TextExpression, at index: Int, then: (Int) -> Bool) -> Bool {
    (steps, depth) = (steps + 1, depth + 1)
    defer { depth -= 1 }
    if depth > Self.maximumDepth { steps = Self.maximumSteps + 1 }
    guard !isExhausted else { return false }
    switch expression {
    case .set(let set): return index < text.count && set.contains(text[index]) && then(index + 1)
    case .start: return index == 0 && then(index)
    case .end: return index == text.count && then(index)
    case .choice(let parts): return parts.contains { match($0, at: index, then: then) }
    case .sequence(let parts): return match(parts[...], at: index, then: then)
    case .repetition(let part, let min, let max):
      return repetition(of: part, min: min, max: max, at: index, then: then)
    }
  }

  private func match(_ parts: ArraySlice<TextExpression>, at index: Int, then: (Int) -> Bool) -> Bool {
    guard let first = parts.first else { return then(index) }
    return match(first, at: index) { match(parts.dropFirst(), at: $0, then: then) }
  }

  private func repetition(
    of part: TextExpression, min: Int, max: Int?, at index: Int, then: (Int) -> Bool
  ) -> Bool {
    if max != 0,
      match(
        part, at: index,
        then: { next in
          // A repetition that consumes nothing would never end.
          (next > index || min > 0)
            && repetition(of: part, min: Swift.max(0, min - 1), max: max.map { $0 - 1 }, at: next, then: then)
        })
    {
      return true
    }
    return min == 0 && then(index)
  }
}
