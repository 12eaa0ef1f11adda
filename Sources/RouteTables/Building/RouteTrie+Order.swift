extension RouteTrie {
  /// The shapes in their order, the first to win in front, as far as the places of the tree and what the shapes ask for
  /// decide: leftmost.
  ///
  /// `precedes` decides between shapes that are the same.
  mutating func order(_ precedes: (RouteVariant, RouteVariant) -> Bool) -> [Int] {
    var order: [Int] = []
    order.reserveCapacity(shapes.count)
    // A node, and how many of its ways have been gone.
    var stack: [(ways: [Number], index: Int, shapes: [Int])] = [(ways(from: 0), 0, shapes(at: 0, precedes))]
    while !stack.isEmpty {
      let top = stack.count - 1
      let index = stack[top].index
      guard index < stack[top].ways.count else {
        order += stack[top].shapes
        stack.removeLast()
        continue
      }
      stack[top].index += 1
      let next = stack[top].ways[index]
      if nodes[next].isLeaf {
        order += shapes(at: next, precedes)
      } else {
        stack.append((ways(from: next), 0, shapes(at: next, precedes)))
      }
    }
    return order
  }

  /// The nodes after a node, the narrower in front: texts, then branches by what they take.
  private mutating func ways(from number: Number) -> [Number] {
    // The whole node would be copied: it is looked at part by part.
    var ways = nodes[number].afterTexts
    if !nodes[number].marks.isEmpty {
      ways += nodes[number].marks.sorted { $0.mark < $1.mark }.map(\.node)
    }
    let end = nodes[number].end
    if nodes[number].branches.isEmpty, end == nil { return ways }
    var branches = nodes[number].branches
    if branches.count > 1 {
      var languages = languages
      branches.sort { Self.precedes($0, $1, &languages) }
      self.languages = languages
    }
    // Any host, the widest, is wider than an empty one.
    let open = branches.last?.kind == .all ? branches.popLast() : nil
    return ways + branches.map(\.node) + [end, open?.node].compactMap { $0 }
  }

  /// Of what takes the same, one segment comes before a rest, and a rest that more segments stand before, first.
  private static func precedes(_ one: Branch, _ other: Branch, _ languages: inout LanguageInterner) -> Bool {
    if one.place != other.place {
      if languages.precedes(one.place, other.place) { return true }
      if languages.precedes(other.place, one.place) { return false }
    }
    return one.kind.order < other.kind.order
  }

  private mutating func shapes(at number: Number, _ precedes: (RouteVariant, RouteVariant) -> Bool) -> [Int] {
    let ends = nodes[number].shapes
    guard ends.count > 1 else { return ends }
    var languages = languages
    let sorted = ends.sorted { one, other in
      switch shapes[one].difference(from: shapes[other], &languages) {
      case .ordered(let comesFirst), .crossing(let comesFirst): comesFirst
      case .none: precedes(shapes[one], shapes[other])
      }
    }
    self.languages = languages
    return sorted
  }
}

extension RouteTrie.Branch.Kind {
  /// The place among ways on that take the same.
  var order: Int {
    switch self {
    case .one: Int.min
    case .anchor(let length): -length
    case .rest: 1
    case .all: 2
    }
  }
}
