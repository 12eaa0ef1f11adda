// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// Reads the rules that are data from a configuration of Finicky 3 or 4, or from Finicky's file `rules.json`.
struct FinickyConfiguration {
  private let reader: JavaScriptReader
  private let substitutes: [String: String]
  private let version: FinickyVersion
  private var result = ImportedRules()
  private var rewrites: [ImportedRule] = []

  /// Reads a file.
  ///
  /// - Parameter substitutes: the browser or application that replaces one of macOS, by its name there.
  static func rules(_ text: String, file: String, substitutes: [String: String]) throws(ImportError)
    -> ImportedRules
  {
    var configuration = try FinickyConfiguration(text, file: file, substitutes: substitutes)
    try configuration.read(file: file)
    return configuration.result
  }

  private init(_ text: String, file: String, substitutes: [String: String]) throws(ImportError) {
    reader = try JavaScriptReader(text, file: file)
    version = reader.isCommonJS ? .three : .four
    self.substitutes = substitutes
  }

  private mutating func read(file: String) throws(ImportError) {
    let start = SourceLocation(file: file, line: 1, column: 1)
    guard let exported = reader.exported else {
      throw .invalidFile(
        at: start,
        reason: "the file exports no configuration: `export default { … }` or `module.exports = { … }`")
    }
    var root = resolved(exported)
    if case .call(_, let arguments) = root.content, arguments.count == 1 { root = resolved(arguments[0]) }
    guard let members = members(of: root) else {
      throw .invalidFile(at: exported.location, reason: "the exported configuration is not an object")
    }
    result.remarks.append("The rules are read as Finicky \(version.rawValue) reads them.")
    var defaultBrowser: JavaScriptNode?
    var defaultProfile: String?
    for member in members {
      switch member.key {
      case "rewrite": readRules(member.value, isRewrite: true)
      case "handlers", "rules": readRules(member.value, isRewrite: false)
      case "defaultBrowser": defaultBrowser = member.value
      case "defaultProfile": defaultProfile = string(member.value)
      case "options": readOptions(member.value)
      default:
        result.leaveOut(
          "\(member.key): \(member.value.text)", at: member.value.location,
          "it is not a part of a configuration that this import knows")
      }
    }
    // Finicky applies all rewrites before it looks for a handler.
    result.rules = rewrites + result.rules
    if let defaultBrowser { readDefault(defaultBrowser, profile: defaultProfile) }
  }

  // MARK: Values

  /// Returns the value of a constant, or the node itself.
  private func resolved(_ node: JavaScriptNode) -> JavaScriptNode {
    var node = node
    for _ in 0..<16 {
      guard case .reference(let name) = node.content, let value = reader.constants[name] else { break }
      node = value
    }
    return node
  }

  private func string(_ node: JavaScriptNode) -> String? {
    if case .string(let text) = resolved(node).content { text } else { nil }
  }

  /// Returns the members of an object, those of spread objects included; a later member replaces an earlier one.
  private func members(of node: JavaScriptNode, depth: Int = 0) -> [JavaScriptNode.Member]? {
    guard case .object(let all) = resolved(node).content, depth < 8 else { return nil }
    var members: [JavaScriptNode.Member] = []
    for member in all {
      var added = [member]
      if member.key == "...", let spread = self.members(of: member.value, depth: depth + 1) { added = spread }
      for one in added {
        members.removeAll { $0.key == one.key && one.key != "..." }
        members.append(one)
      }
    }
    return members
  }

  private func elements(of node: JavaScriptNode, depth: Int = 0) -> [JavaScriptNode]? {
    guard case .array(let all) = resolved(node).content, depth < 8 else { return nil }
    return all.flatMap { element in
      guard case .spread(let inner) = element.content else { return [element] }
      return elements(of: inner, depth: depth + 1) ?? [element]
    }
  }

  private static func reason(_ node: JavaScriptNode, _ subject: String) -> String {
    switch node.content {
    case .function: "\(subject) is a function, and this import runs no code"
    case .reference(let name): "\(subject) is `\(name)`, which is not a constant of the file"
    case .call(let name, _): "\(subject) is a call of `\(name)`, and this import runs no code"
    default: "\(subject) is not data that this import knows"
    }
  }

  // MARK: Rules

