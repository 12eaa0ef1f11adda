// SPDX-License-Identifier: Apache-2.0
/// A variant of a pattern by the definition, in which every optional part is present or absent.
struct NaiveShape: Sendable {
  let pattern: NaivePattern
  /// The labels of the host, from the left.
  let labels: [NaivePattern.ComponentMatcher]
  /// The minimum number of labels for `*` and `*.`.
  let leastLabels: Int?
  let segments: [NaivePattern.ComponentMatcher]

  static func all(of pattern: NaivePattern) -> [NaiveShape] {
    split(pattern.labels, ".").flatMap { withoutOptional($0) }.flatMap { labels in
      paths(of: pattern).map { segments in
        NaiveShape(
          pattern: pattern, labels: labels, leastLabels: ["*": 0, "*.": 1][pattern.lead], segments: segments)
      }
    }
  }

  private static func paths(of pattern: NaivePattern) -> [[NaivePattern.ComponentMatcher]] {
    split(pattern.segments, "/").flatMap { optionals($0) }.flatMap { withoutOptional($0) }.flatMap {
      path -> [[NaivePattern.ComponentMatcher]] in
      // A path has at least one segment, which may be empty, so that a catch-all in its place is never absent.
      if path.isEmpty, case .rest(_, let type, true)? = pattern.segments.first, type.matches("") { return [] }
      let path = path.isEmpty ? [.one([])] : path
      guard pattern.ignoresSlash, !(path.count == 1 && isEmpty(path[0])) else { return [path] }
      let bare = path.last.map(isEmpty) == true ? Array(path.dropLast()) : path
      return bare.isEmpty ? [path] : [bare, bare + [.one([])]]
    }
  }

  private static func isEmpty(_ place: NaivePattern.ComponentMatcher) -> Bool {
    if case .one(let pieces) = place {
      pieces.allSatisfy { if case .text(let text) = $0 { text.isEmpty } else { false } }
    } else {
      false
    }
  }

  /// Returns all expansions of choices that contain a separator.
  private static func split(_ places: [NaivePattern.ComponentMatcher], _ separator: String) -> [[NaivePattern
    .ComponentMatcher]]
  {
    var results: [[NaivePattern.ComponentMatcher]] = [[]]
    for place in places {
      guard case .one(let pieces) = place else {
        results = results.map { $0 + [place] }
        continue
      }
      var variants: [[[NaivePattern.Piece]]] = [[[]]]
      for piece in pieces {
        guard case .choice(let texts) = piece, texts.contains(where: { $0.contains(separator) }) else {
          variants = variants.map { Array($0.dropLast()) + [($0.last ?? []) + [piece]] }
          continue
        }
        variants = variants.flatMap { variant in
          texts.map { text in
            let parts = text.split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
            let first = (variant.last ?? []) + [.text(parts[0])]
            return Array(variant.dropLast()) + [first] + parts.dropFirst().map { [.text($0)] }
          }
        }
      }
      results = results.flatMap { result in variants.map { result + $0.map { .one($0) } } }
    }
    return results
  }

  /// Returns all expansions of optional components at the end, from none to all.
  private static func optionals(_ places: [NaivePattern.ComponentMatcher]) -> [[NaivePattern
    .ComponentMatcher]]
  {
    let end = (places.lastIndex { !mayBeAbsent($0) }).map { $0 + 1 } ?? 0
    return (end...places.count).map { count in
      places[..<count].enumerated().map { index, place in
        guard index >= end else { return place }
        switch place {
        case .optional(let name, let type, _): return .one([.hole(name, type)])
        case .rest(let name, let type, _): return .rest(name, type, isOptional: false)
        case .one: return place
        }
      }
    }
  }

  private static func mayBeAbsent(_ place: NaivePattern.ComponentMatcher) -> Bool {
    switch place {
    case .one: false
    case .rest(_, _, let isOptional): isOptional
    case .optional: true
    }
  }

  private static func withoutOptional(_ places: [NaivePattern.ComponentMatcher]) -> [[NaivePattern
    .ComponentMatcher]]
  {
    var results: [[NaivePattern.ComponentMatcher]] = [[]]
    for place in places {
      guard case .rest(let name, let type, true) = place else {
        results = results.map { $0 + [place] }
        continue
      }
      results = results + results.map { $0 + [.rest(name, type, isOptional: false)] }
    }
    return results
  }
}
