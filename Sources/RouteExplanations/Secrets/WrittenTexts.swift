// SPDX-License-Identifier: Apache-2.0
import RouteTables

extension PatternVariant {
  /// Removes from `texts` the literals, choices and query keys of the variant.
  ///
  /// A literal beside a capture in one part is not removed.
  func removeWrittenTexts(of pattern: RoutePattern, from texts: inout Set<[UInt8]>) {
    guard !texts.isEmpty else { return }
    let parts =
      labels + segments + pattern.query.compactMap(\.value) + [user, pattern.fragment].compactMap(\.self)
    for part in parts where part.pieces.count == 1 {
      switch part.pieces[0] {
      case .literal(let text): texts.remove(text)
      case .choice(let alternatives): texts.subtract(alternatives.joined())
      case .capture, .anything, .host: continue
      }
    }
    texts.subtract(pattern.query.map(\.key))
  }
}

extension DecodedURL {
  /// The texts of all components of the URL.
  var texts: Set<[UInt8]> { Set((pieces + joinedSegments).map(\.text)) }

  /// The components into which the URL is split.
  private var pieces: [Piece] {
    labels + [user, fragment].compactMap(\.self) + segments
      + (items + literalItems).flatMap { [$0.key, $0.value] }
  }

  /// Returns the ranges after the scheme that contain one of `texts`, or that belong to no component and are no delimiter.
  func runs(of texts: Set<[UInt8]>) -> [Range<Int>] {
    let bytes = Array(url.utf8)
    let cuts = Set("/?#&=@:.".utf8)
    // A segment that `..` removes belongs to no component; all other such bytes are delimiters or the port.
    var isShown = bytes.map { cuts.contains($0) }
    for position in port { isShown[position] = true }
    for piece in pieces {
      for position in piece.range { isShown[position] = false }
    }
    for piece in pieces + joinedSegments where !texts.contains(piece.text) {
      for position in piece.range { isShown[position] = true }
    }
    let start = parts.scheme.map { Int($0.end) + 1 } ?? 0
    var runs: [Range<Int>] = []
    for position in start..<max(start, bytes.count) where !isShown[position] {
      let isNext = runs.last?.upperBound == position
      let run = (isNext ? runs.popLast()?.lowerBound : nil) ?? position
      runs.append(run..<position + 1)
    }
    return runs
  }

  /// The range of the port, with its colon; empty if there is none.
  private var port: Range<Int> {
    let bytes = url.utf8.span
    guard let host, host.upperBound < bytes.count else { return 0..<0 }
    // The host may have a trailing dot, which its range does not include.
    var start = host.upperBound
    while start < bytes.count, bytes[start] == UInt8(ascii: ".") { start += 1 }
    guard start < bytes.count, bytes[start] == UInt8(ascii: ":") else { return 0..<0 }
    var end = start + 1
    while end < bytes.count, bytes[end].isASCIIDigit { end += 1 }
    return start..<end
  }
}
