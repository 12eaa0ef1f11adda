extension IndexLayout {
  /// Writes a table of the whole hosts for each scheme that has no others.
  mutating func layOutHosts() {
    for (_, scheme) in tree.nodes[0].texts {
      guard let opening = tree.nodes[scheme].texts.first(where: { $0.label == IndexTree.Label(.host) })?.node
      else { continue }
      var hosts: [(IndexTree.Label, Int)] = []
      var stack: [(node: Int, host: [UInt8]?)] = [(opening, nil)]
      var areTexts = true
      while let (number, host) = stack.popLast() {
        let node = tree.nodes[number]
        areTexts = areTexts && node.branches.isEmpty
        if let end = node.end { hosts.append((.text(host ?? []), end)) }
        for case (.text(let label), let next) in node.texts {
          stack.append((next, host.map { label + [UInt8(ascii: ".")] + $0 } ?? label))
        }
      }
      guard areTexts, !hosts.isEmpty else { continue }
      let table = append()
      layOutTexts(hosts, of: table)
      nodes[scheme].special = UInt32(truncatingIfNeeded: table)
    }
  }

  /// Writes a node's table: a text stands at its place or after it, and at least every other place is free.
  mutating func layOutTexts(_ texts: [(IndexTree.Label, Int)], of number: Int) {
    guard !texts.isEmpty else { return }
    var size = 1
    while texts.count > 1, size < texts.count * 4 { size *= 2 }
    let start = edges.count
    edges.append(contentsOf: repeatElement(MatchEdge(), count: size))
    for (label, next) in texts {
      let edge = edge(label, UInt32(truncatingIfNeeded: next))
      var place = start + IndexView.place(of: edge.key, size - 1)
      while place < edges.count, edges[place].node != 0 { place += 1 }
      if place == edges.count { edges.append(edge) } else { edges[place] = edge }
    }
    // The search ends at a place that is free.
    if edges[edges.count - 1].node != 0 { edges.append(MatchEdge()) }
    nodes[number].texts = UInt32(truncatingIfNeeded: start)
    nodes[number].mask = UInt32(truncatingIfNeeded: size - 1)
    places[number] = UInt32(truncatingIfNeeded: edges.count - start)
  }

  mutating func edge(_ label: IndexTree.Label, _ next: UInt32) -> MatchEdge {
    switch label {
    case .mark(let mark): return MatchEdge(key: TextKey(low: UInt64(mark)), node: next)
    case .text(let bytes):
      var reader = TextKeyReader()
      for byte in bytes { reader.append(byte) }
      return MatchEdge(key: reader.value, node: next, text: reader.isShort ? 0 : add(bytes))
    }
  }

  /// Puts a text into the pool, after its length.
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
