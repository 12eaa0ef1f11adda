// SPDX-License-Identifier: Apache-2.0
/// A pool of the parts of patterns, by which equal parts of a table's patterns share their memory.
package struct PatternSharing: Sendable {
  /// The texts that are their own keys.
  private var texts: [SegmentKey: [UInt8]] = [:]
  /// The last pattern, because neighboring routes mostly have equal schemes, hosts, queries or captures.
  private var last: RoutePattern?

  /// Creates an empty pool.
  package init() {}

  /// Returns an equal pattern, in which parts of earlier patterns replace equal ones.
  package mutating func shared(_ pattern: consuming RoutePattern) -> RoutePattern {
    var pattern = pattern
    for place in pattern.segments.indices { share(&pattern.segments[place]) }
    if let last {
      if pattern.schemes == last.schemes { pattern.schemes = last.schemes }
      if pattern.query == last.query { pattern.query = last.query }
      if pattern.captures == last.captures { pattern.captures = last.captures }
    }
    if let known = last?.authority, known == pattern.authority {
      pattern.authority = known
    } else if var labels = pattern.authority?.labels {
      pattern.authority?.labels = []
      for place in labels.indices { share(&labels[place]) }
      pattern.authority?.labels = labels
    }
    last = pattern
    return pattern
  }

  private mutating func share(_ part: inout PatternPart) {
    guard let text = part.literal, !text.isEmpty, text.count <= SegmentKey.longest else { return }
    let key = SegmentKeyReader.key(text)
    if let known = texts[key] { part = .literal(known) } else { texts[key] = text }
  }
}
