// SPDX-License-Identifier: Apache-2.0
import RouteAnalysis
internal import RouteTables

/// Combines the routes of all files into one table.
struct RouteFileAssembly {
  private(set) var drafts: [PartialRoute]
  private(set) var diagnostics: [RouteFileDiagnostic]
  /// The routes that may forbid links and are not part of the table.
  private(set) var gaps: [RouteGap] = []
  /// The names of all routes in the files, with errors or not.
  private let named: Set<PartialRoute.Name>

  init(_ readers: [RouteFileReader], diagnostics: [RouteFileDiagnostic]) {
    var diagnostics = diagnostics
    let denials = readers.filter(\.source.onlyDenies).flatMap { Self.denials(of: $0, &diagnostics) }
    drafts = PartialRoute.named(
      readers.filter { !$0.source.onlyDenies }.flatMap(\.drafts), denials: denials,
      diagnostics: &diagnostics)
    self.diagnostics = diagnostics
    named = Set(readers.flatMap(\.routeNames))
  }

  /// Returns the routes with `deny` of a file of which the others do not count, without effect on other routes.
  private static func denials(
    of reader: RouteFileReader, _ diagnostics: inout [RouteFileDiagnostic]
  ) -> [PartialRoute] {
    let others = reader.drafts.filter { !$0.denies }
    if let first = others.first {
      let command = WritableFile.command(for: reader.source.name)
      diagnostics.append(
        RouteFileDiagnostic(
          .conflict, at: first.location,
          "users other than root can write this file or its directory, and users' routes are disabled, so only its routes with "
            + "`deny` count, and not \(others.map { "`\($0.name.id)`" }.joined(separator: ", ")); run: \(command)"
        ))
    }
    return reader.drafts.filter(\.denies).map { draft in
      var draft = draft
      (draft.winsOver, draft.refusesCrossing) = ([], false)
      return draft
    }
  }

  mutating func build(winsOverBudget: WinsOver.Budget) -> RouteTable<RouteAction> {
    checkWinsOver()
    var builder = RouteTableBuilder<RouteAction>(winsOverBudget: winsOverBudget)
    for draft in drafts { add(draft, to: &builder) }
    var (table, conflicts, faults) = builder.buildSkippingAllConflicts()
    for conflict in conflicts {
      diagnostics.append(RouteFileDiagnostic(.conflict, at: conflict.second.location, conflict.description))
    }
    for fault in faults {
      let place = fault.location ?? SourceLocation(file: drafts.first?.location.file ?? "", line: 1)
      diagnostics.append(
        RouteFileDiagnostic(.conflict, at: place, fault.message + Self.consequence(of: fault)))
    }
    refuseLost(in: table)
    // Routes that deny or ask stay in force, so that no mistake opens a link.
    let crossing = refusedCrossings(in: table).subtracting(
      drafts.filter(\.restricts).map(\.name))
    guard !crossing.isEmpty else { return table }
    table = table.filter { !crossing.contains(PartialRoute.Name(owner: $0.owner, id: $0.id)) }
    // Other pairs may be beyond the limit in this table, which has fewer routes.
    refuseLost(in: table)
    return table
  }

  /// Records a gap for each route of the administrator that denies or asks and does not decide its links as it is written.
  ///
  /// It asks and is not in the table, because it conflicts with one that denies; or its `wins_over` has no effect on a less strict
  /// route.
  private mutating func refuseLost(in table: RouteTable<RouteAction>) {
    let kept = Dictionary(
      table.routes.map { (PartialRoute.Name(owner: $0.owner, id: $0.id), Set($0.winsOver)) }
    ) { first, _ in first }
    let strictness = Dictionary(drafts.map { ($0.name, $0.strictness) }) { max($0, $1) }
    for draft in drafts where draft.restricts && draft.isAdministrators {
      // A route that could not be added has a gap already.
      guard !gaps.contains(where: { $0.location == draft.location }) else { continue }
      let problem: String
      if let winsOver = kept[draft.name] {
        let lost = draft.winsOver.first { entry in
          !winsOver.contains(entry.name)
            && Self.names(entry.name, draft.name.owner).contains {
              kept[$0] != nil && strictness[$0, default: 0] < draft.strictness
            }
        }
        guard let lost else { continue }
        problem = "the route `\(draft.name.id)` has `wins_over` `\(lost.name)`, which cannot be satisfied"
      } else if draft.asks {
        problem = "the route `\(draft.name.id)` asks and conflicts with a route that denies"
      } else {
        continue
      }
      refuse(draft, because: RouteFileDiagnostic(.conflict, at: draft.location, problem))
    }
  }

  private mutating func refuse(_ draft: PartialRoute, because diagnostic: RouteFileDiagnostic) {
    gaps.append(
      RouteGap(
        .patterns(draft.patterns), isFinal: draft.rank == .finalAdministrator, location: diagnostic.location,
        reason: RouteFileReader.reason(diagnostic, diagnostic.location)))
  }

  /// Returns what a `wins_over` that cannot be satisfied means until it is corrected.
  private static func consequence(of fault: RouteTableError) -> String {
    let lost: [(winner: String, loser: String)]
    var count: Int?
    switch fault.reason {
    case .circularPrecedence(_, let ignored): lost = ignored.map { ($0.first.id, $0.second.id) }
    case .tooManyComparisons(let ignored, let all):
      (lost, count) = (ignored.map { ($0.first.id, $0.second.id) }, all)
    case .unreachable(let loser, let winner): lost = [(winner, loser)]
    default: return ""
    }
    let shown = lost.prefix(8).map { "`\($0.winner)` does not win over `\($0.loser)`" }.joined(
      separator: ", and ")
    let more = (count ?? lost.count) - 8
    return "; until this is corrected, \(shown)" + (more > 0 ? ", and \(more) more rules have no effect" : "")
  }

