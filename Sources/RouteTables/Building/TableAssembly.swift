/// Puts routes together to an index: shapes, their order, what conflicts.
enum TableAssembly {
  struct Result {
    let index: RouteIndex
    let conflicts: [RouteConflict]
    /// The routes that take part in a conflict.
    let setAside: Set<Int>
  }

  static func build(_ routes: [RouteRecord]) throws(RouteTableError) -> Result {
    var tree = IndexTree()
    tree.reserve(routes.count)
    let precedence = routes.indices.sorted { RouteRecord.precedes(routes[$0], routes[$1]) }
    var places = [Int](repeating: 0, count: routes.count)
    for (place, number) in precedence.enumerated() {
      places[number] = place
      let route = routes[number]
      for (index, pattern) in route.patterns.enumerated() {
        for shape in try ShapeExpansion.shapes(of: pattern) {
          let shape = RouteShape(
            shape, of: pattern, route: number, index: index, conditions: route.conditions,
            languages: &tree.languages)
          tree.insert(shape, of: pattern)
        }
      }
    }
    // Of one pattern, the shape that captures more comes first.
    var order = tree.order { one, other in
      (places[one.route], one.pattern, other.shape.segments.count)
        < (places[other.route], other.pattern, one.shape.segments.count)
    }
    let inclusion = RestInclusion(tree, order, routes)
    order = inclusion.applied(to: order)
    if Set(routes.map(\.rank)).count > 1 {
      let shapes = tree.shapes
      order = RouteRank.allCases.flatMap { rank in order.filter { routes[shapes[$0].route].rank == rank } }
    }
    var pairs: [(winner: Int, loser: Int)] = []
    if routes.contains(where: { !$0.winsOver.isEmpty }) {
      let winsOver = WinsOver(routes)
      pairs = try winsOver.pairs()
      order = try winsOver.order(order, of: &tree, pairs)
    }
    var search = RouteConflictSearch(tree, routes, settled: pairs)
    search.run(equals: inclusion.equals)
    return Result(
      index: RouteIndex(tree, order, routes), conflicts: search.conflicts, setAside: search.setAside)
  }

  /// Builds without what conflicts, and without wishes that cannot be carried out.
  static func buildSettingAside(_ routes: [RouteRecord]) -> (
    index: RouteIndex, kept: [(record: RouteRecord, number: Int)], conflicts: [RouteConflict],
    faults: [RouteTableError]
  ) {
    var kept = routes.enumerated().map { (record: $1, number: $0) }
    var (conflicts, faults) = ([RouteConflict](), [RouteTableError]())
    func dropUnknown(_ isFault: Bool) {
      guard kept.contains(where: { !$0.record.winsOver.isEmpty }) else { return }
      let names = Set(kept.flatMap { [$0.record.id, "\($0.record.owner)/\($0.record.id)"] })
      for index in kept.indices {
        let record = kept[index].record
        let known = record.winsOver.filter { names.contains($0) }
        guard known.count < record.winsOver.count else { continue }
        for name in record.winsOver where isFault && !names.contains(name) {
          faults.append(RouteTableError(.unknownRoute(name), location: record.location))
        }
        kept[index].record = record.winning(over: known)
      }
    }
    dropUnknown(true)
    while true {
      do {
        let result = try build(kept.map(\.record))
        if conflicts.isEmpty { conflicts = result.conflicts }
        guard !result.setAside.isEmpty else { return (result.index, kept, conflicts, faults) }
        kept = kept.indices.filter { !result.setAside.contains($0) }.map { kept[$0] }
        dropUnknown(false)
      } catch {
        faults.append(error)
        for index in kept.indices { kept[index].record = kept[index].record.winning(over: []) }
      }
    }
  }
}
