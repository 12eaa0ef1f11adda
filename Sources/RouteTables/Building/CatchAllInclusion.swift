// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// A search for variants with catch-alls that the first-difference order places after a variant that includes them.
///
/// In one position, a single segment precedes a catch-all of the same type, and so do all variants that begin with it. But
/// `/{x:int}/{y...}` includes `/{r:int...}/a`. In all other cases the first difference agrees with inclusion. The search
/// therefore compares only the variants below a catch-all and a segment of one type in the same node, within a budget.
struct CatchAllInclusion {
  private let routes: [RouteRecord]
  private let places: [Int]
  private var tree: RouteTrie
  private var budget = 20_000
  /// The variants that must precede a variant, by the index of that variant.
  private var narrower: [Int: [Int]] = [:]
  /// The pairs of variants that match the same URLs.
  private(set) var equals: [(first: Int, second: Int)] = []

  /// Searches `tree`, in which `order` lists the variants by first difference.
  init(_ tree: RouteTrie, order: [Int], routes: [RouteRecord]) {
    self.tree = tree
    self.routes = routes
    var places = [Int](repeating: 0, count: order.count)
    for (place, shape) in order.enumerated() { places[shape] = place }
    self.places = places
    // By number, because a loop over the nodes would copy each of them.
    for number in tree.nodes.indices where tree.nodes[number].branches.contains(where: { $0.kind != .one }) {
      search(tree.nodes[number])
    }
  }

  /// Returns the order with each variant moved in front of the variants that include it.
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
      // A catch-all that accepts the empty text is wider than every segment, so its position after them is correct.
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
      one, pattern: routes[one.route].patterns[one.pattern], other,
      pattern: routes[other.route].patterns[other.pattern])
    return product.isFirstInSecond(&tree.languages)
  }
}
