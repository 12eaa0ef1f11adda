// SPDX-License-Identifier: Apache-2.0
import RegularLanguages
internal import RouteTables

extension RouteFileReader {
  /// Reads the conditions of a route: its own `source`, `target` and `running`, otherwise those of its group.
  mutating func readConditions(
    _ members: [TomlMember], _ action: RouteAction?, over group: RouteGroup?
  ) -> [RouteCondition] {
    let hasSource = members.contains { $0.key == "source" }
    var conditions = hasSource ? readSource(members) : group?.source ?? []
    if case .allow = action, let remote = conditions.first(where: { $0.name == RouteCondition.Name.remote }),
      remote.written.contains(where: { $0.contains("*") }), let place = members.first?.keyLocation
    {
      report(
        .shape, at: members.first { $0.key == "source" }?.value.location ?? place,
        "`allow` names each machine in `source.remote`, so that no other machine gets its rights: "
          + "write names without `*`, such as `remote = \"build.example.org\"`")
    }
    if case .rewrite(let template)? = action, template.scheme == "file" {
      refuseSharedFiles(conditions, members)
    }
    let running = members.contains { $0.key == "running" } ? readRunning(members) : group?.running
    if let running { conditions.append(running) }
    guard let state = readTarget(members) ?? group?.target else { return conditions }
    if case .browse = action, state == .running,
      let place = members.first(where: { $0.key == "target" }) ?? members.first
    {
      report(
        .shape, at: place.keyLocation,
        "`target = \"running\"` needs an application with a name on the bus, which browsers with profiles do not have: name the application in `open`, or remove `target`"
      )
    }
    guard state == .running else {
      let name = InstalledTarget.target(of: action).conditionName
      if let installed = try? RegularLanguage(anyOf: [InstalledTarget.value]) {
        conditions.append(RouteCondition(name, installed))
      }
      return conditions
    }
    let application: String? =
      switch action {
      case .open(let application), .perform(let application, _): application
      default: nil
      }
    if let running = try? RegularLanguage(anyOf: ["running"]) {
      conditions.append(RouteCondition(RouteCondition.Name.target(application), running))
    }
    return conditions
  }

  /// Reports a route that rewrites links of many machines to files of this one, which the broker would refuse.
  private mutating func refuseSharedFiles(_ conditions: [RouteCondition], _ members: [TomlMember]) {
    guard let remote = conditions.first(where: { $0.name == RouteCondition.Name.remote }),
      remote.written.contains(where: { $0.contains("*") }), let place = members.first?.keyLocation
    else { return }
    report(
      .shape, at: members.first { $0.key == "source" }?.value.location ?? place,
      "a `rewrite` to `file:` says of each machine in `source.remote` that it has the same file: "
        + "write names without `*`, such as `remote = \"container:work\"`")
  }

  /// Reads `target`: the state of the application or program that the route starts; `nil` if the table has none.
  mutating func readTarget(_ members: [TomlMember]) -> TargetState? {
    choice("target", of: members, ["running": TargetState.running, "installed": .installed])
  }

  /// Reads `running`: applications of which one must run, or `{ any = […], none = […] }`.
  mutating func readRunning(_ members: [TomlMember]) -> RouteCondition? {
    guard let value = members.first(where: { $0.key == "running" })?.value else { return nil }
    var running = RunningApplications()
    if case .table(let entries) = value.content {
      refuseUnknown(entries, RouteFileKeys.running)
      for entry in entries {
        if entry.key == "any" { running.oneOf = readRunningIDs(entry.value) }
        if entry.key == "none" { running.noneOf = readRunningIDs(entry.value) }
      }
      if entries.isEmpty {
        report(
          .shape, at: value.location,
          "`running` is empty: write `\"org.example.Recorder\"` or `{ none = \"org.example.Recorder\" }`")
      }
    } else {
      running.oneOf = readRunningIDs(value)
    }
    guard running != RunningApplications() else { return nil }
    do { return try running.condition(readings: Self.readings) } catch {
      report(.shape, at: value.location, "the list is too large: \(error)")
      return nil
    }
  }

