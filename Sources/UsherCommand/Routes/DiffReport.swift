// SPDX-License-Identifier: Apache-2.0
import RouteAnalysis
import BusInterfaces
import DBus
import RouteTables

/// The report of the differences between two tables: as text, grouped by the causing routes, and as JSON.
struct DiffReport {
  /// The cause of a change, as a change to a route.
  enum Cause: String {
    case added
    case removed
    case changed
    /// The route is unchanged, but the order of layers or `wins_over` gives it URLs or takes URLs from it.
    case reordered
  }

  /// A route, with the classes that change because of it.
  struct Group {
    let route: Route<RouteAction>
    let cause: Cause
    var changes: [RouteDiff.Change]
  }

  private struct Name: Hashable {
    let owner: String
    let id: String

    init(_ route: Route<RouteAction>) { (owner, id) = (route.owner, route.id) }
  }

  let diff: RouteDiff
  private let old: RouteTable<RouteAction>
  private let new: RouteTable<RouteAction>
  private let oldRoutes: [Name: Route<RouteAction>]
  private let newRoutes: [Name: Route<RouteAction>]

  init(from old: RouteTable<RouteAction>, to new: RouteTable<RouteAction>) {
    (self.old, self.new) = (old, new)
    diff = new.diff(from: old)
    oldRoutes = Dictionary(old.routes.map { (Name($0), $0) }) { first, _ in first }
    newRoutes = Dictionary(new.routes.map { (Name($0), $0) }) { first, _ in first }
  }

  /// The changes grouped by the routes that cause them, in order of location.
  var groups: [Group] {
    var (groups, places) = ([Group](), [Name: Int]())
    for change in diff.changes {
      guard let (route, cause) = cause(of: change) else { continue }
      let name = Name(route)
      if let place = places[name] {
        groups[place].changes.append(change)
      } else {
        places[name] = groups.count
        groups.append(Group(route: route, cause: cause, changes: [change]))
      }
    }
    return groups
  }

  /// Returns the route that causes the change of a class.
  ///
  /// It is the former winner if that was removed, otherwise the first of the new and the former winner that was added or
  /// changed, otherwise the new winner.
  private func cause(of change: RouteDiff.Change) -> (Route<RouteAction>, Cause)? {
    let (before, after) = (oldRoute(change.sides), newRoute(change.sides))
    if let before, newRoutes[Name(before)] == nil { return (before, .removed) }
    for route in [after, before].compactMap(\.self) {
      guard let own = newRoutes[Name(route)] else { continue }
      guard let other = oldRoutes[Name(route)] else { return (own, .added) }
      guard Self.saysTheSame(own, other) else { return (own, .changed) }
    }
    return (after ?? before).map { ($0, .reordered) }
  }

  private static func saysTheSame(_ one: Route<RouteAction>, _ other: Route<RouteAction>) -> Bool {
    one.patterns == other.patterns && one.conditions == other.conditions && one.action == other.action
      && one.rank == other.rank && one.winsOver == other.winsOver
  }

  func oldRoute(_ sides: RouteDiff.Sides) -> Route<RouteAction>? {
    sides.oldRouteIndex.map { old.routes[$0] }
  }
  func newRoute(_ sides: RouteDiff.Sides) -> Route<RouteAction>? {
    sides.newRouteIndex.map { new.routes[$0] }
  }

  /// The keys for JSON: `changes`, `undecided`, `complete` and `limits`.
  var entries: [String: Variant] {
    [
      "changes": .array(
        of: "a{sv}",
        groups.flatMap { group in group.changes.map { .dictionary(entries($0, group)) } }),
      "undecided": .dictionaries(diff.undecided.map { entries($0) }),
      "complete": .boolean(diff.isComplete), "limits": .strings(diff.limits.map(\.description)),
    ]
  }

  private func entries(_ undecided: RouteDiff.Undecided) -> [String: Variant] {
    entries(undecided.sides).merging(["reason": .string(undecided.reason.description)]) { $1 }
  }

  private func entries(_ change: RouteDiff.Change, _ group: Group) -> [String: Variant] {
    var entries = entries(change.sides)
    entries["route"] = .string(group.route.id)
    entries["cause"] = .string(group.cause.rawValue)
    entries["url"] = .string(change.witness.url)
    entries["context"] = .dictionary(change.witness.context.mapValues { .string($0) })
    return entries
  }

  /// Returns the keys `old` and `new`, each if there is such a route.
  private func entries(_ sides: RouteDiff.Sides) -> [String: Variant] {
    func entries(_ side: RouteConflict.Side?, _ route: Route<RouteAction>?) -> Variant? {
      guard let side, let route else { return nil }
      var entries = side.location.entries
      entries["route"] = .string(route.id)
      entries["owner"] = .string(route.owner)
      entries["pattern"] = .string(side.pattern.description)
      entries["action"] = .dictionary(route.action.writtenEntries)
      if route.isFinal { entries["final"] = .boolean(true) }
      return .dictionary(entries)
    }
    return ["old": entries(sides.old, oldRoute(sides)), "new": entries(sides.new, newRoute(sides))]
      .compactMapValues(
        \.self)
  }
}
