// SPDX-License-Identifier: Apache-2.0
internal import RouteAnalysis
internal import RouteTables

/// Compares a table with one with fewer routes: the computed difference must agree with the matches of both.
struct DiffCheck: Sendable {
  private let old: RouteTable<Int>
  private let new: RouteTable<Int>
  private let diff: RouteDiff

  init(from old: RouteTable<Int>, to new: RouteTable<Int>) {
    (self.old, self.new) = (old, new)
    diff = new.diff(from: old)
    promise(new.diff(from: new).changes.isEmpty, "a table differs from itself")
    for change in diff.changes {
      promise(!change.description.isEmpty, "a change says something")
      let winners = [old, new].map { (try? $0.match(change.witness))?.routeIndex }
      promise(
        winners == [change.sides.oldRouteIndex, change.sides.newRouteIndex],
        "others win the witness: \(change)")
    }
  }

  /// Checks that a URL with different matches is in a reported class.
  func match(_ url: String) {
    let (before, after): (RouteMatch<Int>?, RouteMatch<Int>?)
    do {
      before = try old.match(url, when: FuzzRoute.context)
      after = try new.match(url, when: FuzzRoute.context)
    } catch {
      return
    }
    guard before?.action != after?.action else { return }
    let reported = diff.changes.map(\.sides) + diff.undecided.map(\.sides)
    promise(
      !diff.isComplete
        || reported.contains {
          $0.oldRouteIndex == before?.routeIndex && $0.newRouteIndex == after?.routeIndex
        },
      "\(url) goes from \(before?.route.id ?? "none") to \(after?.route.id ?? "none"), which is not reported")
  }
}
