public import RouteTables

/// A table beside a table for each of its routes alone: what one says must follow from the others.
public struct TableCheck: Sendable {
  private let table: RouteTable<Int>
  private let alone: [RouteTable<Int>]
  private let reversed: RouteTable<Int>
  /// The routes, if each is to stand beside each other one alone.
  private let rivals: [RoutePattern]

  /// Builds the tables; routes that conflict are set aside, and each conflict must show what it is about.
  ///
  /// With `comparesPairs`, what wins among all must win against each one alone.
  public init(_ patterns: [RoutePattern], comparesPairs: Bool = false) throws(RouteTableError) {
    rivals = comparesPairs ? patterns : []
    var builder = RouteTableBuilder<Int>()
    var alone: [RouteTable<Int>] = []
    for (index, pattern) in patterns.enumerated() {
      let location = SourceLocation(file: "input", line: index + 1)
      try builder.add([pattern], id: "r\(index)", action: index, at: location)
      var single = RouteTableBuilder<Int>()
      try single.add([pattern], id: "r\(index)", action: index, at: location)
      alone.append(single.buildSettingAside().table)
    }
    let (table, conflicts) = builder.buildSettingAside()
    self.table = table
    self.alone = alone
    reversed = try Self.table(patterns.enumerated().reversed())
    let builds = (try? builder.build()) != nil
    promise(conflicts.isEmpty == builds, "building refuses exactly what has conflicts: \(conflicts)")
    for conflict in conflicts { try Self.check(conflict) }
  }

  /// Matches, reads everything, and compares.
  public func match(_ url: String) {
    let found: RouteMatch<Int>?
    do {
      found = try CostGuard.match(url, in: table)
    } catch {
      promise(!error.description.isEmpty, "an error says something")
      for single in alone where (try? single.match(url)) != nil {
        promise(false, "refused with \(error), and not by a table of one route")
      }
      return
    }
    guard let found else {
      for route in table.routes {
        promise(taken(by: route.action, url) == nil, "nothing takes \(url), and \(route.patterns) alone does")
      }
      return
    }
    promise(table.routes[found.routeIndex].id == found.route.id, "the index is the route's")
    guard let single = taken(by: found.action, url) else {
      return promise(false, "\(found.pattern) takes \(url), and alone it does not")
    }
    let texts = Self.texts(of: found)
    promise(texts == Self.texts(of: single), "\(found.pattern) reads \(url) as \(texts), alone otherwise")
    for item in found.query { _ = (item.name, item.value) }
    let other = try? reversed.match(url)
    promise(
      other?.action == found.action, "\(found.pattern) takes \(url), and not where the order is another")
    for rival in rivals.indices
    where rival != found.action && table.routes.contains(where: { $0.action == rival }) {
      guard taken(by: rival, url) != nil else { continue }
      let pair = try? Self.table([
        (offset: found.action, element: rivals[found.action]), (offset: rival, element: rivals[rival]),
      ]).match(url)
      promise(
        pair?.action == found.action,
        "\(rivals[found.action]) wins \(url) among all, and not against \(rivals[rival]) alone")
    }
  }

  private static func table(
    _ patterns: some Sequence<(offset: Int, element: RoutePattern)>
  ) throws(RouteTableError) -> RouteTable<Int> {
    var builder = RouteTableBuilder<Int>()
    for (index, pattern) in patterns {
      try builder.add(
        [pattern], id: "r\(index)", action: index, at: SourceLocation(file: "input", line: index + 1))
    }
    return builder.buildSettingAside().table
  }

  private func taken(by action: Int, _ url: String) -> RouteMatch<Int>? { try? alone[action].match(url) }

  private static func texts(of match: RouteMatch<Int>) -> [String] {
    match.pattern.captures.map { capture in
      let list = match[list: capture.name].map { Array($0).description } ?? ""
      let numbers = "\(match[int: capture.name] ?? 0) \(match[uint: capture.name] ?? 0)"
      return
        "\(capture.name)=\(match[capture.name] ?? "-") \(list) \(numbers) \(match[bool: capture.name] ?? false)"
    } + match.values.map { "\($0.name): \($0.value)" }
  }

  /// The witness of a conflict is taken by both sides.
  private static func check(_ conflict: RouteConflict) throws(RouteTableError) {
    promise(!conflict.description.isEmpty, "a conflict says something")
    for side in [conflict.first, conflict.second] {
      var builder = RouteTableBuilder<Int>()
      try builder.add([side.pattern], id: side.id, action: 0, at: side.location)
      let match = try? builder.buildSettingAside().table.match(conflict.witness)
      promise(match != nil, "\(side.pattern) does not take the witness of \(conflict)")
    }
  }
}
