// SPDX-License-Identifier: Apache-2.0
internal import Interpreters
internal import RouteTables

/// The gaps that an invalid file leaves: the URLs that it may forbid, as narrow as possible.
extension RouteFileReader {
  /// Returns the error message for a caller whose link a rule with an error may forbid.
  static func reason(_ diagnostic: RouteFileDiagnostic?, _ place: SourceLocation) -> String {
    let text = diagnostic?.description ?? place.description
    let correction =
      switch diagnostic?.command {
      case let command? where text.contains(command): "; then run: "
      case let command?: ": run: `\(command)`; then run: "
      case nil: ": correct the file or remove the rule, and run: "
      }
    return
      "a rule of the administrator that may forbid this link has an error, \(text)\(correction)`usher routes check \(ShellCode.word(place.file))`"
  }

  /// Records a gap for a route that was dropped, unless it certainly neither denies nor asks nor is final.
  ///
  /// - Parameter patterns: its patterns; empty if they could not be parsed.
  mutating func leaveGap(of members: [TomlMember], _ patterns: [RoutePattern], since reported: Int) {
    let group = groupMembers(of: members)
    let isDamagedAbove = !isSound || group.map { groups[$0.key]?.isSound != true } ?? false
    // A misplaced key above the route may have been meant for it.
    let above = isDamagedAbove ? self.members + (group?.members ?? []) : []
    let isFinal = Self.mayBeFinal(members + above)
    guard isFinal || mayForbid(members) else { return }
    let extent: RouteGap.Extent = patterns.isEmpty ? self.extent(of: members, group) : .patterns(patterns)
    leaveGap(extent, isFinal: isFinal, since: reported)
  }

  /// Records gaps for the routes in tables with unknown names.
  mutating func leaveGapsOfUnknownTables() {
    for member in members where RouteFileKeys.file.refusal(of: member.key) != nil {
      guard case .table(let entries) = member.value.content else {
        if case .array = member.value.content { leaveGap(.everything, isFinal: true) }
        continue
      }
      if entries.contains(where: {
        ["match", "scheme"].contains($0.key) || RouteFileKeys.actions.contains($0.key)
      }) {
        leaveGap(of: entries, [], since: 0)
        continue
      }
      for entry in entries {
        if case .table(let route) = entry.value.content { leaveGap(of: route, [], since: 0) }
      }
    }
  }

  /// Records gaps for the keys of routes that stand in another table, such as a group, because their `[route.NAME]` is missing.
  mutating func leaveGapsOfMisplacedRoutes() {
    // Not recursive, because a file can nest some hundred tables.
    var pending = [members]
    var isTop = true
    while let table = pending.popLast() {
      let keys = Set(table.map { Self.meant(by: $0.key) })
      if !keys.isDisjoint(with: ["match", "scheme"]),
        !keys.isDisjoint(with: RouteFileKeys.actions + ["final"])
      {
        leaveGap(of: table, [], since: 0)
      }
      var inner: [[TomlMember]] = []
      for member in table {
        // Tables with unknown names have gaps already.
        guard case .table(let members) = member.value.content,
          !isTop || RouteFileKeys.file.refusal(of: member.key) == nil
        else { continue }
        // The routes themselves have been read; only the tables in them are searched.
        inner += isTop && member.key == "route" ? members.flatMap { Self.tables(in: $0) } : [members]
      }
      pending += inner.reversed()
      isTop = false
    }
  }

  /// Returns the members of the tables in a table.
  private static func tables(in table: TomlMember) -> [[TomlMember]] {
    guard case .table(let members) = table.value.content else { return [] }
    return members.compactMap { if case .table(let inner) = $0.value.content { inner } else { nil } }
  }

  /// Returns whether a route denies or asks, or may be intended to.
  func mayForbid(_ members: [TomlMember]) -> Bool {
    !members.contains { RouteFileKeys.actions.contains($0.key) }
      || members.contains { ["deny", "ask"].contains(Self.meant(by: $0.key)) }
  }

