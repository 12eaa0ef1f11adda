import DBus
import RouteFiles
import RouteTables

/// Everything that is wrong with the route files of one layer or of several, each of which has a table of its own.
struct RouteFilesCheck {
  /// What is wrong with the files, failed tests among it.
  let diagnostics: [RouteFileDiagnostic]
  /// What is proven of routes and hardly ever meant.
  private(set) var findings: [RouteDiagnostic] = []
  /// What is seldom meant, with its place.
  private(set) var doubts: [(location: SourceLocation, sentence: String)] = []
  private(set) var limits: [String] = []
  private(set) var undecided: [UndecidedQuestion] = []
  private(set) var furtherUndecided = 0
  private(set) var isComplete = true
  /// How many routes and tests there are.
  private(set) var (routes, tests) = (0, 0)
  /// How many branches a URL can follow at once, at most.
  private(set) var width = 0

  /// Checks the tables of `sets`, and runs their tests; `diagnostics` are those of reading them.
  init(of sets: [RouteFileSet], _ diagnostics: [RouteFileDiagnostic], isStrict: Bool) {
    self.diagnostics = diagnostics + sets.flatMap { $0.runTests() }
    let applications = isStrict ? RouteApplicationCheck(catalog: UserEnvironment.catalog) : nil
    for set in sets {
      let check = set.table.check(isStrict: isStrict)
      findings += check.findings
      isComplete = isComplete && check.isComplete
      limits += check.gaps.limits.map(\.description).filter { !limits.contains($0) }
      let shown = check.gaps.undecided.prefix(AnalysisGaps.limit - undecided.count)
      undecided += shown
      furtherUndecided += check.gaps.furtherUndecided + check.gaps.undecided.count - shown.count
      doubts += applications.map { set.table.doubts + $0.doubts(of: set.table) } ?? set.table.addressDoubts
      routes += set.table.routes.count
      tests += set.tests.count
      width = max(width, set.table.width)
    }
  }

  /// How many things are wrong.
  var count: Int { diagnostics.count + findings.count + doubts.count }

  /// The check as one JSON object; with `doubts` also where there are none, if these were asked for.
  func entries(withDoubts isAsked: Bool) -> [String: Variant] {
    var entries: [String: Variant] = [
      "complaints": .array(of: "a{sv}", diagnostics.map { .dictionary($0.entries) }),
      "findings": .array(of: "a{sv}", findings.map { .dictionary($0.entries) }),
      "complete": .boolean(isComplete), "limits": .strings(limits),
      "undecided": .array(of: "a{sv}", undecided.map { .dictionary($0.entries) }),
      "routes": .int64(Int64(routes)), "width": .int64(Int64(width)),
    ]
    guard isAsked || !doubts.isEmpty else { return entries }
    entries["doubts"] = .array(
      of: "a{sv}",
      doubts.map { location, sentence in
        .dictionary(location.entries.merging(["message": .string(sentence)]) { $1 })
      })
    return entries
  }
}

extension RouteDiagnostic {
  /// `file` s, `line` x, `column` x, `kind` s, `route` s, `message` s, and what the kind has: `others` as, of a crossing
  /// `winner` s, `loser` s, `witness` s, `context` a{sv} and, where another wins that, `taker` s.
  fileprivate var entries: [String: Variant] {
    var entries = route.location.entries
    entries["route"] = .string(route.id)
    entries["message"] = .string(description)
    switch kind {
    case .matchesNothing: entries["kind"] = .string("matches-nothing")
    case .neverHolds: entries["kind"] = .string("never-holds")
    case .neverWins(let others):
      entries["kind"] = .string("never-wins")
      entries["others"] = .array(of: "s", others.map { .string($0.id) })
    case .nothingToWin(let other), .winsAnyway(let other), .layerDecides(let other):
      entries["kind"] = .string("pointless-wins-over")
      entries["others"] = .array(of: "s", [.string(other)])
    case .crossing(let decision):
      entries["kind"] = .string("crossing")
      entries["winner"] = .string(decision.winner.id)
      entries["loser"] = .string(decision.loser.id)
      entries["witness"] = .string(decision.witness.url)
      entries["context"] = .dictionary(decision.witness.context.mapValues { .string($0) })
      if let taker = decision.taker { entries["taker"] = .string(taker) }
    }
    return entries
  }
}

extension UndecidedQuestion {
  /// `file` s, `line` x, `column` x, `route` s, `others` as and `message` s.
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
