/// Finds what leftmost gets wrong about rests: shapes that come after one which takes all that they take, and more.
///
/// In one place a single segment comes before a rest of the same type, and so do all shapes that begin with it. But
/// `/{r:int...}/a` takes only what `/{x:int}/{y...}` takes. Elsewhere the first difference never speaks against inclusion: the
/// two are looked for where a rest and a segment of one type stand side by side, within a budget.
struct CatchAllInclusion {
  private let routes: [RouteRecord]
  private let places: [Int]
  private var tree: RouteTrie
  private var budget = 20_000
  /// The shapes that must come before a shape.
  private var narrower: [Int: [Int]] = [:]
  /// Pairs of shapes that take the same.
  private(set) var equals: [(first: Int, second: Int)] = []

  /// `order` is that of the shapes.
  init(_ tree: RouteTrie, _ order: [Int], _ routes: [RouteRecord]) {
    self.tree = tree
    self.routes = routes
    var places = [Int](repeating: 0, count: order.count)
    for (place, shape) in order.enumerated() { places[shape] = place }
    self.places = places
    for node in tree.nodes where node.branches.contains(where: { $0.kind != .one }) { search(node) }
  }

  /// The order with each shape in front of those that are wider.
  func applied(to order: [Int]) -> [Int] {
    guard !narrower.isEmpty else { return order }
    var result: [Int] = []
    var isDone = [Bool](repeating: false, count: order.count)
    func add(_ shape: Int) {
      guard !isDone[shape] else { return }
      isDone[shape] = true
      for first in (narrower[shape] ?? []).sorted(by: { places[$0] < places[$1] }) { add(first) }
      result.append(shape)
    }
    order.forEach(add)
    return result
  }

  private mutating func search(_ node: RouteTrie.Node) {
    for rest in node.branches {
      switch rest.kind {
      case .one, .all: continue
      case .rest, .anchor: break
      }
      // A rest that takes the empty text is wider than any segment.
      guard case .language(let number) = rest.place, number != LanguageInterner.anything,
        !tree.languages[number].contains([])
      else { continue }
      var others = node.branches.filter {
        $0.kind == .one && tree.languages.relation(rest.place, $0.place) == .equal
      }.map(\.node)
      if let text = tree.languages[number].onlyText {
        others += zip(node.texts, node.afterTexts).filter { $0.0.elementsEqual(text.utf8) }.map(\.1)
      }
      guard !others.isEmpty else { continue }
      let shapes = tree.shapes(under: rest.node)
      for other in others { compare(shapes, tree.shapes(under: other)) }
    }
  }

  private mutating func compare(_ shapes: [Int], _ others: [Int]) {
    for other in others where isEndless(other) {
      for shape in shapes where budget > 0 && places[shape] > places[other] {
        budget -= 1
        guard isInside(shape, other) else { continue }
        if isInside(other, shape) {
          equals.append((other, shape))
        } else {
          narrower[other, default: []].append(shape)
        }
      }
    }
  }

  private func isEndless(_ shape: Int) -> Bool {
    let pattern = routes[tree.shapes[shape].route].patterns[tree.shapes[shape].pattern]
    return tree.shapes[shape].shape.segments.contains { pattern.isRest($0) }
  }

  private mutating func isInside(_ narrower: Int, _ wider: Int) -> Bool {
    let (one, other) = (tree.shapes[narrower], tree.shapes[wider])
    let product = PatternInclusion(
      one, routes[one.route].patterns[one.pattern], other, routes[other.route].patterns[other.pattern])
    return product.isFirstInSecond(&tree.languages)
  }
}