  private mutating func readRules(_ node: JavaScriptNode, isRewrite: Bool) {
    guard let elements = elements(of: node) else {
      result.leaveOut(node.text, at: node.location, Self.reason(resolved(node), "the list"))
      return
    }
    for element in elements {
      guard let members = members(of: element) else {
        result.leaveOut(element.text, at: element.location, Self.reason(resolved(element), "the rule"))
        continue
      }
      if isRewrite { readRewrite(element, members) } else { readHandler(element, members) }
    }
  }

  private mutating func readHandler(_ node: JavaScriptNode, _ members: [JavaScriptNode.Member]) {
    if let url = members.first(where: { $0.key == "url" }) {
      result.leaveOut(
        node.text, at: node.location, Self.reason(resolved(url.value), "the URL that replaces the link"))
      return
    }
    guard let browser = members.first(where: { $0.key == "browser" }),
      let match = members.first(where: { $0.key == "match" })
    else {
      result.leaveOut(node.text, at: node.location, "the rule has no `match` or no `browser`")
      return
    }
    var profile: String?
    if let member = members.first(where: { $0.key == "profile" }) { profile = string(member.value) }
    for key in members where !["match", "browser", "profile", "url"].contains(key.key) {
      result.leaveOut(
        "\(key.key): \(key.value.text)", at: key.value.location,
        "it is not a part of a rule that this import knows")
    }
    switch action(browser.value, profile: profile) {
    case .failure(let reason): result.leaveOut(node.text, at: node.location, reason.text)
    case .success(let found):
      add(node, matching: match.value, action: found.action, notes: found.notes, isRewrite: false)
    }
  }

  private mutating func readRewrite(_ node: JavaScriptNode, _ members: [JavaScriptNode.Member]) {
    guard let url = members.first(where: { $0.key == "url" }),
      let match = members.first(where: { $0.key == "match" })
    else {
      result.leaveOut(node.text, at: node.location, "the rule has no `match` or no `url`")
      return
    }
    guard let text = string(url.value) else {
      let value = resolved(url.value)
      if let parts = self.members(of: value) {
        do throws(ImportError) {
          let replaced = try replacedParts(parts)
          add(node, matching: match.value, action: .replace(replaced), notes: [], isRewrite: true)
        } catch {
          result.leaveOut(node.text, at: node.location, error.description)
        }
        return
      }
      let reason =
        Self.reason(value, "the URL")
        + "; `usher web catalog enable clean-tracking` removes tracking parameters"
      result.leaveOut(node.text, at: node.location, reason)
      return
    }
    add(node, matching: match.value, action: .rewrite(text), notes: [], isRewrite: true)
  }

  /// Reads the parts of the URL that a rewrite replaces.
  private func replacedParts(_ members: [JavaScriptNode.Member]) throws(ImportError) -> ReplacedParts {
    var parts: [(name: String, text: String)] = []
    for member in members {
      guard ReplacedParts.names.contains(member.key) else {
        throw .unsupported("it replaces `\(member.key)`, which a route does not")
      }
      switch resolved(member.value).content {
      case .string(let text), .number(let text): parts.append((member.key, text))
      default: throw .unsupported(Self.reason(resolved(member.value), "`\(member.key)`"))
      }
    }
    return try ReplacedParts(parts)
  }

  private mutating func add(
    _ node: JavaScriptNode, matching match: JavaScriptNode, action: ImportedRule.Action, notes: [String],
    isRewrite: Bool
  ) {
    var conditions: [SourceCondition] = []
    for element in elements(of: match) ?? [match] {
      do throws(ImportError) {
        conditions += try self.conditions(element)
      } catch {
        result.leaveOut("match: \(element.text)", at: element.location, error.description)
      }
    }
    guard !conditions.isEmpty else { return }
    let rule = ImportedRule(
      location: node.location, text: node.text, conditions: conditions, action: action, notes: notes)
    if isRewrite { rewrites.append(rule) } else { result.rules.append(rule) }
  }