  /// Returns whether an unknown key may be a misspelt option or pattern.
  func mayChangePatterns(_ member: TomlMember) -> Bool {
    !RouteFileKeys.route.keys.contains(member.key)
      && ["authority", "case", "plus", "slash", "user", "group", "match", "scheme"]
        .contains(Self.meant(by: member.key))
  }

  private static func mayBeFinal(_ members: [TomlMember]) -> Bool {
    members.contains { member in
      guard meant(by: member.key) == "final" else { return false }
      if member.key == "final", case .boolean(false) = member.value.content { return false }
      return true
    }
  }

  /// Returns the key itself, or the nearest key of a route if it is probably a misspelling.
  private static func meant(by key: String) -> String {
    let keys = RouteFileKeys.route.keys
    // A valid key of a file or a group is not a misspelling.
    let isKnown = [keys, RouteFileKeys.file.keys, RouteFileKeys.group.keys].contains { $0.contains(key) }
    guard !isKnown, let nearest = key.lowercased().nearest(in: keys) else { return key }
    return key.lowercased().distance(to: nearest) <= 2 ? nearest : key
  }

  /// Returns the group of a route; without members if no group has its name, `nil` if the route names none.
  private func groupMembers(of route: [TomlMember]) -> (key: String, members: [TomlMember])? {
    guard let member = route.first(where: { $0.key == "group" }) else { return nil }
    guard case .string(let name) = member.value.content else { return ("", []) }
    for member in members where member.key == "group" {
      guard case .table(let groups) = member.value.content,
        let group = groups.first(where: { $0.key == name }), case .table(let members) = group.value.content
      else { continue }
      return (name, members)
    }
    return (name, [])
  }

  private func extent(
    of route: [TomlMember], _ group: (key: String, members: [TomlMember])?
  ) -> RouteGap.Extent {
    let matches = route.filter { Self.meant(by: $0.key) == "match" }
    let whole = route.filter { Self.meant(by: $0.key) == "scheme" }
    let bases = group?.members.filter { $0.key == "base" } ?? []
    guard !matches.isEmpty || !whole.isEmpty, var texts = Self.texts(matches), let names = Self.texts(whole)
    else { return .everything }
    if texts.contains(where: { $0.hasPrefix("/") }) {
      guard let own = Self.texts(bases), !own.isEmpty else { return .everything }
      texts = texts.filter { !$0.hasPrefix("/") } + own
    }
    texts += names.map { $0 + ":" }
    var schemes: Set<String> = []
    for text in texts {
      guard let own = Self.schemes(of: text) else { return .everything }
      schemes.formUnion(own)
    }
    return schemes.isEmpty ? .everything : .schemes(schemes)
  }

  /// Returns the strings under some keys; `nil` if any value is not a string.
  private static func texts(_ members: [TomlMember]) -> [String]? {
    var texts: [String] = []
    for member in members {
      let values = if case .array(let elements) = member.value.content { elements } else { [member.value] }
      for value in values {
        guard case .string(let text) = value.content else { return nil }
        texts.append(text)
      }
    }
    return texts
  }

  /// Returns the schemes of a pattern, such as `tel:` or `{:http|https}:`; `nil` if they cannot be determined.
  static func schemes(of pattern: String) -> [String]? {
    let isChoice = pattern.hasPrefix("{:")
    guard let end = pattern.firstIndex(of: isChoice ? "}" : ":"),
      pattern[end...].hasPrefix(isChoice ? "}:" : ":")
    else { return nil }
    let names = pattern[..<end].dropFirst(isChoice ? 2 : 0)
      .split(separator: "|", omittingEmptySubsequences: false).map { $0.lowercased() }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let isSound = names.allSatisfy { name in
      guard let first = name.utf8.first, letters.contains(first) else { return false }
      return name.utf8.allSatisfy { letters.contains($0) || "0123456789+-.".utf8.contains($0) }
    }
    return isSound ? names : nil
  }
}
