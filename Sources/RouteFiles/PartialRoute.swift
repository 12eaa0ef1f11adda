// SPDX-License-Identifier: Apache-2.0
internal import RouteTables

/// A parsed route of a file, before the table is built.
struct PartialRoute {
  /// The owner and ID of a route, which are unique in a table.
  struct Name: Hashable {
    let owner: String
    let id: String
  }

  var name: Name
  let location: SourceLocation
  var rank: PolicyLayer
  let directory: Int
  /// The policy layer and the directory of its file.
  let home: (layer: PolicyLayer, directory: Int)
  var patterns: [RoutePattern] = []
  var patternLocations: [SourceLocation] = []
  var action: RouteAction
  var conditions: [RouteCondition] = []
  var winsOver: [(name: String, location: SourceLocation)] = []
  /// The captures whose values explanations do not show.
  var secretCaptures: Set<String> = []
  /// Indicates whether its file rejects overlaps between two routes of an owner.
  var refusesCrossing = false
  /// Indicates whether URLs can be generated from it.
  var generates = true
  var tests: [RouteFileTest] = []

  /// Returns the effective routes: one for each owner and name.
  ///
  /// A route in a directory of higher precedence replaces the one of the same owner and name in a lower one, as files
  /// do in XDG directories; a final route is replaced by final ones only. Within one directory both are dropped, except those
  /// that deny or ask and a single final one, because the order of files cannot decide which one is meant.
  ///
  /// - Parameter denials: routes with `deny` that replace no other route.
  static func named(
    _ drafts: [PartialRoute], denials: [PartialRoute], diagnostics: inout [RouteFileDiagnostic]
  ) -> [PartialRoute] {
    var kept: [PartialRoute] = []
    for group in Dictionary(grouping: drafts, by: \.name).values {
      let finals = first(of: group.filter(\.isFinal), by: \.place)
      var others = first(of: group.filter { !$0.isFinal }) { ($0.home.layer.rawValue, $0.home.directory) }
      if let final = finals.first, let other = others.first {
        if final.home < other.home { others = [] }
        // A final route replaces the routes of an earlier directory, which comes before its own, except those that deny or ask.
        if other.home < final.home { others = others.filter(\.restricts) }
      }
      let first = finals + others
      let staying =
        first.count == 1 ? first : first.filter { $0.restricts || $0.isFinal && finals.count == 1 }
      for (number, staying) in staying.enumerated() {
        var draft = staying
        // Route names must be unique in a table, so the location is added.
        if number > 0 { draft.name = draft.nameWithLocation }
        kept.append(draft)
      }
      let restrict = staying.allSatisfy(\.restricts)
      let consequence =
        switch staying.count {
        case 0: "both are ignored"
        case first.count:
          "both are in force, because they \(restrict ? "deny or ask" : "deny, ask or are final")"
        default: "only the one that \(restrict ? "denies or asks" : "denies, asks or is final") is in force"
        }
      for draft in first.dropFirst() {
        diagnostics.append(
          RouteFileDiagnostic(
            .conflict, at: draft.location,
            "the route `\(draft.name.id)` of `\(draft.name.owner)` is already defined at \(first[0].location), so \(consequence): rename one"
          ))
      }
    }
    var names = Set(kept.map(\.name))
    for var draft in denials {
      if !names.insert(draft.name).inserted { draft.name = draft.nameWithLocation }
      kept.append(draft)
    }
    return kept.sorted {
      ($0.place.0, $0.place.1, $0.location.file, $0.location.line, $0.location.column)
        < ($1.place.0, $1.place.1, $1.location.file, $1.location.line, $1.location.column)
    }
  }

  /// Returns the routes with the first place, which is a layer and a directory.
  private static func first(of drafts: [PartialRoute], by place: (PartialRoute) -> (Int, Int))
    -> [PartialRoute]
  {
    guard let first = drafts.map(place).min(by: <) else { return [] }
    return drafts.filter { place($0) == first }
  }

  private var nameWithLocation: Name { Name(owner: name.owner, id: "\(name.id) (\(location))") }

  /// Indicates whether it denies, asks or is final.
  var mayForbid: Bool {
    switch action {
    case .deny, .ask: true
    default: isFinal
    }
  }

  private var isFinal: Bool { rank == .finalAdministrator }

  private var place: (Int, Int) { (rank.rawValue, directory) }

  /// Indicates whether it is a final route of the administrator's own directory.
  var isForemost: Bool { directory == Self.foremost }

  /// Indicates whether it is a final route of another directory, from which a user may choose.
  var isForeign: Bool { isFinal && !isForemost }

  /// The index of the administrator's own directory for final routes.
  static let foremost = -1

  /// Indicates whether it denies the URLs that it matches.
  var denies: Bool { if case .deny = action { true } else { false } }

  /// The degree to which it restricts the URLs that it matches: 2 if it denies, 1 if it asks, otherwise 0.
  var strictness: Int { denies ? 2 : asks ? 1 : 0 }

  /// Indicates whether it denies or asks, so that an error in it must not open a link.
  var restricts: Bool { strictness > 0 }

  /// Indicates whether the administrator wrote it.
  var isAdministrators: Bool { rank == .administrator || rank == .finalAdministrator }

  /// Indicates whether it asks the user about the URLs that it matches.
  var asks: Bool { if case .ask = action { true } else { false } }
}
