internal import RouteTables

/// Reads one route file into drafts, and goes on after every complaint.
struct RouteFileReader {
  private(set) var complaints: [RouteFileComplaint] = []
  private(set) var drafts: [RouteDraft] = []

  mutating func read(_ source: RouteFileSource) {
    let document: TomlDocument
    do {
      document = try TomlDocument(source.text, file: source.name)
    } catch {
      let place = SourceLocation(file: source.name, line: error.line, column: error.column)
      return complain(.syntax, place, "this is not TOML: \(error.message)")
    }
    guard case .table(let members) = document.root.content else { return }
    let start = SourceLocation(file: source.name, line: 1)
    let owner = string("owner", of: members)
    guard readFormat(members, at: start) else { return }
    if owner == nil, !members.contains(where: { $0.key == "owner" }) {
      complain(.shape, start, "there is no `owner`: write `owner = \"…\"`, an application's ID or `user`")
    }
    for member in members {
      if let refusal = RouteFileKeys.file.refusal(of: member.key) {
        complain(refusal.kind, member.keyLocation, refusal.message)
      } else if member.key == "route" {
        readRoutes(member.value, owner: owner)
      }
    }
  }

  mutating func complain(_ kind: RouteFileComplaint.Kind, _ location: SourceLocation, _ message: String) {
    complaints.append(RouteFileComplaint(kind, location, message))
  }

  /// The non-empty string under `key`; complains if there is something else.
  mutating func string(_ key: String, of members: [TomlMember]) -> String? {
    guard let member = members.first(where: { $0.key == key }) else { return nil }
    guard case .string(let text) = member.value.content else {
      complain(.shape, member.value.location, "`\(key)` is \(member.value.kindName): write a string")
      return nil
    }
    guard !text.isEmpty else {
      complain(.shape, member.value.location, "`\(key)` is empty: write what it says")
      return nil
    }
    return text
  }

  /// Whether the file has the format that this version reads; another one may mean anything by its keys.
  private mutating func readFormat(_ members: [TomlMember], at start: SourceLocation) -> Bool {
    guard let format = members.first(where: { $0.key == "format" }) else {
      complain(.shape, start, "there is no `format`: write `format = 1`")
      return false
    }
    guard case .integer(1) = format.value.content else {
      complain(.shape, format.value.location, "this is not a format that is known: write `format = 1`")
      return false
    }
    return true
  }

  private mutating func readRoutes(_ value: TomlValue, owner: String?) {
    guard case .table(let routes) = value.content else {
      return complain(.shape, value.location, "`route` is \(value.kindName): write `[route.NAME]`")
    }
    for route in routes {
      guard case .table(let members) = route.value.content else {
        complain(.shape, route.keyLocation, "`route.\(route.key)` is \(route.value.kindName): write a table")
        continue
      }
      let before = complaints.count
      let draft = readRoute(route, members, owner: owner ?? "")
      // A route that says something we do not carry out would do something else: it is left out.
      if let draft, complaints.count == before, owner != nil { drafts.append(draft) }
    }
  }

  private mutating func readRoute(_ route: TomlMember, _ members: [TomlMember], owner: String) -> RouteDraft?
  {
    for member in members {
      if let refusal = RouteFileKeys.route.refusal(of: member.key) {
        complain(refusal.kind, member.keyLocation, refusal.message)
      }
    }
    let patterns = readMatch(members, of: route)
    let action = readAction(members, of: route)
    let tests = readTests(members, of: route.key, owner: owner)
    guard let action else { return nil }
    return RouteDraft(
      id: route.key, owner: owner, location: route.keyLocation, patterns: patterns.map(\.0),
      patternLocations: patterns.map(\.1), action: action, tests: tests)
  }

  private mutating func readMatch(
    _ members: [TomlMember], of route: TomlMember
  ) -> [(RoutePattern, SourceLocation)] {
    guard let match = members.first(where: { $0.key == "match" })?.value else {
      complain(.shape, route.keyLocation, "the route `\(route.key)` has no `match`: write `match = \"…\"`")
      return []
    }
    var values = [match]
    if case .array(let elements) = match.content { values = elements }
    if values.isEmpty {
      complain(.shape, match.location, "`match` is an empty list: write a pattern")
    }
    var patterns: [(RoutePattern, SourceLocation)] = []
    for value in values {
      guard case .string(let text) = value.content else {
        complain(.shape, value.location, "a pattern is a string, and this is \(value.kindName)")
        continue
      }
      do {
        let start = value.document.start(of: text, quotedAt: value.location)
        patterns.append((try RoutePattern(text, at: start), value.location))
      } catch {
        complain(.pattern, error.location ?? value.location, error.message)
      }
    }
    return patterns
  }
}