  /// Reads the IDs of applications that the broker can find running.
  mutating func readRunningIDs(_ value: TomlValue) -> [String] {
    texts(value, "the ID of an application").compactMap { text in
      guard !text.text.contains("*") else {
        report(
          .shape, at: text.location, "`running` names applications by their whole IDs: write them without `*`"
        )
        return nil
      }
      guard let id = application(text.text, "running", at: text.location) else { return nil }
      guard Self.readings(of: id).contains(where: RunningApplications.isBusName) else {
        report(
          .shape, at: text.location,
          "`\(id)` is never found running, because it is no name on the bus: write an ID such as `org.example.Recorder`"
        )
        return nil
      }
      return id
    }
  }

  /// Reads `source`: a list of applications, or a table of conditions on the source.
  mutating func readSource(_ members: [TomlMember]) -> [RouteCondition] {
    guard let value = members.first(where: { $0.key == "source" })?.value else { return [] }
    guard case .table(let entries) = value.content else {
      return [applications(value)].compactMap { $0 }
    }
    refuseUnknown(entries, RouteFileKeys.source)
    var conditions: [RouteCondition] = []
    for entry in entries {
      let condition: RouteCondition? =
        switch entry.key {
        case "application": applications(entry.value)
        case "assurance": assurance(entry.value)
        case "installed": installed(entry.value)
        case "origin": origins(entry.value)
        case "user_activation": userActivation(entry.value)
        case "sandboxed": sandboxed(entry.value)
        case "remote": remote(entry.value)
        default: nil
        }
      if let condition { conditions.append(condition) }
    }
    if entries.isEmpty {
      report(
        .shape, at: value.location,
        "`source` is empty: write `[\"org.example.Chat\"]` or `{ assurance = \"< unit\" }`")
    }
    return conditions
  }

  private mutating func applications(_ value: TomlValue) -> RouteCondition? {
    var (expressions, written) = ([String](), [String]())
    for text in texts(value, "an application's ID, with `*` at its end for anything") {
      let isOpen = text.text.hasSuffix("*")
      let stem = isOpen ? String(text.text.dropLast()) : text.text
      guard !stem.contains("*") else {
        report(.shape, at: text.location, "`*` is valid only at the end of an ID, as in `org.signal.*`")
        continue
      }
      if isOpen, stem.isEmpty {
        expressions.append(".+")
      } else if let id = application(stem, "source", at: text.location) {
        let ids = isOpen ? [id] : Self.readings(of: id)
        expressions += ids.map { $0.escapedForExpression + (isOpen ? ".+" : "") }
      }
      written.append(text.text)
    }
    return condition(RouteCondition.Name.source, expressions: expressions, value: value, written: written)
  }

  private mutating func assurance(_ value: TomlValue) -> RouteCondition? {
    var levels: Set<Int> = []
    var written: [String] = []
    for text in texts(value, "an assurance, such as `unit`, or `< unit` for anything below") {
      let sign = text.text.prefix { "<>=".contains($0) }
      let word = text.text.dropFirst(sign.count).drop { $0 == " " }
      guard ["", "=", "<", "<=", ">", ">="].contains(sign),
        let level = Self.assurances.firstIndex(where: { $0 == word })
      else {
        let known = Self.assurances.reversed().joined(separator: " > ")
        report(
          .shape, at: text.location,
          "`\(text.text)` is not an assurance: write one of \(known), optionally with `<`, `<=`, `>`, `>=`")
        continue
      }
      written.append(text.text)
      levels.formUnion(
        Self.assurances.indices.filter { index in
          sign.contains("<") && index < level || sign.contains(">") && index > level
            || index == level && sign != "<" && sign != ">"
        })
    }
    if levels.isEmpty, diagnostics.last?.location != value.location {
      report(.shape, at: value.location, "no source has this assurance")
    }
    return condition(
      RouteCondition.Name.assurance, expressions: levels.sorted().map { Self.assurances[$0] }, value: value,
      written: written)
  }

  static let assurances = ["unknown", "claimed", "executable", "unit", "sandbox"]

  private mutating func origins(_ value: TomlValue) -> RouteCondition? {
    var (expressions, written) = ([String](), [String]())
    for text in texts(value, "a web origin, such as `https://example.org` or `https://*.example.org`") {
      if text.text == "web" {
        written.append(text.text)
        expressions.append(Self.webPage)
        continue
      }
      guard text.text == "*" || text.text == "null" || text.text.contains("://"), !text.text.hasSuffix("/")
      else {
        report(
          .shape, at: text.location,
          "an origin is a scheme and a host, such as `https://example.org`, without a path; `null` is the origin of a page that "
            + "has no other, and `web` means any web page")
        continue
      }
      written.append(text.text)
      switch WrittenOrigin(text.text) {
      case .compared(let origin):
        let parts = origin.split(separator: "*", omittingEmptySubsequences: false)
        expressions.append(
          origin == "*" ? ".+" : parts.map { String($0).escapedForExpression }.joined(separator: "[^/]+"))
      case .refused(let correction):
        report(.shape, at: text.location, "`\(text.text)` is the origin of no page: \(correction)")
      }
    }
    return condition(RouteCondition.Name.origin, expressions: expressions, value: value, written: written)
  }

