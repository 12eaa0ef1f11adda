// SPDX-License-Identifier: Apache-2.0
/// The compiler that turns routes into an index, with the conflicts that it found.
enum TableCompiler {
  struct Result {
    let index: RouteIndex
    let conflicts: [RouteConflict]
    /// The routes that take part in a conflict, except routes that deny and those that ask unless the other denies.
    let setAside: Set<Int>
    /// The pairs of `wins_over` that cannot be satisfied, and their errors.
    let ignored: [WinsOver.Pair]
    let faults: [RouteTableError]
  }

  /// Compiles all routes.
  ///
  /// - Parameters:
  ///   - skipping: indicates whether a `wins_over` that cannot be satisfied is ignored instead of thrown.
  ///   - searches: indicates whether conflicts are searched.
  static func build(
    _ routes: [RouteRecord], skipping: Bool = false, searches: Bool = true, winsOverBudget: WinsOver.Budget
  ) throws(RouteTableError) -> Result {
    let shapes = try PrecedenceOrder(routes, skipping: skipping, winsOverBudget: winsOverBudget)
    var search = RouteConflictSearch(shapes.tree, routes, settled: shapes.constraints)
    if searches { search.run(equals: shapes.equals) }
    return Result(
      index: RouteIndex(shapes.tree, order: shapes.order, routes: routes), conflicts: search.conflicts,
      setAside: search.setAside, ignored: shapes.ignored, faults: shapes.faults)
  }

  /// The number of rounds in which the administrator's own pairs have their whole budget, so that the time of all rounds is limited.
  private static let fullRounds = 4

  /// Compiles the routes that do not conflict, without `wins_over` rules that cannot be satisfied.
  ///
  /// - Parameter searches: indicates whether conflicts are searched; otherwise all routes are kept.
  static func buildSkippingConflicts(
    _ routes: [RouteRecord], searches: Bool = true, winsOverBudget: WinsOver.Budget = .standard
  )
    -> (
      index: RouteIndex, kept: [(record: RouteRecord, number: Int)], conflicts: [RouteConflict],
      faults: [RouteTableError]
    )
  {
    var (budget, rounds) = (winsOverBudget, 0)
    var kept = routes.enumerated().map { (record: $1, number: $0) }
    var (conflicts, faults) = ([RouteConflict](), [RouteTableError]())
    // Two routes that deny conflict again in each round.
    var reported: Set<[String]> = []
    let all = WinsOver(routes)
    for (number, record) in routes.enumerated() where !record.winsOver.isEmpty {
      let known = all.names(of: number) { _ in true }
      for name in record.winsOver where !known.contains(name) {
        faults.append(RouteTableError(.unknownRoute(name), location: record.location))
      }
      kept[number].record = record.winning(over: known)
    }
    while true {
      do {
        let records = kept.map(\.record)
        let result = try build(records, skipping: true, searches: searches, winsOverBudget: budget)
        // Each round without conflicting routes compares all pairs again. Conflicts of other directories, which cause further rounds,
        // must not disable the administrator's own pairs.
        rounds += 1
        budget.others /= 2
        if rounds >= fullRounds { budget.foremost /= 2 }
        faults += result.faults
        let (winsOver, ignored) = (WinsOver(records), Set(result.ignored))
        for (number, record) in records.enumerated() where !record.winsOver.isEmpty {
          let names = winsOver.names(of: number) { loser in
            !result.setAside.contains(loser) && !ignored.contains(WinsOver.Pair(winner: number, loser: loser))
          }
          kept[number].record = record.winning(over: names)
        }
        conflicts += result.conflicts.filter {
          reported.insert([$0.owner, $0.first.id, $0.second.id]).inserted
        }
        guard !result.setAside.isEmpty else { return (result.index, kept, conflicts, faults) }
        kept = kept.indices.filter { !result.setAside.contains($0) }.map { kept[$0] }
      } catch {
        // Patterns were expanded when they were added, so only a `wins_over` can be the cause. It must not cost those of other routes.
        faults.append(error)
        let remaining = kept.indices.filter { !kept[$0].record.winsOver.isEmpty }
        let named = remaining.filter { kept[$0].record.location == error.location }
        // Each round has fewer `wins_over`, so that the last one ends.
        for index in named.isEmpty ? remaining : named {
          kept[index].record = kept[index].record.winning(over: [])
        }
        if remaining.isEmpty { kept = [] }
      }
    }
  }

  /// Compiles a part of the routes of a table; a `wins_over` that names another of its routes is dropped.
  ///
  /// Conflicts are not searched. The search is limited, so that among fewer routes it could find some that it did not find in the table.
  ///
  /// - Parameter numbers: the numbers of the routes of the part.
  static func buildPart(_ numbers: [Int], of routes: [RouteRecord]) -> (
    index: RouteIndex, records: [RouteRecord]
  ) {
    let (part, winsOver) = (Set(numbers), WinsOver(routes))
    let records = numbers.map { number in
      routes[number].winsOver.isEmpty
        ? routes[number] : routes[number].winning(over: winsOver.names(of: number, where: part.contains))
    }
    let (index, kept, _, _) = buildSkippingConflicts(records, searches: false)
    return (index, kept.map(\.record))
  }
}
