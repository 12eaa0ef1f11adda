/// Carries out `wins_over`: a route comes before another, whatever the patterns say.
struct WinsOver {
  private let routes: [RouteRecord]
  private var numbers: [String: Int] = [:]

  init(_ routes: [RouteRecord]) {
    self.routes = routes
    for (number, route) in routes.enumerated() { numbers["\(route.owner)/\(route.id)"] = number }
  }

  /// The pairs of routes, the one that wins in front; throws for a name that no route has.
  func pairs() throws(RouteTableError) -> [(winner: Int, loser: Int)] {
    var pairs: [(winner: Int, loser: Int)] = []
    for (number, route) in routes.enumerated() {
      for name in route.winsOver {
        guard let loser = numbers["\(route.owner)/\(name)"] ?? numbers[name] else {
          throw RouteTableError(.unknownRoute(name), location: route.location)
        }
        pairs.append((number, loser))
      }
    }
    return pairs
  }

  /// The shapes in the order that the pairs ask for, and otherwise as they were.
  ///
  /// What loses waits for what wins over it; what is wider than something that waits, waits, too.
  func order(
    _ order: [Int], of tree: inout IndexTree, _ pairs: [(winner: Int, loser: Int)]
  ) throws(RouteTableError) -> [Int] {
    guard !pairs.isEmpty else { return order }
    var shapes: [Int: [Int]] = [:]
    for (place, shape) in order.enumerated() { shapes[tree.shapes[shape].route, default: []].append(place) }
    var waitsFor = [Int](repeating: 0, count: order.count)
    var frees = [[Int]](repeating: [], count: order.count)
    func add(_ first: Int, _ second: Int) {
      waitsFor[second] += 1
      frees[first].append(second)
    }
    for (winner, loser) in pairs {
      try checkReachable(loser, under: winner, of: tree)
      for first in shapes[winner] ?? [] { for second in shapes[loser] ?? [] { add(first, second) } }
    }
    for loser in Set(pairs.map(\.loser)).sorted() {
      for place in shapes[loser] ?? [] {
        let own = tree.shapes[order[place]]
        for other in order.indices where other > place {
          let others = tree.shapes[order[other]]
          guard others.route != own.route, includes(others, own, &tree.languages) else { continue }
          add(place, other)
        }
      }
    }
    return try sorted(order, waitsFor, frees, tree)
  }

  private func sorted(
    _ order: [Int], _ waiting: [Int], _ frees: [[Int]], _ tree: IndexTree
  ) throws(RouteTableError) -> [Int] {
    var waitsFor = waiting
    var ready = IntegerHeap(order.indices.filter { waiting[$0] == 0 })
    var result: [Int] = []
    while let place = ready.popFirst() {
      result.append(order[place])
      for next in frees[place] {
        waitsFor[next] -= 1
        if waitsFor[next] == 0 { ready.insert(next) }
      }
    }
    guard result.count == order.count else {
      let left = order.indices.filter { waitsFor[$0] > 0 }.map { tree.shapes[order[$0]].route }
      let ids = Set(left).sorted().map { routes[$0].id }
      throw RouteTableError(.circularPrecedence(ids), location: left.first.map { routes[$0].location })
    }
    return result
  }

  /// Refuses a pair that leaves nothing for the loser.
  private func checkReachable(_ loser: Int, under winner: Int, of tree: IndexTree) throws(RouteTableError) {
    var languages = tree.languages
    let winners = tree.shapes.filter { $0.route == winner }
    let losers = tree.shapes.filter { $0.route == loser }
    let isTaken = losers.allSatisfy { own in winners.contains { includes($0, own, &languages) } }
    guard !isTaken else {
      throw RouteTableError(
        .unreachable(routes[loser].id, by: routes[winner].id), location: routes[winner].location)
    }
  }

  private func includes(_ wider: RouteShape, _ narrower: RouteShape, _ languages: inout LanguageTable) -> Bool
  {
    ShapeProduct(
      narrower, routes[narrower.route].patterns[narrower.pattern], wider,
      routes[wider.route].patterns[wider.pattern]
    ).isFirstInSecond(&languages)
  }
}

/// Gives out the smallest of its integers first.
struct IntegerHeap {
  private var items: [Int]

  /// With sorted integers.
  init(_ sorted: [Int]) { items = sorted }

  mutating func insert(_ item: Int) {
    items.append(item)
    var index = items.count - 1
    while index > 0, items[(index - 1) / 2] > items[index] {
      items.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func popFirst() -> Int? {
    guard let first = items.first else { return nil }
    items.swapAt(0, items.count - 1)
    items.removeLast()
    var index = 0
    while true {
      let left = 2 * index + 1
      guard left < items.count else { return first }
      let child = left + 1 < items.count && items[left + 1] < items[left] ? left + 1 : left
      guard items[child] < items[index] else { return first }
      items.swapAt(child, index)
      index = child
    }
  }
}
