/// Finds the shapes that no order could tell apart, by their keys: pairs are never enumerated.
struct RouteConflictSearch {
  private struct Entry {
    let side: RouteConflict.Side
    let route: Int
  }

  private struct Key: Hashable {
    let owner: String
    let shape: [UInt8]
  }

  private var equals: [Key: Entry] = [:]
  private var crossings: [Key: Entry] = [:]
  private(set) var conflicts: [RouteConflict] = []
  /// The routes that take part in a conflict.
  private(set) var setAside: Set<Int> = []

  mutating func add(_ side: RouteConflict.Side, owner: String, route: Int) {
    let entry = Entry(side: side, route: route)
    let exact = Key(owner: owner, shape: side.pattern.shapeKey(mergingIntegers: false))
    let merged = Key(owner: owner, shape: side.pattern.shapeKey(mergingIntegers: true))
    if let first = equals[exact] {
      report(.equal, first, entry, owner)
    } else if let first = crossings[merged], first.route != route {
      report(.crossing, first, entry, owner)
    }
    if equals[exact] == nil { equals[exact] = entry }
    if crossings[merged] == nil { crossings[merged] = entry }
  }

  private mutating func report(_ kind: RouteConflict.Kind, _ first: Entry, _ second: Entry, _ owner: String) {
    setAside.formUnion([first.route, second.route])
    conflicts.append(
      RouteConflict(
        kind: kind, owner: owner, first: first.side, second: second.side, witness: first.side.pattern.witness)
    )
  }
}
