// SPDX-License-Identifier: Apache-2.0
internal import RouteTables

extension RouteFileReader {
  private static let spelling =
    "`{ url = \"tel:112\", source = { application = \"org.example.Chat\", assurance = \"unit\" }, is = \"allow\" }`"

  /// Reads `tests.decide`: URLs, a caller, and the decision of the routes that are read together.
  mutating func readDecided(_ value: TomlValue, of route: String, owner: String) -> [RouteFileTest] {
    guard case .array(let entries) = value.content else {
      report(
        .shape, at: value.location, "`tests.decide` is \(value.kindName): write a list of \(Self.spelling)")
      return []
    }
    var tests: [RouteFileTest] = []
    for entry in entries {
      guard case .table(let members) = entry.content else {
        report(
          .shape, at: entry.location,
          "a decision must be a table, but this is \(entry.kindName): write \(Self.spelling)")
        continue
      }
      refuseUnknown(members, RouteFileKeys.decision)
      let before = faults
      for key in ["url", "is"] where !members.contains(where: { $0.key == key }) {
        report(.shape, at: entry.location, "the decision has no `\(key)`: write \(Self.spelling)")
      }
      let outcome = readOutcome(members)
      let caller = readCaller(members)
      let name = string("by", of: members)
      let urls = members.first { $0.key == "url" }.map { texts($0.value, "a URL") } ?? []
      guard let outcome, faults == before else { continue }
      tests += urls.map { url in
        RouteFileTest(
          route: route, owner: owner, url: url.text, location: url.location,
          claim: .isDecided(outcome, for: caller, by: name))
      }
    }
    return tests
  }

  private mutating func readOutcome(_ members: [TomlMember]) -> RouteOutcome? {
    guard let member = members.first(where: { $0.key == "is" }), let text = string("is", of: members) else {
      return nil
    }
    if let outcome = RouteOutcome(rawValue: text) { return outcome }
    let known = RouteOutcome.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    report(.shape, at: member.value.location, "`\(text)` is not an outcome: write one of \(known)")
    return nil
  }

  /// Reads the caller: `source`, `target` and `running` of a decision, with single values as in one request.
  private mutating func readCaller(_ members: [TomlMember]) -> TestCaller {
    var caller = TestCaller()
    caller.target = readTarget(members)
    caller.running = members.first { $0.key == "running" }.map { readRunningIDs($0.value) } ?? []
    guard let source = members.first(where: { $0.key == "source" })?.value else { return caller }
    guard case .table(let entries) = source.content else {
      caller.application = asker(in: members, under: "source")
      caller.assurance = "claimed"
      return caller
    }
    refuseUnknown(entries, RouteFileKeys.source)
    var (assurance, isSandboxed): (String?, Bool?)
    for entry in entries {
      switch entry.key {
      case "application": caller.application = asker(in: entries, under: "application")
      case "assurance": assurance = readLevel(entries)
      case "installed": caller.installed = readInstalled(entry.value)
      case "origin": caller.origin = string("origin", of: entries)
      case "user_activation": caller.userActivation = readDeed(entry.value)
      case "sandboxed": isSandboxed = readTruth(entry)
      case "remote": caller.remote = readMachine(entry.value)
      case _ where RouteFileKeys.source.keys.contains(entry.key):
        report(.shape, at: entry.keyLocation, "a test has no `\(entry.key)`: remove it")
      default: break
      }
    }
    let isNamed = entries.contains { $0.key == "application" }
    caller.assurance = assurance ?? (isNamed ? "claimed" : "unknown")
    caller.isSandboxed = isSandboxed ?? (caller.assurance == "sandbox" || caller.remote != nil)
    if caller.remote != nil, isNamed || !caller.isSandboxed {
      report(
        .shape, at: source.location,
        "a link of another machine has no `application`, and its caller is always `sandboxed`: write only `remote`"
      )
    }
    if isNamed == (caller.assurance == "unknown") {
      report(
        .shape, at: source.location,
        isNamed
          ? "a caller with an `application` is at least `claimed`: remove `application` for an unknown caller"
          : "a caller with the assurance `\(caller.assurance)` is identified: write its `application`")
    }
    if let installed = caller.installed, ["unknown", "claimed"].contains(caller.assurance),
      !isNamed || installed == "system"
    {
      report(
        .shape, at: source.location,
        isNamed
          ? "a caller with the assurance `claimed` is always `installed = \"user\"`: write an `assurance` of `executable` or higher"
          : "`installed` needs an `application`: remove `installed`")
    }
    if caller.assurance == "sandbox", !caller.isSandboxed {
      report(.shape, at: source.location, "the assurance `sandbox` implies `sandboxed`: remove `sandboxed`")
    }
    return caller
  }

  /// Returns the name of the machine of the caller: exactly one, without `*`.
  private mutating func readMachine(_ value: TomlValue) -> String? {
    guard case .string(let text) = value.content, RouteCondition.Name.isMachine(text) else {
      report(
        .shape, at: value.location,
        "a test has one machine: write its whole name, without `*`, such as `remote = \"build.example.org\"`")
      return nil
    }
    return text
  }

  /// Returns the ID of the calling application: exactly one, without `*`.
  private mutating func asker(in members: [TomlMember], under key: String) -> String? {
    guard let member = members.first(where: { $0.key == key }), let text = string(key, of: members) else {
      return nil
    }
    guard !text.contains("*") else {
      report(
        .shape, at: member.value.location, "a test has exactly one source: write its whole ID, without `*`")
      return nil
    }
    return application(text, key, at: member.value.location)
  }

  private mutating func readLevel(_ members: [TomlMember]) -> String? {
    guard let member = members.first(where: { $0.key == "assurance" }),
      let text = string("assurance", of: members)
    else { return nil }
    guard Self.assurances.contains(text) else {
      let known = Self.assurances.reversed().map { "`\($0)`" }.joined(separator: ", ")
      report(
        .shape, at: member.value.location,
        "`\(text)` is not an assurance: write one of \(known)")
      return nil
    }
    return text
  }

  private mutating func readDeed(_ value: TomlValue) -> String? {
    switch value.content {
    case .boolean(true), .string("clicked"): return "clicked"
    case .boolean(false): return nil
    case .string("allowed"): return "allowed"
    default:
      report(.shape, at: value.location, "`user_activation` must be `true`, `\"clicked\"` or `\"allowed\"`")
      return nil
    }
  }
}