  /// The origins of all web pages, `null` included, as callers may write them.
  private static let webPage = "[hH][tT][tT][pP][sS]?:.*|[nN][uU][lL][lL]"

  /// Reads `user_activation`: `true` for a click or an answer to a prompt, `"allowed"` for an answer only.
  private mutating func userActivation(_ value: TomlValue) -> RouteCondition? {
    switch value.content {
    case .boolean(true):
      return condition(RouteCondition.Name.userActivation, expressions: ["clicked", "allowed"], value: value)
    case .string("clicked"), .string("allowed"):
      guard case .string(let word) = value.content else { return nil }
      return condition(RouteCondition.Name.userActivation, expressions: [word], value: value)
    default:
      report(
        .shape, at: value.location,
        "write `user_activation = true` for a link that the user clicked or allowed, or one of `\"clicked\"` and `\"allowed\"`"
      )
      return nil
    }
  }

  private mutating func sandboxed(_ value: TomlValue) -> RouteCondition? {
    guard case .boolean(let truth) = value.content else {
      report(.shape, at: value.location, "`sandboxed` is \(value.kindName): write `true` or `false`")
      return nil
    }
    return condition(RouteCondition.Name.sandboxed, expressions: [truth ? "yes" : ""], value: value)
  }

  /// Reads `remote`: `true` for any other machine, `false` for this one, or names of machines, with `*` for anything.
  private mutating func remote(_ value: TomlValue) -> RouteCondition? {
    if case .boolean(let isRemote) = value.content {
      return condition(
        RouteCondition.Name.remote, expressions: [isRemote ? ".+" : ""], value: value,
        written: isRemote ? ["*"] : [])
    }
    var (expressions, written) = ([String](), [String]())
    for text in texts(value, "a machine's name, such as `build.example.org`") {
      guard RouteCondition.Name.isMachine(text.text.replacing("*", with: "a")) else {
        report(.shape, at: text.location, Self.machineAdvice(text.text))
        continue
      }
      let parts = text.text.split(separator: "*", omittingEmptySubsequences: false)
      expressions.append(parts.map { String($0).escapedForExpression }.joined(separator: ".*"))
      written.append(text.text)
    }
    return condition(RouteCondition.Name.remote, expressions: expressions, value: value, written: written)
  }

  /// Returns the message for a text that is not the name of a machine.
  static func machineAdvice(_ text: String) -> String {
    "`\(text)` is not the name of a machine: write lower-case letters, digits and `. _ : -`, such as `build.example.org`"
  }

  private mutating func installed(_ value: TomlValue) -> RouteCondition? {
    readInstalled(value).flatMap { condition(RouteCondition.Name.installed, expressions: [$0], value: value) }
  }

  /// Reads `installed`: `system` or `user`.
  mutating func readInstalled(_ value: TomlValue) -> String? {
    switch value.content {
    case .string("system"): return "system"
    case .string("user"): return "user"
    default:
      report(
        .shape, at: value.location,
        "write `installed = \"system\"` for files that only root can modify, otherwise `\"user\"`")
      return nil
    }
  }

  private mutating func condition(
    _ name: String, expressions: [String], value: TomlValue, written: [String] = []
  ) -> RouteCondition? {
    guard !expressions.isEmpty else { return nil }
    do {
      return RouteCondition(name, try RegularLanguage(expressions.joined(separator: "|")), written: written)
    } catch {
      report(.shape, at: value.location, "the list is too large: \(error)")
      return nil
    }
  }
}

extension String {
  /// A regular expression that matches exactly this text.
  fileprivate var escapedForExpression: String {
    var text = ""
    for scalar in unicodeScalars {
      let isMark = scalar.isASCII && !scalar.properties.isAlphabetic && !("0"..."9").contains(scalar)
      if isMark, scalar != "_" { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
    return text
  }
}
