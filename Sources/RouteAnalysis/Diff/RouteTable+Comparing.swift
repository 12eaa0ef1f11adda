// SPDX-License-Identifier: Apache-2.0
public import RouteTables

extension RouteTable where Action: Equatable {
  /// Returns the classes of requests for which the action changes from an old table to this one.
  ///
  /// The result is exact, apart from the classes in `undecided`. A class changes if the actions are not equal, or if a capture has
  /// another position in the URL or another default. Route names, source locations and the rule by which a route wins are
  /// ignored. At most `limit` classes are reported.
  ///
  /// ```swift
  /// let diff = new.diff(from: old)
  /// diff.changes.first?.witness   // https://tube.example/watch?v=x
  /// ```
  public func diff(from old: RouteTable, limit: Int = RouteDiff.limit) -> RouteDiff {
    diff(from: old, limit) { own, places, other, others in
      own.action == other.action
        && Set(places.names + others.names).allSatisfy {
          places.place($0, beside: others) == others.place($0, beside: places)
        }
    }
  }
}

extension RouteTable where Action == RouteAction {
  /// Returns the classes of requests for which the action changes from an old table to this one.
  ///
  /// The result is exact, apart from the classes in `undecided`. A class changes if the action, or a text that is inserted into
  /// it, differs. Only the captures that the action reads are compared, by position and not by name; a `handler` reads all
  /// captures, by name. A class also changes if its route becomes final, or is final no more, because then a route of a user may
  /// win. Route names, source locations and the rule by which a route wins are ignored. At most `limit` classes are reported.
  ///
  /// ```swift
  /// let diff = new.table.diff(from: old.table)
  /// diff.changes.first?.witness   // https://tube.example/watch?v=x
  /// ```
  public func diff(from old: RouteTable, limit: Int = RouteDiff.limit) -> RouteDiff {
    diff(from: old, limit) { own, places, other, others in
      own.isFinal == other.isFinal
        && own.action.hasSameEffect(
          as: other.action, offset: { places.place($0, beside: others) },
          otherOffset: { others.place($0, beside: places) },
          named: places.names + others.names)
    }
  }
}

extension RouteTable {
  /// Compares two tables; `isSame` returns whether two routes have the same effect, given the positions of their captures.
  fileprivate func diff(
    from old: RouteTable, _ limit: Int,
    isSame: (Route<Action>, CaptureOffsets, Route<Action>, CaptureOffsets) -> Bool
  ) -> RouteDiff {
    guard let before = try? PrecedenceOracle(old.routes.map(\.record), old.storage.index),
      let after = try? PrecedenceOracle(routes.map(\.record), storage.index)
    else { return RouteDiff(limits: AnalysisGaps.all.limits) }
    var comparison = TableComparison(before, after, limit: limit)
    comparison.run { oldRoute, oldPlaces, newRoute, newPlaces in
      isSame(old.routes[oldRoute], oldPlaces, routes[newRoute], newPlaces)
    }
    return comparison.diff
  }
}
