// SPDX-License-Identifier: Apache-2.0
internal import RouteTables

/// Parses one route file, and continues after every diagnostic.
///
/// The top-level keys and the types, which all files of an owner share, are read first, and then the routes.
struct RouteFileReader {
  let source: RouteFileSource
  var diagnostics: [RouteFileDiagnostic] = []
  private(set) var drafts: [PartialRoute] = []
  /// The parts of the file that may forbid links and have errors; only in the administrator's files.
  private(set) var gaps: [RouteGap] = []
  /// The patterns of the current route; empty if they depend on anything with an error.
  private var patterns: [RoutePattern] = []
  /// The owner of the routes; `nil` if the file has none.
  private(set) var owner: String?
  /// The top-level keys of the file; empty if it cannot be parsed.
  private(set) var members: [TomlMember] = []
  private(set) var refusesCrossing = false
  /// Indicates whether the top-level keys have no errors.
  private(set) var isSound = false
  private(set) var settings = RouteSettings()
  private(set) var groups: [String: RouteGroup] = [:]
  /// The number of errors, including those that are not reported.
  private(set) var faults = 0
  /// The pool of the patterns of all files.
  var sharing = PatternSharing()
  /// The names of types with errors.
  var brokenTypes: Set<String> = []
  /// The types that patterns can use.
  private var visible = TypeCatalog.Visible()
  var types: [RouteType] { visible.types }

  /// Parses the file and reads its top-level keys.
  init(_ source: RouteFileSource) {
    self.source = source
    let document: TomlDocument
    do {
      document = try TomlDocument(source.text, file: source.name)
    } catch {
      let place = SourceLocation(file: source.name, line: error.line, column: error.column)
      report(.syntax, at: place, "invalid TOML: \(error.message)")
      leaveGap(.everything, isFinal: true)
      return
    }
    guard case .table(let members) = document.root.content else { return }
    let start = SourceLocation(file: source.name, line: 1)
    owner = string("owner", of: members)
    guard readFormat(members, at: start) else {
      // In another format the keys may have any meaning, so the file may forbid everything.
      leaveGap(.everything, isFinal: true)
      return
    }
    if owner == nil, !members.contains(where: { $0.key == "owner" }) {
      report(.shape, at: start, "`owner` is missing: write `owner = \"…\"`, an application's ID or `user`")
    }
    self.members = members
    let before = faults
    refuseUnknown(members, RouteFileKeys.file)
    settings = readSettings(members, over: RouteSettings())
    refusesCrossing = choice("overlap", of: members, ["error": true, "first-difference": false]) ?? false
    isSound = faults == before && owner != nil
  }

  /// The names of all routes of the file, with errors or not.
  var routeNames: [PartialRoute.Name] {
    guard let member = members.first(where: { $0.key == "route" }),
      case .table(let routes) = member.value.content
    else { return [] }
    return routes.map { PartialRoute.Name(owner: owner ?? "", id: $0.key) }
  }

  /// Reads the groups and the routes; `visible` are the types of the owner.
  mutating func readRoutes(_ visible: TypeCatalog.Visible) {
    self.visible = visible
    // Another file's type of this name is not the one that the file means.
    self.visible.types.removeAll { brokenTypes.contains($0.name) }
    for member in members where member.key == "group" {
      for (group, members) in tables(member, "[group.NAME]") { groups[group.key] = readGroup(group, members) }
    }
    for member in members where member.key == "route" {
      let (faultsBefore, reported) = (faults, diagnostics.count)
      let routes = tables(member, "[route.NAME]")
      if faults != faultsBefore { leaveGap(.everything, isFinal: true, since: reported) }
      for (route, members) in routes {
        let (before, reported) = (faults, diagnostics.count)
        let draft = readRoute(route, members)
        // A route with an error would do something other than intended, so it is dropped.
        if let draft, faults == before, isSound {
          drafts.append(draft)
        } else {
          leaveGap(of: members, patterns, since: reported)
        }
      }
    }
    leaveGapsOfUnknownTables()
    if faults > 0 { leaveGapsOfMisplacedRoutes() }
  }

  mutating func report(_ kind: RouteFileDiagnostic.Kind, at location: SourceLocation, _ message: String) {
    diagnostics.append(RouteFileDiagnostic(kind, at: location, message))
    faults += 1
  }

  /// Reports an error in a pattern, unless it is about a type whose error was already reported.
  mutating func report(_ error: RouteTableError, at location: SourceLocation) {
    guard case .unknownType(let name, _) = error.reason else {
      return report(.pattern, at: location, error.message)
    }
    if brokenTypes.contains(name) {
      faults += 1
    } else {
      report(.pattern, at: location, visible.unusable[name] ?? error.message)
    }
  }

  mutating func refuseUnknown(_ members: [TomlMember], _ keys: RouteFileKeys) {
    for member in members {
      if let refusal = keys.refusal(of: member.key) { report(.shape, at: member.keyLocation, refusal) }
    }
  }

