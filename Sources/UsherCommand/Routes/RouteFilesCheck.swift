// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import RouteAnalysis
import DBus
import RouteFiles
import RouteTables

/// A check of the route files of one or more layers, each of which has its own table.
struct RouteFilesCheck {
  /// The diagnostics of the files, including failed tests.
  let diagnostics: [RouteFileDiagnostic]
  /// The files and directories of the administrator that other users can change or that users cannot read, unless `diagnostics` says so.
  let permissionWarnings: [RouteFileDiagnostic]
  /// The proven problems of routes, such as routes that never win.
  private(set) var findings: [RouteDiagnostic] = []
  /// The possible problems of routes, with their locations.
  private(set) var warnings: [(location: SourceLocation, sentence: String)] = []
  private(set) var limits: [String] = []
  private(set) var undecided: [UndecidedQuestion] = []
  private(set) var furtherUndecided = 0
  private(set) var isComplete = true
  /// The numbers of routes and of tests.
  private(set) var (routes, tests) = (0, 0)
  /// The maximum number of branches that a URL can follow at once.
  private(set) var width = 0

  /// Checks the tables of `sets`, and runs their tests; `diagnostics` are those of parsing the files.
  init(of sets: [RouteFileSet], _ diagnostics: [RouteFileDiagnostic], isStrict: Bool) {
    self.diagnostics = diagnostics + sets.flatMap { $0.runTests() }
    permissionWarnings = sets.flatMap(\.permissionWarnings)
    let applications =
      isStrict
      ? RouteApplicationCheck(catalog: UserEnvironment.catalog, browsers: UserEnvironment.browsers) : nil
    for set in sets {
      let check = set.table.check(isStrict: isStrict) { $0.rewrites }
      findings += check.findings.filter { !Self.isIntended($0, in: set.table) }
      isComplete = isComplete && check.isComplete
      limits += check.gaps.limits.map(\.description).filter { !limits.contains($0) }
      let shown = check.gaps.undecided.prefix(AnalysisGaps.limit - undecided.count)
      undecided += shown
      furtherUndecided += check.gaps.furtherUndecided + check.gaps.undecided.count - shown.count
      warnings +=
        applications.map { set.table.warnings + $0.warnings(of: set.table) }
        ?? set.table.certainWarnings { route in
          set.tests.contains {
            $0.mustMatch && $0.route == route.id && $0.owner == route.owner && $0.url.contains("*")
          }
        }
      warnings += set.table.missingSlashWarnings + set.table.missingPathWarnings
      if isStrict { warnings += set.table.rememberWarnings }
      warnings += RoutePolicyCheck(set).warnings
      routes += set.table.routes.count
      tests += set.tests.count
      width = max(width, set.table.width)
    }
  }

  /// Returns whether a diagnostic is about an overlap of routes whose order has no effect.
  private static func isIntended(_ finding: RouteDiagnostic, in table: RouteTable<RouteAction>) -> Bool {
    guard case .crossing(let overlap) = finding.kind, overlap.routeIndices.count == 2 else { return false }
    return RouteAction.cleansInAnyOrder(
      table.routes[overlap.routeIndices[0]], table.routes[overlap.routeIndices[1]])
  }

  /// The number of all problems.
  var count: Int { diagnostics.count + permissionWarnings.count + findings.count + warnings.count }

  /// Returns the check as one JSON object; with `likely-mistakes`, even if empty, if the caller requested them.
  func entries(withDoubts isAsked: Bool) -> [String: Variant] {
    var entries: [String: Variant] = [
      "diagnostics": .dictionaries((diagnostics + permissionWarnings).map(\.entries)),
      "findings": .dictionaries(findings.map(\.entries)),
      "complete": .boolean(isComplete), "limits": .strings(limits),
      "undecided": .dictionaries(undecided.map(\.entries)),
      "routes": .int64(Int64(routes)), "width": .int64(Int64(width)),
    ]
    guard isAsked || !warnings.isEmpty else { return entries }
    entries["likely-mistakes"] = .array(
      of: "a{sv}",
      warnings.map { location, sentence in
        .dictionary(location.entries.merging(["message": .string(sentence)]) { $1 })
      })
    return entries
  }
}

extension RouteDiagnostic {
  /// The keys for JSON, some of which depend on the kind.
  ///
  /// `file` s, `line` x, `column` x, `kind` s, `route` s, `owner` s, `message` s; `others` as; `witness` s of a route that wins only
  /// empty segments; `other-owners` as and `can-win-over` aa{sv} of a route that never wins, or only these; for an overlap `winner` s,
  /// `winner-owner` s, `loser` s, `can-win-over` aa{sv}, `witness` s, `context` a{sv} and, if another route wins the witness, `witness-winner` s.
  fileprivate var entries: [String: Variant] {
    var entries = route.location.entries
    func addRivals() {
      let names = Set(rivals.map { [$0.owner, $0.id] }).sorted { $0.lexicographicallyPrecedes($1) }
      entries["can-win-over"] = .dictionaries(
        names.map { ["owner": .string($0[0]), "route": .string($0[1])] })
    }
    func addWinners(_ others: [RouteConflict.Side]) {
      entries["others"] = .array(of: "s", others.map { .string($0.id) })
      entries["other-owners"] = .array(of: "s", others.map { .string($0.owner) })
      addRivals()
    }
    entries["route"] = .string(route.id)
    entries["owner"] = .string(route.owner)
    entries["message"] = .string(description)
    switch kind {
    case .matchesNothing: entries["kind"] = .string("matches-nothing")
    case .neverHolds: entries["kind"] = .string("never-holds")
    case .neverWins(let others, _):
      entries["kind"] = .string("never-wins")
      addWinners(others)
    case .winsOnlyEmptySegments(let others, let witness):
      entries["kind"] = .string("wins-only-empty-segments")
      addWinners(others)
      entries["witness"] = .string(witness.url)
    case .nothingToWin(let other), .winsAnyway(let other), .layerDecides(let other):
      entries["kind"] = .string("pointless-wins-over")
      entries["others"] = .array(of: "s", [.string(other)])
    case .crossing(let decision):
      entries["kind"] = .string("overlap")
      entries["winner"] = .string(decision.winner.id)
      entries["winner-owner"] = .string(decision.winner.owner)
      entries["loser"] = .string(decision.loser.id)
      addRivals()
      entries["witness"] = .string(decision.witness.url)
      entries["context"] = .dictionary(decision.witness.context.mapValues { .string($0) })
      if let witnessWinner = decision.witnessWinner { entries["witness-winner"] = .string(witnessWinner) }
    }
    return entries
  }
}

extension UndecidedQuestion {
  /// The keys for JSON: `file` s, `line` x, `column` x, `route` s, `others` as and `message` s.
  fileprivate var entries: [String: Variant] {
    var entries = route.location.entries
    entries["route"] = .string(route.id)
    switch kind {
    case .wins: break
    case .crosses(let other): entries["others"] = .strings([other.id])
    case .needsWinsOver(let id): entries["others"] = .strings([id])
    }
    entries["message"] = .string(description)
    return entries
  }
}
