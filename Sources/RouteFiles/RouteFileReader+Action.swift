// SPDX-License-Identifier: Apache-2.0
internal import RouteTables

extension RouteFileReader {
  /// Reads the action of a route, with its options.
  mutating func readAction(
    _ members: [TomlMember], of route: TomlMember, _ patterns: [RoutePattern]
  ) -> RouteAction? {
    let actions = members.filter { RouteFileKeys.actions.contains($0.key) }
    let remember = members.first { $0.key == "remember" }
    if let remember, actions.first?.key != "ask" {
      report(.shape, at: remember.keyLocation, "`remember` needs `ask`: remove it, or write `ask`")
    }
    let confirmation = members.first { $0.key == "requires_confirmation" }
    if let confirmation, actions.first?.key != "handler" {
      report(
        .shape, at: confirmation.keyLocation,
        "`requires_confirmation` is valid only with `handler`: write `ask = true` instead")
    }
    guard let action = actions.first else {
      let names = RouteFileKeys.actions.map { "`\($0)`" }.joined(separator: ", ")
      report(.shape, at: route.keyLocation, "the route `\(route.key)` has no action: write one of \(names)")
      return nil
    }
    for other in actions.dropFirst() {
      report(
        .shape, at: other.keyLocation,
        "the route `\(route.key)` already has `\(action.key)`: remove one of the two"
      )
    }
    switch action.key {
    case "allow":
      if case .boolean(true) = action.value.content { return .allow }
      report(.shape, at: action.value.location, "write `allow = true`, or remove the key")
      return nil
    case "handler":
      let requiresConfirmation = readTruth(confirmation)
      return string("handler", of: members).map { .handler($0, requiresConfirmation: requiresConfirmation) }
    case "deny": return string("deny", of: members).map { .deny(reason: $0) }
    case "open":
      if case .table = action.value.content { return readBrowser(action.value).map { .browse($0) } }
      guard let text = string("open", of: members) else { return nil }
      return application(text, "open", at: action.value.location).map { .open(application: $0) }
    case "perform": return readPerform(action.value)
    case "exec": return readExec(action.value, patterns)
    case "rewrite": return readRewrite(action.value, patterns)
    default: return readAsk(action.value, remember)
    }
  }

  /// Returns the Boolean value of a key, or `other` if the key is absent.
  mutating func readTruth(_ member: TomlMember?, orElse other: Bool = false) -> Bool {
    guard let member else { return other }
    if case .boolean(let truth) = member.value.content { return truth }
    report(
      .shape, at: member.value.location,
      "`\(member.key)` is \(member.value.kindName): write `true` or `false`")
    return true
  }

  private mutating func readPerform(_ value: TomlValue) -> RouteAction? {
    let spelling = "`{ application = \"org.example.Notes\", action = \"new-note\" }`"
    guard case .table(let members) = value.content else {
      report(.shape, at: value.location, "`perform` is \(value.kindName): write \(spelling)")
      return nil
    }
    refuseUnknown(members, RouteFileKeys.perform)
    for key in RouteFileKeys.perform.keys where !members.contains(where: { $0.key == key }) {
      report(.shape, at: value.location, "`perform` has no `\(key)`: write \(spelling)")
    }
    let action = string("action", of: members)
    guard let text = string("application", of: members),
      let member = members.first(where: { $0.key == "application" }),
      let id = application(text, "application", at: member.value.location), let action
    else { return nil }
    return .perform(application: id, action: action)
  }

  private mutating func readExec(_ value: TomlValue, _ patterns: [RoutePattern]) -> RouteAction? {
    guard case .array(let elements) = value.content else {
      report(
        .shape, at: value.location,
        "`exec` is \(value.kindName): write a list, `[\"program\", \"--\", \"{@url}\"]`")
      return nil
    }
    guard elements.count <= RouteLimits.arguments else {
      report(
        .shape, at: value.location,
        "`exec` has \(elements.count) elements, and the limit is \(RouteLimits.arguments): write a script and run it"
      )
      return nil
    }
    let texts = texts(value, "an argument")
    guard texts.count == elements.count, let program = texts.first else { return nil }
    if program.text.isEmpty {
      report(.shape, at: program.location, "the name of the program is empty: write one")
    }
    var templates: [ActionTemplate] = []
    for text in texts {
      do {
        templates.append(try ActionTemplate(argument: text.text))
      } catch {
        report(error, in: text)
      }
    }
    guard templates.count == texts.count else { return nil }
    // Without patterns the captures are unknown, and the error in the pattern has already been reported.
    if !patterns.isEmpty {
      for (index, fault) in ActionTemplate.faults(inArgv: templates, of: patterns) {
        report(fault, in: texts[index])
      }
    }
    return .exec(templates)
  }

