// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// A prefilter that compares only literal texts, because a full comparison with every variant of a large table is slow.
extension PatternVariant {
  /// Returns a lower bound of the number of mismatches before the path, not counting the scheme.
  func misfitsInFront(of reading: DecodedURL) -> Int {
    // A bare path can differ before the path only in the scheme.
    guard scheme != nil, reading.scheme != nil else { return 0 }
    guard opening.fits(reading) else { return 1 }
    guard opening == .host else { return 0 }
    var mismatches = 0
    for (part, label) in zip(labels.reversed(), reading.labels.reversed()) {
      if let literal = part.literal, literal != label.text { mismatches += 1 }
    }
    return mismatches
  }

  /// Returns whether the segments before the first capture may match.
  func mayTakePath(of reading: DecodedURL) -> Bool {
    for (part, segment) in zip(segments, reading.segments(under: opening)) {
      guard part.wholeCapture == nil else { break }
      // Compare without case, because the pattern may ignore it.
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
  /// Returns whether a URL continues after its scheme in the form of this opening.
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