  /// Returns whether the file has the supported format; in another one the keys may have any meaning.
  private mutating func readFormat(_ members: [TomlMember], at start: SourceLocation) -> Bool {
    guard let format = members.first(where: { $0.key == "format" }) else {
      report(.shape, at: start, "`format` is missing: write `format = 1`")
      return false
    }
    guard case .integer(1) = format.value.content else {
      report(.shape, at: format.value.location, "unknown format: write `format = 1`")
      return false
    }
    return true
  }

  /// Records a gap with the first diagnostic after the first `reported` ones as its reason.
  mutating func leaveGap(_ extent: RouteGap.Extent, isFinal: Bool, since reported: Int = 0) {
    guard source.rank == .administrator else { return }
    let diagnostic = diagnostics.dropFirst(reported).first ?? diagnostics.first
    let place = diagnostic?.location ?? SourceLocation(file: source.name, line: 1)
    gaps.append(RouteGap(extent, isFinal: isFinal, location: place, reason: Self.reason(diagnostic, place)))
  }

  private mutating func readRoute(_ route: TomlMember, _ members: [TomlMember]) -> PartialRoute? {
    refuseUnknown(members, RouteFileKeys.route)
    let unknown = faults
    let group = readGroupName(members)
    patterns = []
    var settings = readSettings(members, over: group?.settings ?? self.settings)
    // Restrictive routes match every form of a URL, including a user before the host, unless the route narrows that.
    let restricts = members.contains { $0.key == "deny" || $0.key == "ask" } || mayForbid(members)
    settings.options.user = settings.user ?? (restricts ? .any : .written)
    let before = faults
    let scheme = members.first { $0.key == "scheme" }
    let patterns =
      scheme.map { readScheme($0, members: members, group: group, options: settings.options) }
      ?? readMatch(members, of: route, under: group?.bases ?? [], settings.options, restricts: restricts)
    if faults == unknown, isSound, group?.isSound ?? true, !members.contains(where: mayChangePatterns) {
      self.patterns = patterns.map(\.pattern)
    }
    // If the patterns have errors, the captures are unknown and must not be reported as missing.
    let filling = scheme == nil ? patterns.map(\.pattern) : Self.withoutCaptures
    let action = readAction(members, of: route, faults == before ? filling : [])
    let conditions = readConditions(members, action, over: group)
    let winsOver = readWinsOver(members)
    let isFinal = readFinal(members)
    let generates = readTruth(members.first { $0.key == "generate" }, orElse: true)
    let secrets = readSecret(members, faults == before ? patterns.map(\.pattern) : nil)
    let tests = readTests(members, of: route.key, owner: owner ?? "")
    guard let action, group?.isSound ?? true else { return nil }
    return PartialRoute(
      name: PartialRoute.Name(owner: owner ?? "", id: route.key), location: route.keyLocation,
      rank: isFinal ? .finalAdministrator : action.comesFirst ? .cleaning : source.rank,
      directory: isFinal && source.finality == .foremost ? PartialRoute.foremost : source.directory,
      home: (source.rank, source.directory), patterns: patterns.map(\.pattern),
      patternLocations: patterns.map(\.location), action: action, conditions: conditions, winsOver: winsOver,
      secretCaptures: secrets, refusesCrossing: refusesCrossing, generates: generates, tests: tests)
  }

  private mutating func readGroupName(_ members: [TomlMember]) -> RouteGroup? {
    guard let name = string("group", of: members) else { return nil }
    if let group = groups[name] { return group }
    let nearest =
      name.nearest(in: groups.keys.sorted().prefix(64)).map { "; the nearest is `\($0)`" }
      ?? ": write `[group.\(name)]`"
    if let location = members.first(where: { $0.key == "group" })?.value.location {
      report(.shape, at: location, "unknown group `\(name)`" + nearest)
    }
    return nil
  }

  private mutating func readWinsOver(_ members: [TomlMember]) -> [(name: String, location: SourceLocation)] {
    guard let value = members.first(where: { $0.key == "wins_over" })?.value else { return [] }
    return texts(value, "the name of a route, `NAME` or `OWNER/NAME`").map { ($0.text, $0.location) }
  }

  private mutating func readFinal(_ members: [TomlMember]) -> Bool {
    guard let member = members.first(where: { $0.key == "final" }) else { return false }
    guard case .boolean(let isFinal) = member.value.content else {
      report(.shape, at: member.value.location, "write `final = true`, or remove the key")
      return false
    }
    guard isFinal, source.rank != .administrator || source.finality == .refused else { return isFinal }
    guard source.rank == .administrator else {
      report(
        .shape, at: member.keyLocation,
        "`final` is valid only in the administrator's files, in \(RouteDirectory.system)")
      return false
    }
    let writable = source.writable ?? WritableFile(source.name, nil)
    diagnostics.append(
      RouteFileDiagnostic(
        .ownership, at: member.keyLocation,
        "`final` has an effect only if users other than root cannot write the file and the directories above it, "
          + "but \(writable.reason): \(writable.correction(moving: "the file"))",
        command: writable.command, cause: writable.reason))
    faults += 1
    return false
  }
}
