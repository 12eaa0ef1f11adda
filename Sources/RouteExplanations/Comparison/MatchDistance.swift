// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// The distance of a near miss from a match, by its mismatches.
enum MatchDistance: Int, Comparable {
  /// One edit of the URL makes it match.
  case suggestion
  /// The text has another type, or the query, the fragment or a condition does not match.
  case near
  /// The text is similar to the expected text, or is missing in the list of a named type, or only a trailing slash differs.
  case alike
  /// The text is not similar to the expected text, or there are too few or too many components.
  case other

  static func < (first: MatchDistance, second: MatchDistance) -> Bool { first.rawValue < second.rawValue }
}

extension PatternComparison {
  /// The distance of the mismatch that is furthest from a match, without regard to suggestions.
  var nearness: MatchDistance { mismatches.map(nearness(of:)).max() ?? .near }

  private func nearness(of mismatch: Mismatch) -> MatchDistance {
    switch mismatch.place {
    case .query, .fragment, .request, .port, .user: return .near
    case .path where isOffByTrailingSlash: return .alike
    case .path, .host, .opening: return .other
    case .scheme:
      let (own, other) = (Array((reading.scheme ?? "").utf8), Array((form.scheme ?? "").utf8))
      return EditDistance.looksAlike(own, other) ? .alike : .other
    case .label, .segment, .lastSegment:
      guard let part = mismatch.part, let range = mismatch.range else { return .other }
      // A choice written in the pattern, such as `{kind:a|b}`, is as meaningful as a literal; a type that has a name is a condition.
      let isSegment = if case .label = mismatch.place { false } else { true }
      let own = Normalization.path.decode(URLSlice(range), of: reading.url.utf8.span)
      let texts = pattern.texts(of: part)
      if texts.isEmpty { return pattern.resembles(own, part) ? .near : .other }
      if texts.contains(where: { EditDistance.looksAlike(own, $0) }) { return .alike }
      return isSegment && part.wholeCapture.map { pattern.captures[$0].type.isNamed } == true
        ? .alike : .other
    }
  }
}

extension RoutePattern {
  /// Returns whether a text that a part does not match resembles it.
  ///
  /// A part resembles the text if it has a capture, and the text begins or ends with a literal of the part, or the part has
  /// no literal at its ends.
  fileprivate func resembles(_ text: [UInt8], _ part: PatternPart) -> Bool {
    var ends: [Bool] = []
    if case .literal(let first)? = part.pieces.first { ends.append(text.starts(with: first)) }
    if case .literal(let last)? = part.pieces.last {
      ends.append(text.reversed().starts(with: last.reversed()))
    }
    return !part.captures.isEmpty && (ends.isEmpty || ends.contains(true))
  }
}
