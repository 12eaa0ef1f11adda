/// What a glance tells of a URL and a shape, by the texts alone that are written out: of many shapes few are worth a comparison.
extension PatternVariant {
  /// How many places between the scheme and the path certainly do not fit; there may be more.
  func misfitsInFront(of reading: DecodedURL) -> Int {
    // Whatever a bare path misses, it is the scheme alone.
    guard scheme != nil, reading.scheme != nil else { return 0 }
    guard opening.fits(reading) else { return 1 }
    guard opening == .host else { return 0 }
    var mismatches = 0
    for (part, label) in zip(labels.reversed(), reading.labels.reversed()) {
      if let literal = part.literal, literal != label.text { mismatches += 1 }
    }
    return mismatches
  }

  /// Whether the segments may fit, up to the first that a capture takes, which may be a rest.
  func mayTakePath(of reading: DecodedURL) -> Bool {
    for (part, segment) in zip(segments, reading.segments(under: opening)) {
      guard part.wholeCapture == nil else { break }
      // Capitals may count as small letters.
      if let literal = part.literal,
        !literal.elementsEqual(segment.text, by: { $0.foldedASCII == $1.foldedASCII })
      {
        return false
      }
    }
    return true
  }
}

extension PatternVariant.Opening {
  /// Whether it is how a URL goes on behind its scheme.
  func fits(_ reading: DecodedURL) -> Bool {
    let isHost = reading.parts.authority != nil
    return switch self {
    case .host: isHost
    case .rootedPath: !isHost && reading.parts.isRooted
    case .rootlessPath: !isHost && !reading.parts.isRooted
    case .joinedPath: true
    }
  }
}
