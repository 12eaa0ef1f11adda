// SPDX-License-Identifier: Apache-2.0
/// The build-time trie of all variants, from which the index is encoded.
///
/// A path through the trie consists of the scheme, the kind of text after it, the host from the right, port and user, and
/// the path. After a catch-all, the path continues from its end; between two catch-alls, it can continue at every segment.
package struct RouteTrie: Sendable {
  package typealias Number = Int

  /// An edge that is not a literal text.
  package struct Branch: Sendable {
    package enum Kind: Hashable, Sendable {
      /// Exactly one text.
      case one
      /// One or more texts, each of which the matcher accepts.
      case rest
      /// Zero or more texts.
      case all
      /// The second catch-all of a path, after `length` segments that can begin at any position.
      case anchor(length: Int)
    }

    package let kind: Kind
    package let place: ComponentMatcher
    package let node: Number
  }

  package struct Node: Sendable {
    /// The literal texts of the outgoing edges; their targets are in `afterTexts`, because most readers need only those.
    package var texts: [[UInt8]] = []
    package var afterTexts: [Number] = []
    package var marks: [(mark: UInt32, node: Number)] = []
    package var branches: [Branch] = []
    /// The node after the end of the host.
    package var end: Number?
    /// Indicates whether the first catch-all of a path leads to the node.
    var isAfterCatchAll = false
    var isLeaf: Bool { afterTexts.isEmpty && marks.isEmpty && branches.isEmpty && end == nil }
    /// The targets of all outgoing edges.
    package var nexts: [Number] {
      afterTexts + marks.map(\.node) + branches.map(\.node) + (end.map { [$0] } ?? [])
    }
    package func after(mark: UInt32) -> Number? { marks.first { $0.mark == mark }?.node }
    /// The variants that end in this node.
    package var shapes: [Int] = []
  }

  package private(set) var nodes = [Node()]
  package var languages = LanguageInterner()
  package private(set) var shapes: [RouteVariant] = []
  /// The edges of nodes with more than `few` edges; with fewer, a linear search is faster than a lookup.
  private var edges: [Edge: Number] = [:]
  private static let few = 4
  /// The numbers of the texts that are too long to be their own keys.
  private var longTexts: [[UInt8]: UInt64] = [:]

  /// Creates a trie without variants.
  package init() {}

  /// A node and the key of one of its outgoing edges.
  private struct Edge: Hashable {
    let node: Number
    let key: SegmentKey

    func hash(into hasher: inout Hasher) {
      let mixed = SegmentKey.mix(key.low, UInt64(truncatingIfNeeded: node)) ^ key.high
      hasher.combine(mixed)
    }
  }

  /// Reserves capacity for the variants of `routes` routes.
  package mutating func reserve(_ routes: Int) {
    shapes.reserveCapacity(routes)
    nodes.reserveCapacity(routes * 3)
  }

  /// Inserts a variant; the variants must be inserted in the order of precedence of their routes.
  package mutating func insert(_ shape: RouteVariant, of pattern: RoutePattern) {
    var node: Number = 0
    let form = shape.shape
    if let scheme = form.scheme {
      node = step(from: node, text: Array(scheme.utf8))
      node = step(from: node, mark: EdgeMark.opening(form.opening))
      if form.opening == .host { node = insertHost(form, of: pattern, from: node) }
    } else {
      node = step(from: node, mark: EdgeMark.anyScheme)
      node = step(from: node, mark: EdgeMark.opening(form.opening))
    }
    node = insertPath(form.path(of: pattern), of: pattern, from: node)
    nodes[node].shapes.append(shapes.count)
    shapes.append(shape)
  }

  private mutating func insertHost(_ form: PatternVariant, of pattern: RoutePattern, from start: Number)
    -> Number
  {
    var node = start
    for label in form.labels.reversed() {
      node = step(from: node, languages.place(label, of: pattern, in: .host))
    }
    if let rest = form.hostRest {
      let language = rest.capture.map { languages.hostLabel(of: pattern.captures[$0]) }
      // `*` alone matches every host, including hosts with empty labels.
      let any = rest.mayBeEmpty ? LanguageInterner.anything : LanguageInterner.anyText
      node = step(from: node, rest.mayBeEmpty ? .all : .rest, .language(language ?? any))
    }
    if nodes[node].end == nil {
      let end = append()
      nodes[node].end = end
    }
    node = step(from: nodes[node].end ?? node, mark: EdgeMark.port(form.port, hasUser: form.user != nil))
    if let user = form.user { node = step(from: node, languages.place(user, of: pattern, in: .user)) }
    return node
  }

  private mutating func insertPath(
    _ path: PatternVariant.Path, of pattern: RoutePattern, from start: Number
  ) -> Number {
    var node = start
    for segment in path.prefix { node = step(from: node, languages.place(segment, of: pattern, in: .path)) }
    guard let rest = path.rest else { return node }
    node = step(from: node, .rest, .language(languages.type(of: pattern.captures[rest], mayBeEmpty: true)))
    nodes[node].isAfterCatchAll = true
    for segment in path.suffix.reversed() {
      node = step(from: node, languages.place(segment, of: pattern, in: .path))
    }
    guard let second = path.secondRest else { return node }
    node = step(
      from: node, .anchor(length: path.anchor.count),
      .language(languages.type(of: pattern.captures[second], mayBeEmpty: true)))
    for segment in path.anchor { node = step(from: node, languages.place(segment, of: pattern, in: .path)) }
    return node
  }

  private mutating func step(from node: Number, _ place: ComponentMatcher) -> Number {
    if case .literal(let text) = place { return step(from: node, text: text) }
    return step(from: node, .one, place)
  }

  private mutating func step(from node: Number, _ kind: Branch.Kind, _ place: ComponentMatcher) -> Number {
    if let known = nodes[node].branches.first(where: { $0.kind == kind && $0.place == place }) {
      return known.node
    }
    let next = append()
    nodes[node].branches.append(Branch(kind: kind, place: place, node: next))
    return next
  }

  private mutating func step(from node: Number, mark: UInt32) -> Number {
    let count = nodes[node].marks.count
    // No text has this key, because UTF-8 contains no byte 0xFE or 0xFF.
    func edge(_ mark: UInt32) -> Edge { Edge(node: node, key: SegmentKey(low: UInt64(mark), high: .max)) }
    if let known = count <= Self.few ? nodes[node].after(mark: mark) : edges[edge(mark)] { return known }
    let next = append()
    nodes[node].marks.append((mark, next))
    if count == Self.few { for mark in nodes[node].marks { edges[edge(mark.mark)] = mark.node } }
    if count > Self.few { edges[edge(mark)] = next }
    return next
  }

  private mutating func step(from node: Number, text: [UInt8]) -> Number {
    let count = nodes[node].texts.count
    let edge = count > Self.few ? edge(from: node, text) : nil
    if let edge {
      if let known = edges[edge] { return known }
    } else if let place = nodes[node].texts.firstIndex(of: text) {
      return nodes[node].afterTexts[place]
    }
    let next = append()
    nodes[node].texts.append(text)
    nodes[node].afterTexts.append(next)
    if count == Self.few {
      for place in 0...count {
        edges[self.edge(from: node, nodes[node].texts[place])] = nodes[node].afterTexts[place]
      }
    }
    if let edge { edges[edge] = next }
    return next
  }

  /// Returns the edge for a text that leads on from a node; different texts have different keys.
  private mutating func edge(from node: Number, _ text: [UInt8]) -> Edge {
    guard text.count > SegmentKey.longest else { return Edge(node: node, key: SegmentKeyReader.key(text)) }
    let number = longTexts[text] ?? UInt64(longTexts.count)
    longTexts[text] = number
    return Edge(node: node, key: Self.key(ofLongText: number))
  }

  /// Returns the node to which a literal text leads from a node; `nil` if no variant continues with it.
  func next(from node: Number, text: [UInt8]) -> Number? {
    guard nodes[node].texts.count > Self.few else {
      return nodes[node].texts.firstIndex(of: text).map { nodes[node].afterTexts[$0] }
    }
    guard text.count > SegmentKey.longest else {
      return edges[Edge(node: node, key: SegmentKeyReader.key(text))]
    }
    return longTexts[text].flatMap { edges[Edge(node: node, key: Self.key(ofLongText: $0))] }
  }

  private static func key(ofLongText number: UInt64) -> SegmentKey {
    SegmentKey(low: number, high: .max - 1)
  }

  private mutating func append() -> Number {
    nodes.append(Node())
    return nodes.count - 1
  }
}
