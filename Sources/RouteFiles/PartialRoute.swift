internal import RouteTables

/// A route as a file says it, before the table is built.
struct PartialRoute {
  /// Whose route it is, and what it is called; once in a table.
  struct Name: Hashable {
    let owner: String
    let id: String
  }

  var name: Name
  let location: SourceLocation
  var rank: PolicyLayer
  let directory: Int
  var patterns: [RoutePattern] = []
  var patternLocations: [SourceLocation] = []
  var action: RouteAction
  var conditions: [RouteCondition] = []
  var winsOver: [(name: String, location: SourceLocation)] = []
  /// The captures whose texts are not shown to who asks why.
  var secretCaptures: Set<String> = []
  /// Whether its file wants no order where two routes cross.
  var refusesCrossing = false
  /// Whether URLs are made of it.
  var generates = true
  var tests: [RouteFileTest] = []

  /// The drafts that count: one for each owner and name.
  ///
  /// A route in a higher folder replaces the one of the same owner and name in a lower one, as files do in XDG folders. Within
  /// one folder both are set aside, except those that deny: the order of files cannot say which one is meant.
  static func named(_ drafts: [PartialRoute], diagnostics: inout [RouteFileDiagnostic]) -> [PartialRoute] {
    var kept: [PartialRoute] = []
    for group in Dictionary(grouping: drafts, by: \.name).values {
      guard let highest = group.map(\.place).min(by: <) else { continue }
      let first = group.filter { $0.place == highest }
      let denials = first.filter(\.denies)
      for (number, staying) in (first.count == 1 ? first : denials).enumerated() {
        var draft = staying
        // A name stands in a table once.
        if number > 0 {
          draft.name = Name(owner: draft.name.owner, id: "\(draft.name.id) (\(draft.location))")
        }
        kept.append(draft)
      }
      for draft in first.dropFirst() {
        diagnostics.append(
          RouteFileDiagnostic(
            .conflict, draft.location,
            "there is a route `\(draft.name.id)` of `\(draft.name.owner)` already, at \(first[0].location): "
              + (denials.isEmpty
                ? "both are set aside, rename one" : "what denies stays in force, rename one")))
      }
    }
    return kept.sorted {
      ($0.place.0, $0.place.1, $0.location.file, $0.location.line, $0.location.column)
        < ($1.place.0, $1.place.1, $1.location.file, $1.location.line, $1.location.column)
    }
  }

  /// Whether it denies, asks or is final.
  var mayForbid: Bool {
    switch action {
    case .deny, .ask: true
    default: rank == .finalAdministrator
    }
  }

  private var place: (Int, Int) { (rank.rawValue, directory) }

  /// Whether it denies what it matches.
  var denies: Bool { if case .deny = action { true } else { false } }
}