  /// Returns the routes that overlap another route of their owner, if a file rejects such overlaps.
  private mutating func refusedCrossings(in table: RouteTable<RouteAction>) -> Set<PartialRoute.Name> {
    let refusing = Set(drafts.filter(\.refusesCrossing).map(\.name))
    var crossing: Set<PartialRoute.Name> = []
    guard !refusing.isEmpty else { return [] }
    let names = table.routes.map { PartialRoute.Name(owner: $0.owner, id: $0.id) }
    let foremost = Set(drafts.filter(\.isForemost).map(\.name))
    let (decisions, gaps) = table.overlaps(limit: .max) { one, other in
      names[one].owner == names[other].owner
        && (refusing.contains(names[one]) || refusing.contains(names[other]))
        // Another directory must not remove the final routes of the administrator's own.
        && foremost.contains(names[one]) == foremost.contains(names[other])
    }
    for decision in decisions {
      crossing.formUnion(decision.routeIndices.map { names[$0] })
      diagnostics.append(
        RouteFileDiagnostic(
          .conflict, at: decision.loser.location,
          "the routes \(decision.winner) and \(decision.loser) overlap, for example \(decision.witness)"
            + (decision.witnessWinner.map { ", which `\($0)` matches" } ?? "") + ", so `overlap = \"error\"` "
            + "leaves out those that neither deny nor ask: add `wins_over` to the one that is meant to win, or make one narrower"
        ))
    }
    if let gap = gaps.sentences.first, let first = drafts.first(where: \.refusesCrossing) {
      diagnostics.append(
        RouteFileDiagnostic(
          .conflict, at: first.location,
          "`overlap = \"error\"`: \(gap); run `usher routes check --strict` for details, or write `overlap = \"first-difference\"` to allow it"
        ))
    }
    return crossing
  }

  private mutating func add(_ draft: PartialRoute, to builder: inout RouteTableBuilder<RouteAction>) {
    do {
      try builder.add(
        draft.patterns, id: draft.name.id, owner: draft.name.owner, action: draft.action, at: draft.location,
        patternLocations: draft.patternLocations, rank: draft.rank, directory: draft.directory,
        when: draft.conditions,
        winsOver: draft.winsOver.map(\.name), generates: draft.generates,
        secretCaptures: draft.secretCaptures,
        denies: draft.denies, asks: draft.asks)
    } catch {
      let diagnostic = RouteFileDiagnostic(.shape, at: error.location ?? draft.location, error.message)
      diagnostics.append(diagnostic)
      guard draft.mayForbid, draft.isAdministrators else { return }
      refuse(draft, because: diagnostic)
    }
  }

  /// Reports entries of `wins_over` that name no route, and drops those that name a dropped route.
  private mutating func checkWinsOver() {
    let there = Set(drafts.map(\.name))
    let foremost = Set(drafts.filter(\.isForemost).map(\.name))
    for index in drafts.indices {
      let owner = drafts[index].name.owner
      var kept: [(name: String, location: SourceLocation)] = []
      for entry in drafts[index].winsOver {
        let names = Self.names(entry.name, owner)
        if !names.contains(where: { named.contains($0) }) {
          // With a hundred diagnostics the search for the nearest name is skipped, because it takes long.
          let nearest = diagnostics.count < 100 ? nearest(to: entry.name, drafts[index].name) : nil
          let diagnostic = RouteFileDiagnostic(
            .shape, at: entry.location, "unknown route `\(entry.name)`" + (nearest ?? ""))
          diagnostics.append(diagnostic)
          // Without this entry the route may lose to the one that was meant, which opens the links.
          if drafts[index].restricts, drafts[index].isAdministrators {
            refuse(drafts[index], because: diagnostic)
          }
        }
        guard names.contains(where: { there.contains($0) }) else { continue }
        guard !drafts[index].isForeign || names.allSatisfy({ !foremost.contains($0) }) else {
          diagnostics.append(
            RouteFileDiagnostic(
              .shape, at: entry.location,
              "`\(entry.name)` is a final route of \(RouteDirectory.system), before which no route of another directory comes: "
                + "move this route there, or remove the entry"))
          continue
        }
        kept.append(entry)
      }
      drafts[index].winsOver = kept
    }
  }

  private func nearest(to name: String, _ route: PartialRoute.Name) -> String? {
    let others = named.filter { $0 != route }
    if let other = others.filter({ $0.id == name }).min(by: { $0.owner < $1.owner }) {
      return "; the nearest is `\(other.owner)/\(other.id)`"
    }
    let known = others.map { $0.owner == route.owner ? $0.id : "\($0.owner)/\($0.id)" }.sorted()
    return name.nearest(in: known).map { "; the nearest is `\($0)`" }
  }

  /// Returns the possible meanings of an entry of `wins_over`: `ID` of the same owner, or `OWNER/ID`.
  private static func names(_ text: String, _ owner: String) -> [PartialRoute.Name] {
    var names = [PartialRoute.Name(owner: owner, id: text)]
    if let slash = text.unicodeScalars.firstIndex(of: "/") {
      names.append(
        PartialRoute.Name(
          owner: String(text[..<slash]), id: String(text[text.unicodeScalars.index(after: slash)...])))
    }
    return names
  }
}
