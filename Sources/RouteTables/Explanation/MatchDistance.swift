/// How near a route is that nearly matches, by what its places are like that do not fit.
enum MatchDistance: Int, Comparable {
  /// One edit mends it.
  case suggestion
  /// What stands there is of another type, or the query, the fragment or the request lacks something.
  case near
  /// Another text stands there, and looks alike; a slash at the end.
  case alike
  /// Another text stands there, or there is a place too many or too few.
  case other

  static func < (first: MatchDistance, second: MatchDistance) -> Bool { first.rawValue < second.rawValue }
}

extension PatternComparison {
  /// How near the URL is, as far as nothing is mended: as its worst place.
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
      let own = Normalization.path.decode(URLSlice(range), of: reading.url.utf8.span)
      let texts = pattern.texts(of: part)
      if texts.isEmpty { return pattern.resembles(own, part) ? .near : .other }
      return texts.contains { EditDistance.looksAlike(own, $0) } ? .alike : .other
    }
  }
}

extension RoutePattern {
  /// Whether a text that a part does not take has something of it: a capture may be of another type, what stands beside one
  /// is there at one end.
  fileprivate func resembles(_ text: [UInt8], _ part: PatternPart) -> Bool {
    var ends: [Bool] = []
    if case .literal(let first)? = part.pieces.first { ends.append(text.starts(with: first)) }
    if case .literal(let last)? = part.pieces.last {
      ends.append(text.reversed().starts(with: last.reversed()))
    }
    return !part.captures.isEmpty && (ends.isEmpty || ends.contains(true))
  }
}
