// SPDX-License-Identifier: Apache-2.0
/// A search in a trie for the variants that may match a request which a given variant matches.
///
/// It follows the literal texts of the variant, and all edges where the variant or the edge accepts several texts. Variants that
/// differ in a literal text are therefore never visited.
struct NeighborSearch {
  /// The variants that were found.
  private(set) var found: [Int] = []
  /// The number of visited nodes.
  private(set) var steps = 0
  private let tree: RouteTrie

  /// Searches `tree` for the variants that may overlap the one whose requests are given.
  init(_ tree: RouteTrie, _ requests: RequestSet) {
    self.tree = tree
    run(requests)
  }

  private mutating func run(_ requests: RequestSet) {
    guard let scheme = requests.scheme else { return addAll(under: 0) }
    if let any = tree.nodes[0].after(mark: EdgeMark.anyScheme) { addAll(under: any) }
    guard let start = tree.next(from: 0, text: Array(scheme.utf8)) else { return }
    // A joined path may begin with the host of another variant.
    let joined = EdgeMark.opening(.joinedPath)
    guard requests.opening != .joinedPath else { return addAll(under: start) }
    if let node = tree.nodes[start].after(mark: joined) { addAll(under: node) }
    guard let node = tree.nodes[start].after(mark: EdgeMark.opening(requests.opening)) else { return }
    guard requests.opening == .host else { return addPaths(requests.path.items, from: node) }
    for end in hostEnds(requests.host.items.reversed(), from: node) {
      steps += 1
      for (mark, next) in tree.nodes[end].marks where Self.mayHavePort(requests.shape.shape.port, mark) {
        let users = mark & EdgeMark.user == 0 ? [next] : tree.nodes[next].nexts
        for user in users { addPaths(requests.path.items, from: user) }
      }
    }
  }

  private static func mayHavePort(_ port: PatternVariant.Port, _ mark: UInt32) -> Bool {
    let (one, other) = (EdgeMark.port(port, hasUser: false), mark & ~EdgeMark.user)
    return one == other || one == EdgeMark.anyPort || other == EdgeMark.anyPort
  }

  /// Returns the ends of the hosts that may equal one with these labels, the last label first.
  private mutating func hostEnds(_ labels: [ComponentSequence.Item], from start: Int) -> [Int] {
    var (ends, stack) = ([Int](), [(node: start, next: 0)])
    while let (number, next) = stack.popLast() {
      steps += 1
      let isRest = next < labels.count && labels[next].repeats
      if next == labels.count || isRest, let end = tree.nodes[number].end { ends.append(end) }
      for branch in tree.nodes[number].branches where branch.kind != .one {
        // A catch-all is the last step before the end of a host.
        if let end = tree.nodes[branch.node].end { ends.append(end) }
      }
      guard next < labels.count else { continue }
      let after = isRest ? next : next + 1
      stack += nodes(after: number, labels[next]).map { ($0, after) }
    }
    return ends
  }

  /// Adds the variants whose paths may equal one of these segments.
  private mutating func addPaths(_ segments: [ComponentSequence.Item], from start: Int) {
    var stack = [(node: start, next: 0)]
    while let (number, next) = stack.popLast() {
      steps += 1
      guard next < segments.count else {
        found += tree.nodes[number].shapes
        continue
      }
      guard !segments[next].repeats else {
        addAll(under: number)
        continue
      }
      for branch in tree.nodes[number].branches where branch.kind != .one { addAll(under: branch.node) }
      stack += nodes(after: number, segments[next]).map { ($0, next + 1) }
    }
  }

  /// Returns the nodes to which one text that an item accepts may lead, without those after a catch-all.
  private func nodes(after number: Int, _ item: ComponentSequence.Item) -> [Int] {
    var nodes: [Int] = []
    if case .literal(let text) = item.place {
      if let next = tree.next(from: number, text: text) { nodes = [next] }
    } else {
      nodes = tree.nodes[number].afterTexts
    }
    for branch in tree.nodes[number].branches where branch.kind == .one { nodes.append(branch.node) }
    return nodes
  }

  private mutating func addAll(under number: Int) {
    var stack = [number]
    while let next = stack.popLast() {
      steps += 1
      found += tree.nodes[next].shapes
      stack += tree.nodes[next].nexts
    }
  }
}
