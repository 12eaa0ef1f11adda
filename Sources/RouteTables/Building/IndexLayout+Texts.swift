extension IndexLayout {
  /// Writes a table of the whole hosts for each scheme that has no others.
  mutating func layOutHosts() {
    for scheme in tree.nodes[0].afterTexts {
      guard let opening = tree.nodes[scheme].after(mark: IndexTree.Mark.opening(.host)) else { continue }
      var hosts: [(text: [UInt8], node: Int)] = []
      var stack: [(node: Int, host: [UInt8]?)] = [(opening, nil)]
      var areTexts = true
      while let (number, host) = stack.popLast() {
        let node = tree.nodes[number]
        areTexts = areTexts && node.branches.isEmpty
        if let end = node.end { hosts.append((host ?? [], end)) }
        for (label, next) in zip(node.texts, node.afterTexts) {
          stack.append((next, host.map { label + [UInt8(ascii: ".")] + $0 } ?? label))
        }
      }
      guard areTexts, !hosts.isEmpty else { continue }
      let table = append()
      layOutTexts(hosts.map(\.text), hosts.map(\.node), of: table)
      nodes[scheme].special = UInt32(truncatingIfNeeded: table)
    }
  }

  /// Writes a node's table: a text stands at its place or after it, and at least three of four places are free.
  mutating func layOutTexts(
    _ texts: [[UInt8]], _ nodes: [Int], marks: [(mark: UInt32, node: Int)] = [], of number: Int
  ) {
    let count = texts.count + marks.count
    guard count > 0 else { return }
    var size = 1
    while count > 1, size < count * 4 { size *= 2 }
    let start = edges.count
    edges.append(contentsOf: repeatElement(MatchEdge(), count: size))
    for place in texts.indices { put(edge(texts[place], to: nodes[place]), from: start, size) }
    for (mark, node) in marks {
      put(
        MatchEdge(key: TextKey(low: UInt64(mark)), node: UInt32(truncatingIfNeeded: node)), from: start, size)
    }
    // The search ends at a place that is free.
    if edges[edges.count - 1].node != 0 { edges.append(MatchEdge()) }
    self.nodes[number].texts = UInt32(truncatingIfNeeded: start)
    self.nodes[number].mask = UInt32(truncatingIfNeeded: size - 1)
    places[number] = UInt32(truncatingIfNeeded: edges.count - start)
  }

  private mutating func put(_ edge: MatchEdge, from start: Int, _ size: Int) {
    var place = start + IndexView.place(of: edge.key, size - 1)
    while place < edges.count, edges[place].node != 0 { place += 1 }
    if place == edges.count { edges.append(edge) } else { edges[place] = edge }
  }

  private mutating func edge(_ text: [UInt8], to node: Int) -> MatchEdge {
    var reader = TextKeyReader()
    for byte in text { reader.append(byte) }
    return MatchEdge(
      key: reader.value, node: UInt32(truncatingIfNeeded: node), text: reader.isShort ? 0 : add(text))
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
