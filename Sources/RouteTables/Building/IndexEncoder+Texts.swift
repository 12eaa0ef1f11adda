// SPDX-License-Identifier: Apache-2.0
extension IndexEncoder {
  /// Encodes, for each scheme that permits it, a table of complete authorities with the nodes of their paths.
  ///
  /// A scheme permits it if all its patterns have a literal authority.
  mutating func layOutAuthorities() {
    for (scheme, text) in zip(tree.nodes[0].afterTexts, tree.nodes[0].texts) {
      // Schemes in which `+` is a literal use the general lookup.
      guard let opening = tree.nodes[scheme].after(mark: EdgeMark.opening(.host)),
        !SchemeKeys.isLiteral(SegmentKeyReader.key(text)), let authorities = authorities(from: opening)
      else { continue }
      let table = append()
      layOutTexts(authorities.map(\.text), authorities.map(\.node), of: table)
      nodes[scheme].special = UInt32(truncatingIfNeeded: table)
    }
  }

  /// Returns the authorities below a node and the nodes where their paths begin; `nil` if one of them is not literal.
  private func authorities(from opening: Int) -> [(text: [UInt8], node: Int)]? {
    var found: [(text: [UInt8], node: Int)] = []
    var stack: [(node: Int, host: [UInt8]?)] = [(opening, nil)]
    while let (number, host) = stack.popLast() {
      let node = tree.nodes[number]
      guard node.branches.isEmpty else { return nil }
      for port in node.end.map({ tree.nodes[$0].marks }) ?? [] {
        guard port.mark < EdgeMark.anyPort else { return nil }
        let text = port.mark > 0 ? Array(":\(port.mark - 1)".utf8) : []
        found.append(((host ?? []) + text, port.node))
      }
      for (label, next) in zip(node.texts, node.afterTexts) {
        stack.append((next, host.map { label + [UInt8(ascii: ".")] + $0 } ?? label))
      }
    }
    return found.isEmpty ? nil : found
  }

  /// The number of edges above which a table is large, so that its size matters more than a second probe.
  private static let many = 64

  /// Encodes a node's edges as a hash table with linear probing.
  ///
  /// At most a quarter of the slots is used, except in a table with a single edge; in a large table at most half of them.
  mutating func layOutTexts(
    _ texts: [[UInt8]], _ nodes: [Int], marks: [(mark: UInt32, node: Int)] = [], of number: Int
  ) {
    let count = texts.count + marks.count
    guard count > 0 else { return }
    var size = 1
    let slotsPerEdge = count > Self.many ? 2 : 4
    while count > 1, size < count * slotsPerEdge { size *= 2 }
    let start = edges.count
    edges.append(contentsOf: repeatElement(MatchEdge(), count: size))
    for place in texts.indices { put(edge(texts[place], to: nodes[place]), from: start, size) }
    for (mark, node) in marks {
      put(
        MatchEdge(key: SegmentKey(low: UInt64(mark)), node: UInt32(truncatingIfNeeded: node)), from: start,
        size)
    }
    // The last slot must be free, because the search for a missing key ends at a free slot.
    if edges[edges.count - 1].node != 0 { edges.append(MatchEdge()) }
    self.nodes[number].texts = UInt32(truncatingIfNeeded: start)
    self.nodes[number].mask = UInt32(truncatingIfNeeded: size - 1)
    places[number] = UInt32(truncatingIfNeeded: edges.count - start)
  }

  private mutating func put(_ edge: MatchEdge, from start: Int, _ size: Int) {
    var place = start + RouteIndexView.place(of: edge.key, size - 1)
    while place < edges.count, edges[place].node != 0 { place += 1 }
    if place == edges.count { edges.append(edge) } else { edges[place] = edge }
  }

  private mutating func edge(_ text: [UInt8], to node: Int) -> MatchEdge {
    let isShort = text.count <= SegmentKey.longest
    return MatchEdge(
      key: SegmentKeyReader.key(text), node: UInt32(truncatingIfNeeded: node), text: isShort ? 0 : add(text))
  }

  /// Adds a text to the pool after its length, and returns the offset of the length.
  mutating func add(_ bytes: [UInt8]) -> UInt32 {
    let start = UInt32(truncatingIfNeeded: pool.count)
    add(count: bytes.count)
    pool += bytes
    return start
  }

  mutating func add(count: Int) {
    for shift in stride(from: 0, to: 32, by: 8) { pool.append(UInt8(truncatingIfNeeded: count >> shift)) }
  }
}
