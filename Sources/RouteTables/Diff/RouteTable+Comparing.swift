extension RouteTable where Action: Equatable {
  /// What changes for requests from an old table to this one: exactly, or `undecided`.
  ///
  /// Something changes where the actions are not equal, or where one of their captures does not stand in the same place of the
  /// URL, or has another default. The names of routes, the places where they were written and by which rule they win count for
  /// nothing. At most `limit` classes are told.
  ///
  /// ```swift
  /// let diff = new.diff(from: old)
  /// diff.changes.first?.witness   // https://tube.example/watch?v=x
  /// ```
  public func diff(from old: RouteTable, limit: Int = RouteDiff.limit) -> RouteDiff {
    diff(from: old, limit) { own, places, other, others in
      own == other
        && Set(places.names + others.names).allSatisfy {
          places.place($0, beside: others) == others.place($0, beside: places)
        }
    }
  }
}

extension RouteTable where Action == RouteAction {
  /// What changes for requests from an old table to this one: exactly, or `undecided`.
  ///
  /// Something changes where another action is carried out, or the same with other texts: of the captures, those count
  /// that the action reads, wherever they stand and whatever they are called. A `handler` reads all, by their names. The names
  /// of routes, the places where they were written and by which rule they win count for nothing. At most `limit` classes are told.
  ///
  /// ```swift
  /// let diff = new.table.diff(from: old.table)
  /// diff.changes.first?.witness   // https://tube.example/watch?v=x
  /// ```
  public func diff(from old: RouteTable, limit: Int = RouteDiff.limit) -> RouteDiff {
    diff(from: old, limit) { own, places, other, others in
      own.does(
        other, { places.place($0, beside: others) }, { others.place($0, beside: places) },
        named: places.names + others.names)
    }
  }
}

extension RouteTable {
  /// Compares tables; `isSame` says whether two actions do the same with captures that stand there.
  fileprivate func diff(
    from old: RouteTable, _ limit: Int, isSame: (Action, CaptureOffsets, Action, CaptureOffsets) -> Bool
  ) -> RouteDiff {
    guard let before = try? PrecedenceOracle(old.routes.map(\.record), old.storage.index),
      let after = try? PrecedenceOracle(routes.map(\.record), storage.index)
    else { return RouteDiff(limits: AnalysisGaps.all.limits) }
    var comparison = TableComparison(before, after, limit: limit)
    comparison.run { oldRoute, oldPlaces, newRoute, newPlaces in
      isSame(old.routes[oldRoute].action, oldPlaces, routes[newRoute].action, newPlaces)
    }
    return comparison.diff
  }
}
