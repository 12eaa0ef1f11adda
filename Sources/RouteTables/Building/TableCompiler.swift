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

  static func build(_ routes: [RouteRecord], skipping: Bool = false, winsOverBudget: WinsOver.Budget)
    throws(RouteTableError) -> Result
  {
    let shapes = try PrecedenceOrder(routes, skipping: skipping, winsOverBudget: winsOverBudget)
    var search = RouteConflictSearch(shapes.tree, routes, settled: shapes.constraints)
    search.run(equals: shapes.equals)
    return Result(
      index: RouteIndex(shapes.tree, order: shapes.order, routes: routes), conflicts: search.conflicts,
      setAside: search.setAside, ignored: shapes.ignored, faults: shapes.faults)
  }

  /// The number of rounds in which the administrator's own pairs have their whole budget, so that the time of all rounds is limited.
  private static let fullRounds = 4

  /// Compiles the routes that do not conflict, without `wins_over` rules that cannot be satisfied.
  static func buildSkippingConflicts(_ routes: [RouteRecord], winsOverBudget: WinsOver.Budget = .standard)
    -> (
      index: RouteIndex, kept: [(record: RouteRecord, number: Int)], conflicts: [RouteConflict],
      faults: [RouteTableError]
    )
  {
    var (budget, rounds) = (winsOverBudget, 0)
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
        let records = kept.map(\.record)
        let result = try build(records, skipping: true, winsOverBudget: budget)
        // Each round without conflicting routes compares all pairs again. Conflicts of other directories, which cause further rounds,
        // must not disable the administrator's own pairs.
        rounds += 1
        budget.others /= 2
        if rounds >= fullRounds { budget.foremost /= 2 }
        faults += result.faults
        let winsOver = WinsOver(records)
        for (winner, losers) in Dictionary(grouping: result.ignored, by: \.winner) {
          let names = winsOver.names(of: winner, without: Set(losers.map(\.loser)))
          kept[winner].record = records[winner].winning(over: names)
        }
        if conflicts.isEmpty { conflicts = result.conflicts }
        guard !result.setAside.isEmpty else { return (result.index, kept, conflicts, faults) }
        kept = kept.indices.filter { !result.setAside.contains($0) }.map { kept[$0] }
        dropUnknown(false)
      } catch {
        // Patterns were expanded when they were added, so only a `wins_over` can be the cause.
        faults.append(error)
        for index in kept.indices { kept[index].record = kept[index].record.winning(over: []) }
      }
    }
  }
}
