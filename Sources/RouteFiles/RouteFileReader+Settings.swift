// SPDX-License-Identifier: Apache-2.0
internal import HostNames
internal import RouteTables

/// The options for parsing the patterns of a route.
struct RouteSettings {
  var options = RouteOptions()
  /// The user that may precede the host; `nil` if the action decides it.
  var user: RouteOptions.User?
}

/// The defaults that a `[group.NAME]` sets for its routes.
struct RouteGroup {
  var bases: [RouteFileReader.LocatedText] = []
  var settings: RouteSettings
  /// The conditions of `source`.
  var source: [RouteCondition] = []
  /// The state of its target that `target` requires.
  var target: TargetState?
  /// The condition of `running`.
  var running: RouteCondition?
  /// Indicates whether it has no errors; otherwise its routes are dropped.
  var isSound = true
}

extension RouteFileReader {
  /// Reads `case`, `slash`, `plus`, `authority` and `user`; absent options are inherited from `over`.
  mutating func readSettings(_ members: [TomlMember], over: RouteSettings) -> RouteSettings {
    var settings = over
    if let ignores = choice("case", of: members, ["ignore": true, "strict": false]) {
      settings.options.ignoresCase = ignores
    }
    if let ignores = choice("slash", of: members, ["ignore": true, "strict": false]) {
      settings.options.ignoresTrailingSlash = ignores
    }
    if let plus = choice(
      "plus", of: members, ["literal": RouteOptions.Plus.literal, "automatic": .automatic])
    {
      settings.options.plus = plus
    }
    if let authority = choice(
      "authority", of: members, ["segment": RouteOptions.Authority.segment, "host": .host])
    {
      settings.options.authority = authority
    }
    settings.user =
      choice("user", of: members, ["written": RouteOptions.User.written, "any": .any]) ?? settings.user
    return settings
  }

  /// Reads a `[group.NAME]`.
  mutating func readGroup(_ group: TomlMember, _ members: [TomlMember]) -> RouteGroup {
    let before = faults
    refuseUnknown(members, RouteFileKeys.group)
    var result = RouteGroup(settings: readSettings(members, over: settings))
    if let base = members.first(where: { $0.key == "base" }) {
      for text in texts(base.value, "a base, such as `https://shop.example` or `shop:`") {
        if let base = checked(text, result.settings.options) { result.bases.append(base) }
      }
    }
    result.source = readSource(members)
    result.target = readTarget(members)
    result.running = readRunning(members)
    result.isSound = faults == before
    return result
  }

  /// Returns the base if it is a scheme with or without an authority; reports an error and returns `nil` otherwise.
  private mutating func checked(_ base: LocatedText, _ options: RouteOptions) -> LocatedText? {
    var depth = 0
    var outside = ""
    for scalar in base.text.unicodeScalars {
      if scalar == "{" { depth += 1 }
      if depth == 0 { outside.unicodeScalars.append(scalar) }
      if scalar == "}" {
        depth -= 1
        // A placeholder for the braces and their content, so that only the text outside them is checked below.
        outside += "x"
      }
    }
    let rest = outside.unicodeScalars.drop { $0 != ":" }.dropFirst()
    let authority = rest.starts(with: "//".unicodeScalars) ? rest.dropFirst(2) : rest
    let hasAuthority = authority.count != rest.count
    guard hasAuthority || rest.isEmpty, !authority.contains(where: { "/?#".unicodeScalars.contains($0) })
    else {
      report(
        .pattern, at: base.location,
        "a base is a scheme with or without a host, such as `https://shop.example` or `shop:`: move its path to `match`"
      )
      return nil
    }
    do {
      _ = try RoutePattern(
        base.text + "/", types: types, options: options, at: base.start, hostInASCII: Self.hostInASCII)
      return base
    } catch {
      report(error, at: error.location ?? base.location)
      return nil
    }
  }

  /// Reads `match`: a pattern or a list of patterns, each combined with every base.
  ///
  /// - Parameter restricts: Whether the route denies or asks. Then a host beyond ASCII is also matched in ASCII under a
  ///   scheme under which the written host is compared.
  mutating func readMatch(
    _ members: [TomlMember], of route: TomlMember, under bases: [LocatedText], _ options: RouteOptions,
    restricts: Bool
  ) -> [(pattern: RoutePattern, location: SourceLocation)] {
    guard let match = members.first(where: { $0.key == "match" })?.value else {
      report(.shape, at: route.keyLocation, "the route `\(route.key)` has no `match`: write `match = \"…\"`")
      return []
    }
    var patterns: [(pattern: RoutePattern, location: SourceLocation)] = []
    var others: [(pattern: RoutePattern, location: SourceLocation)] = []
    for text in texts(match, "a pattern") {
      guard bases.isEmpty || text.text.utf8.first == UInt8(ascii: "/") else {
        report(.pattern, at: text.location, "in a group with a `base`, a pattern is a path: begin with `/`")
        continue
      }
      // An error under one base would be reported again under the next one, so the loop ends.
      for base in bases.isEmpty ? [""] : bases.map(\.text) {
        guard let pattern = pattern(base, text: text, options: options) else { break }
        patterns.append((pattern, text.location))
        if restricts, let mapped = mapped(pattern, text: base + text.text, options: options) {
          others.append((mapped, text.location))
        }
      }
    }
    for other in others where !patterns.contains(where: { $0.pattern == other.pattern }) {
      patterns.append(other)
    }
    return patterns
  }

  /// Returns a pattern with its host in ASCII, or as an IPv4 address; `nil` if the host has no other form.
  private func mapped(_ pattern: RoutePattern, text: String, options: RouteOptions) -> RoutePattern? {
    if let text = HostName.withIPv4Address(text) {
      return try? RoutePattern(text, types: types, options: options, hostInASCII: Self.hostInASCII)
    }
    guard text.utf8.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }) else { return nil }
    let mapped = try? RoutePattern(
      text, types: types, options: options, hostInASCII: Self.hostInASCII, mapsEveryHost: true)
    return mapped == pattern ? nil : mapped
  }

  private static func hostInASCII(_ label: String) -> String? { try? HostName.ascii(label) }

  private mutating func pattern(_ base: String, text: LocatedText, options: RouteOptions) -> RoutePattern? {
    // The base has already been checked, so an error can only be after it.
    let start = text.start.map {
      SourceLocation(file: $0.file, line: $0.line, column: $0.column - base.unicodeScalars.count)
    }
    do {
      return sharing.shared(
        try RoutePattern(
          base + text.text, types: types, options: options, at: start, hostInASCII: Self.hostInASCII))
    } catch {
      let isBehind = (error.offset ?? 0) >= base.utf8.count
      report(error, at: isBehind ? error.location ?? text.location : text.location)
      return nil
    }
  }
}