  /// Reads `rewrite = "URL"`, `rewrite = { to = "URL", drop = ["utm_*"] }` or `rewrite = { unwrap = "q" }`, the last two with `first`.
  private mutating func readRewrite(_ value: TomlValue, _ patterns: [RoutePattern]) -> RouteAction? {
    var (to, drop, comesFirst): (TomlValue?, TomlValue?, Bool) = (value, nil, false)
    switch value.content {
    case .string: break
    case .table(let members):
      refuseUnknown(members, RouteFileKeys.rewrite)
      let first = members.first { $0.key == "first" }
      comesFirst = readTruth(first)
      if let unwrap = members.first(where: { $0.key == "unwrap" }) {
        return readUnwrap(unwrap, of: members, comesFirst: comesFirst)
      }
      to = members.first { $0.key == "to" }?.value
      drop = members.first { $0.key == "drop" }?.value
      guard to != nil || drop != nil else {
        report(
          .shape, at: value.location,
          "`rewrite` is empty: write `to = \"URL\"`, `drop = [\"utm_*\"]` or both, or `unwrap = \"q\"`")
        return nil
      }
      if let first, comesFirst, to != nil {
        report(
          .shape, at: first.keyLocation,
          "`first` is valid only with `drop` or `unwrap`, because other routes must see the link before it leads elsewhere: remove it, or `to`"
        )
      }
    default:
      report(
        .shape, at: value.location, "`rewrite` is \(value.kindName): write a URL, or `{ drop = [\"utm_*\"] }`"
      )
      return nil
    }
    // A link from which nothing is removed is kept as it is.
    let keeps = if comesFirst, case .array(let names)? = drop?.content { names.isEmpty } else { false }
    let dropped =
      keeps ? [] : drop.map { texts($0, "the name of a query item, with `*` at its end for anything") } ?? []
    for text in dropped where text.text.dropLast().contains("*") || text.text.isEmpty {
      report(
        .shape, at: text.location, "the name of a query item may have `*` only at its end, as in `utm_*`")
    }
    let text = to.flatMap { texts($0, "a URL").first }
    if to != nil, text == nil { return nil }
    do {
      let template = try ActionTemplate(
        url: text?.text ?? "{@url}", dropping: dropped.map(\.text), comesFirst: comesFirst)
      if let text, !patterns.isEmpty {
        for fault in template.faults(in: patterns) { report(fault, in: text) }
      }
      if drop == nil, template.text == "{@url}" {
        report(.shape, at: value.location, "the URL is rewritten to itself: write another URL")
      }
      return .rewrite(template)
    } catch {
      if let text { report(error, in: text) }
      return nil
    }
  }

  /// Reads `unwrap`: the name of the query item whose value is the URL.
  private mutating func readUnwrap(
    _ unwrap: TomlMember, of members: [TomlMember], comesFirst: Bool
  ) -> RouteAction? {
    guard case .string(let name) = unwrap.value.content, !name.isEmpty else {
      report(
        .shape, at: unwrap.value.location,
        "`unwrap` is the name of the query item that contains the URL: write `unwrap = \"url\"`")
      return nil
    }
    for other in members where other.key == "to" || other.key == "drop" {
      report(
        .shape, at: other.keyLocation,
        "`\(other.key)` has no effect beside `unwrap`: write it in a route for the URL that is unwrapped")
    }
    return .rewrite(ActionTemplate(unwrapping: name, comesFirst: comesFirst))
  }

  private mutating func readAsk(_ value: TomlValue, _ remember: TomlMember?) -> RouteAction? {
    let keys = remember.map { readRemember($0.value) } ?? []
    switch value.content {
    case .boolean(true): return .ask([], remember: keys)
    case .string("browsers"): return .ask([.browsers], remember: keys)
    case .array(let elements):
      let choices = readChoices(elements, of: value)
      return choices.isEmpty ? nil : .ask(choices, remember: keys)
    default:
      report(
        .shape, at: value.location,
        "write `ask = true`, `ask = \"browsers\"`, or a list of applications and browsers: `ask = [\"org.example.One\"]`"
      )
      return nil
    }
  }

  private mutating func readRemember(_ value: TomlValue) -> [RouteAction.AnswerKey] {
    guard case .string(let text) = value.content else {
      report(
        .shape, at: value.location, "`remember` is \(value.kindName): write `remember = \"source+scheme\"`")
      return []
    }
    var keys: Set<RouteAction.AnswerKey> = []
    for word in text.split(separator: "+", omittingEmptySubsequences: false) {
      guard let key = RouteAction.AnswerKey(rawValue: String(word)) else {
        let known = RouteAction.AnswerKey.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        report(
          .shape, at: value.location,
          "`\(word)` cannot be remembered: write one or more of \(known), with `+` between them")
        continue
      }
      keys.insert(key)
    }
    return RouteAction.AnswerKey.allCases.filter { keys.contains($0) }
  }

  /// Reports an error in a template at its column.
  private mutating func report(_ error: RouteTableError, in text: LocatedText) {
    var place = text.location
    if let start = text.start, let offset = error.offset {
      let scalars = text.text.utf8.prefix(offset).count { $0 & 0xC0 != 0x80 }
      place = SourceLocation(file: start.file, line: start.line, column: start.column + scalars)
    }
    report(.pattern, at: place, error.message)
  }
}