  private func conditions(_ node: JavaScriptNode) throws(ImportError) -> [SourceCondition] {
    let value = resolved(node)
    switch value.content {
    case .string(let text):
      return [SourceCondition(matcher: .wildcard(FinickyWildcard(text: text, version: version)), text: text)]
    case .expression(let pattern, let flags):
      let expression = try TextExpressionParser.parse(pattern, ignoresCase: flags.contains("i"))
      return [SourceCondition(matcher: .search(expression), text: value.text)]
    case .call(let name, let arguments)
    where ["matchHostnames", "matchDomains"].contains(name.split(separator: ".").last ?? ""):
      guard arguments.count == 1 else { break }
      var conditions: [SourceCondition] = []
      for element in elements(of: arguments[0]) ?? [arguments[0]] {
        let host = resolved(element)
        switch host.content {
        case .string(let text): conditions.append(SourceCondition(matcher: .host(text), text: text))
        case .expression(let pattern, let flags):
          let expression = try TextExpressionParser.parse(pattern, ignoresCase: flags.contains("i"))
          conditions.append(SourceCondition(matcher: .hostSearch(expression), text: host.text))
        default: throw .unsupported(Self.reason(host, "a host"))
        }
      }
      return conditions
    default: break
    }
    throw .unsupported(Self.reason(value, "the condition"))
  }

  // MARK: Browsers

  private struct Reason: Error { let text: String }
  private struct Target {
    var action: ImportedRule.Action
    var notes: [String] = []
  }

  private func action(_ node: JavaScriptNode, profile: String? = nil) -> Result<Target, Reason> {
    let value = resolved(node)
    switch value.content {
    case .null: return .success(Target(action: .deny("Finicky opened nothing for this link")))
    case .string(let text):
      // Finicky 4 accepts `Name:Profile`.
      let parts = version == .four ? text.split(separator: ":", maxSplits: 1).map(String.init) : [text]
      return target(parts.first ?? "", profile: parts.count > 1 ? parts[1] : profile)
    case .array:
      guard let first = elements(of: value)?.first else {
        return .failure(Reason(text: "the list of browsers is empty"))
      }
      return action(first).map { target in
        var target = target
        target.notes.append(
          "Finicky chose the first running browser of a list; the route always opens the first of the list.")
        return target
      }
    case .object: return object(value, profile: profile)
    default: return .failure(Reason(text: Self.reason(value, "the browser")))
    }
  }

  private func object(_ value: JavaScriptNode, profile: String?) -> Result<Target, Reason> {
    var (name, profile) = (String?.none, profile)
    var notes: [String] = []
    for member in members(of: value) ?? [] {
      switch member.key {
      case "name":
        if case .null = resolved(member.value).content { return action(member.value) }
        name = string(member.value)
      case "profile": profile = string(member.value)
      case "appType":
        if string(member.value) == "none" {
          return .success(Target(action: .deny("Finicky opened nothing for this link")))
        }
      case "openInBackground":
        if case .boolean(true) = resolved(member.value).content {
          notes.append("Finicky opened the browser in the background; the route does not.")
        }
      case "args":
        return .failure(
          Reason(text: "`args` are not carried over: a route has `profile`, `private` and `new_window`"))
      default: notes.append("`\(member.key)` of the browser is not carried over.")
      }
    }
    guard let name else { return .failure(Reason(text: "the browser has no name that is data")) }
    return target(name, profile: profile).map { Target(action: $0.action, notes: $0.notes + notes) }
  }

  private func target(_ name: String, profile: String?) -> Result<Target, Reason> {
    let profile = profile?.isEmpty == true ? nil : profile
    guard let found = substitutes[name] ?? MacBrowsers.family(of: name) else {
      let quoted = name.contains(" ") ? "'\(name)=…'" : "\(name)=…"
      return .failure(
        Reason(
          text:
            "`\(name)` is not a browser of Linux; name a browser or an application with --browser \(quoted)"))
    }
    if MacBrowsers.familyNames.contains(found) || profile != nil {
      return .success(Target(action: .browser(found, profile: profile)))
    }
    return .success(Target(action: .application(found)))
  }

  private mutating func readDefault(_ node: JavaScriptNode, profile: String?) {
    switch action(node, profile: profile) {
    case .failure(let reason): result.leaveOut("defaultBrowser: \(node.text)", at: node.location, reason.text)
    case .success(let found):
      result.rules.append(
        ImportedRule(
          location: node.location, text: "defaultBrowser: \(node.text)", conditions: [], action: found.action,
          notes: found.notes))
    }
  }

  private mutating func readOptions(_ node: JavaScriptNode) {
    for member in members(of: node) ?? [] {
      if case .array(let list) = resolved(member.value).content, list.isEmpty { continue }
      let reason =
        member.key == "urlShorteners"
        ? "Usher does not resolve shortened links" : "it is a setting of Finicky itself"
      result.leaveOut("\(member.key): \(member.value.text)", at: member.value.location, reason)
    }
  }
}
