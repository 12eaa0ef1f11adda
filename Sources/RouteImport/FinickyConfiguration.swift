// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// Reads the rules that are data from a configuration of Finicky 3 or 4, or from Finicky's file `rules.json`.
struct FinickyConfiguration {
  private let reader: JavaScriptReader
  private let replacements: Replacements
  private let version: FinickyVersion
  private var result = ImportedRules()
  private var rewrites: [ImportedRule] = []

  /// The replacements for applications of macOS.
  struct Replacements {
    /// The browsers and applications that open links, by the name on macOS.
    var browsers: [String: String] = [:]
    /// The applications that contain links, by the bundle identifier or name on macOS.
    var applications: [String: [String]] = [:]
    /// The names of the browser that opens web links without any route.
    var ownBrowser: Set<String> = []
  }

  /// Reads a file.
  static func rules(_ text: String, file: String, _ replacements: Replacements) throws(ImportError)
    -> ImportedRules
  {
    var configuration = FinickyConfiguration(try JavaScriptReader(text, file: file), replacements)
    try configuration.read(file: file)
    return configuration.result
  }

  private init(_ reader: JavaScriptReader, _ replacements: Replacements) {
    self.reader = reader
    version = reader.isCommonJS ? .three : .four
    self.replacements = replacements
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
    var defaultProfile: JavaScriptNode?
    for member in members {
      switch member.key {
      case "rewrite": readRules(member.value, isRewrite: true)
      case "handlers", "rules": readRules(member.value, isRewrite: false)
      case "defaultBrowser": defaultBrowser = member.value
      case "defaultProfile": defaultProfile = member.value
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

  /// The maximum number of elements of a list, or members of an object, with those that `...` inserts.
  ///
  /// Lists that insert each other may have any number of elements in a short file.
  private static let maximumElements = 10_000

  /// Returns the members of an object, those of spread objects included; a later member replaces an earlier one.
  private func members(of node: JavaScriptNode) -> [JavaScriptNode.Member]? {
    var budget = Self.maximumElements
    guard let all = members(of: node, depth: 0, &budget) else { return nil }
    var members: [JavaScriptNode.Member?] = []
    var positions: [String: Int] = [:]
    for member in all {
      if member.key != "..." {
        if let replaced = positions[member.key] { members[replaced] = nil }
        positions[member.key] = members.count
      }
      members.append(member)
    }
    return members.compactMap(\.self)
  }

  private func members(of node: JavaScriptNode, depth: Int, _ budget: inout Int) -> [JavaScriptNode.Member]? {
    guard case .object(let all) = resolved(node).content, depth < 8 else { return nil }
    var members: [JavaScriptNode.Member] = []
    for member in all {
      budget -= 1
      guard budget >= 0 else { return nil }
      if member.key == "...", let spread = self.members(of: member.value, depth: depth + 1, &budget) {
        members += spread
      } else {
        members.append(member)
      }
    }
    return budget >= 0 ? members : nil
  }

  /// Returns the elements of a list, those of spread lists included.
  private func elements(of node: JavaScriptNode) -> [JavaScriptNode]? {
    var budget = Self.maximumElements
    return elements(of: node, depth: 0, &budget)
  }

  private func elements(of node: JavaScriptNode, depth: Int, _ budget: inout Int) -> [JavaScriptNode]? {
    guard case .array(let all) = resolved(node).content, depth < 8 else { return nil }
    var elements: [JavaScriptNode] = []
    for element in all {
      budget -= 1
      guard budget >= 0 else { return nil }
      if case .spread(let inner) = element.content,
        let spread = self.elements(of: inner, depth: depth + 1, &budget)
      {
        elements += spread
      } else {
        elements.append(element)
      }
    }
    return budget >= 0 ? elements : nil
  }

  /// Returns whether a list or an object has more parts than the limit.
  private func isTooLarge(_ node: JavaScriptNode) -> Bool {
    var budget = Self.maximumElements
    if case .object = node.content {
      _ = members(of: node, depth: 0, &budget)
    } else {
      _ = elements(of: node, depth: 0, &budget)
    }
    return budget < 0
  }

  private func reason(_ node: JavaScriptNode, _ subject: String) -> String {
    switch node.content {
    case .function: "\(subject) is a function, and this import runs no code"
    case .reference(let name): "\(subject) is `\(name)`, which is not a constant of the file"
    case .call(let name, _): "\(subject) is a call of `\(name)`, and this import runs no code"
    default:
      isTooLarge(node)
        ? "\(subject) has more than \(Self.maximumElements) parts, with those that `...` inserts"
        : "\(subject) is not data that this import knows"
    }
  }

  // MARK: Rules

  private mutating func readRules(_ node: JavaScriptNode, isRewrite: Bool) {
    guard let elements = elements(of: node) else {
      result.leaveOut(node.text, at: node.location, reason(resolved(node), "the list"))
      return
    }
    for element in elements {
      guard let members = members(of: element) else {
        result.leaveOut(element.text, at: element.location, reason(resolved(element), "the rule"))
        continue
      }
      if isRewrite { readRewrite(element, members) } else { readHandler(element, members) }
    }
  }

  private mutating func readHandler(_ node: JavaScriptNode, _ members: [JavaScriptNode.Member]) {
    if let url = members.first(where: { $0.key == "url" }) {
      result.leaveOut(
        node.text, at: node.location, urlReason(resolved(url.value), "the URL that replaces the link"))
      return
    }
    guard let browser = members.first(where: { $0.key == "browser" }),
      let match = members.first(where: { $0.key == "match" })
    else {
      result.leaveOut(node.text, at: node.location, "the rule has no `match` or no `browser`")
      return
    }
    let profile = members.first { $0.key == "profile" }?.value
    for key in members where !["match", "browser", "profile", "url"].contains(key.key) {
      result.leaveOut(
        "\(key.key): \(key.value.text)", at: key.value.location,
        "it is not a part of a rule that this import knows")
    }
    switch action(browser.value, profileIn: profile) {
    case .failure(let reason): result.leaveOut(node.text, at: node.location, reason.text)
    case .success(let found):
      add(node, matching: match.value, found, isRewrite: false)
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
          add(node, matching: match.value, Target(action: .replace(replaced)), isRewrite: true)
        } catch {
          result.leaveOut(node.text, at: node.location, error.description)
        }
        return
      }
      result.leaveOut(node.text, at: node.location, urlReason(value, "the URL"))
      return
    }
    add(node, matching: match.value, Target(action: .rewrite(text)), isRewrite: true)
  }

  /// Returns why a URL is not carried over, and what does the same.
  private func urlReason(_ node: JavaScriptNode, _ subject: String) -> String {
    let reason = self.reason(node, subject)
    guard case .function(let text) = node.content else { return reason }
    return "\(reason); \(CleaningAdvice.sentence(for: text))"
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
      default: throw .unsupported(reason(resolved(member.value), "`\(member.key)`"))
      }
    }
    return try ReplacedParts(parts)
  }

  private mutating func add(
    _ node: JavaScriptNode, matching match: JavaScriptNode, _ target: Target, isRewrite: Bool
  ) {
    var conditions: [SourceCondition] = []
    var functions: [(text: String, element: JavaScriptNode)] = []
    for element in elements(of: match) ?? [match] {
      if !isRewrite, case .function(let text) = resolved(element).content, OpenerCondition.isNamed(in: text) {
        functions.append((text, element))
        continue
      }
      do throws(ImportError) {
        conditions += try self.conditions(element)
      } catch {
        result.leaveOut("match: \(element.text)", at: element.location, error.description)
      }
    }
    if !conditions.isEmpty {
      let rule = ImportedRule(
        location: node.location, text: node.text, conditions: conditions, action: target.action,
        notes: target.notes, advice: target.advice)
      if isRewrite { rewrites.append(rule) } else { result.rules.append(rule) }
    }
    for (text, element) in functions { add(node, openerOf: element, function: text, target) }
  }

  /// Adds the route, or the outline of one, for a condition on the application that contains the link.
  private mutating func add(
    _ node: JavaScriptNode, openerOf element: JavaScriptNode, function: String, _ target: Target
  ) {
    var rule = ImportedRule(
      location: node.location, text: node.text,
      conditions: [SourceCondition(matcher: .all, text: element.text)], action: target.action,
      notes: target.notes, advice: target.advice)
    let location = element.location
    guard let found = OpenerCondition(function, constant: constant) else {
      result.leaveOut(
        "match: \(element.text)", at: location,
        "the condition is a function that does more than compare the application; complete the route in the comment"
      )
      rule.outline = ImportedRule.Outline(application: nil)
      result.rules.append(rule)
      return
    }
    for id in found.applications.flatMap({ replacements.applications[$0] ?? [] })
    where !rule.sources.contains(id) {
      rule.sources.append(id)
    }
    if !rule.sources.isEmpty {
      var known = rule
      known.advice.append(
        "If the application opens a link by the desktop portal, as Flatpaks and Chromium do, its source is unknown, and the route does not match it."
      )
      result.rules.append(known)
    }
    for name in found.applications where replacements.applications[name] == nil {
      result.leaveOut(
        "match: \(element.text)", at: location,
        "name the application of Linux that replaces `\(name)`: --application \("\(name)=ID".inShell)")
      rule.sources = []
      rule.outline = ImportedRule.Outline(application: name)
      result.rules.append(rule)
    }
  }

  /// Returns the value of a constant that is a text or a list of texts.
  private func constant(_ name: String) -> OpenerCondition.Constant? {
    guard let value = reader.constants[name] else { return nil }
    if let text = string(value) { return .text(text) }
    guard let elements = elements(of: value) else { return nil }
    let texts = elements.compactMap(string)
    return texts.count == elements.count ? .list(texts) : nil
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
        default: throw .unsupported(reason(host, "a host"))
        }
      }
      return conditions
    default: break
    }
    throw .unsupported(reason(value, "the condition"))
  }

  // MARK: Browsers

  private struct Reason: Error { let text: String }
  private struct Target {
    var action: ImportedRule.Action
    var notes: [String] = []
    var advice: [String] = []
  }

  /// Returns the action of a rule, or of the configuration, that may name a profile beside its browser.
  private func action(_ node: JavaScriptNode, profileIn member: JavaScriptNode?) -> Result<Target, Reason> {
    guard let member else { return action(node) }
    return text(member, "the profile").flatMap { action(node, profile: $0) }
  }

  /// Returns a text; `nil` for `null`.
  private func text(_ node: JavaScriptNode, _ subject: String) -> Result<String?, Reason> {
    let value = resolved(node)
    return switch value.content {
    case .string(let text): .success(text)
    case .null: .success(nil)
    default: .failure(Reason(text: reason(value, subject)))
    }
  }

  /// Returns the action of a browser, or of the first one of a list.
  ///
  /// - Parameter depth: The number of lists that contain the node; a list of constants may contain itself.
  private func action(
    _ node: JavaScriptNode, profile: String? = nil, depth: Int = 0
  ) -> Result<Target, Reason> {
    let value = resolved(node)
    switch value.content {
    case .null: return .success(Target(action: .deny("Finicky opened nothing for this link")))
    case .string(let text):
      // Finicky 4 accepts `Name:Profile`.
      let parts = version == .four ? text.split(separator: ":", maxSplits: 1).map(String.init) : [text]
      return target(parts.first ?? "", profile: parts.count > 1 ? parts[1] : profile)
    case .array:
      guard let elements = elements(of: value) else {
        return .failure(Reason(text: reason(value, "the list of browsers")))
      }
      guard let first = elements.first else { return .failure(Reason(text: "the list of browsers is empty")) }
      guard depth < 8 else {
        return .failure(Reason(text: "the list of browsers contains itself"))
      }
      return action(first, profile: profile, depth: depth + 1).map { target in
        var target = target
        target.notes.append(
          "Finicky chose the first running browser of a list; the route always opens the first of the list.")
        return target
      }
    case .object: return object(value, profile: profile)
    default: return .failure(Reason(text: reason(value, "the browser")))
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
      case "profile":
        switch text(member.value, "the profile") {
        case .failure(let reason): return .failure(reason)
        case .success(let text): profile = text
        }
      case "appType":
        switch text(member.value, "`appType`") {
        case .failure(let reason): return .failure(reason)
        case .success("none"):
          return .success(Target(action: .deny("Finicky opened nothing for this link")))
        case .success: break
        }
      case "openInBackground":
        switch resolved(member.value).content {
        case .boolean(false), .null: break
        case .boolean(true):
          notes.append("Finicky opened the browser in the background; the route does not.")
        default: notes.append("`openInBackground` of the browser is not carried over.")
        }
      case "args":
        return .failure(
          Reason(text: "`args` are not carried over: a route has `profile`, `private` and `new_window`"))
      default: notes.append("`\(member.key)` of the browser is not carried over.")
      }
    }
    guard let name else { return .failure(Reason(text: "the browser has no name that is data")) }
    return target(name, profile: profile).map { target in
      Target(action: target.action, notes: target.notes + notes, advice: target.advice)
    }
  }

  private func target(_ name: String, profile: String?) -> Result<Target, Reason> {
    let profile = profile?.isEmpty == true ? nil : profile
    let file = MacApplications.catalogFile(for: name)
    guard let found = replacements.browsers[name] ?? MacBrowsers.family(of: name) else {
      let option = "--browser \("\(name)=…".inShell)"
      let advice = file.map {
        "; `usher web catalog enable \($0)` opens the links of this application in it, or name an application for all links of the rule "
          + "with \(option)"
      }
      return .failure(
        Reason(
          text: "`\(name)` is not a browser of Linux"
            + (advice ?? "; name a browser or an application with \(option)")))
    }
    if MacBrowsers.familyNames.contains(found) || profile != nil {
      var target = Target(action: .browser(found, profile: profile))
      if let profile, BrowserTarget(found, profile: profile).mayMeanPrivateWindow {
        target.advice = [
          "`\(profile)` is the name of a profile, as in Finicky; for a private window, write `private = true` instead of `profile`."
        ]
      }
      return .success(target)
    }
    var target = Target(action: .application(found, isRequired: false))
    if let file {
      target.advice = [
        "The route passes the web link; `usher web catalog enable \(file)` uses the scheme of the application, as its own web pages do."
      ]
    }
    return .success(target)
  }

  private mutating func readDefault(_ node: JavaScriptNode, profile: JavaScriptNode?) {
    switch action(node, profileIn: profile) {
    case .failure(let reason): result.leaveOut("defaultBrowser: \(node.text)", at: node.location, reason.text)
    case .success(let found):
      if found.notes.isEmpty, let name = found.action.plainTarget, replacements.ownBrowser.contains(name) {
        result.remarks.append(
          "The default browser needs no route: `\(name)` opens the web links that no route matches.")
        return
      }
      var advice =
        "The route decides before the files of `usher web catalog`, except those that clean links"
      if found.action.plainTarget != nil {
        advice +=
          "; so that they decide, enable Usher with this browser (`usher web enable ID`), and remove the route"
      }
      result.rules.append(
        ImportedRule(
          location: node.location, text: "defaultBrowser: \(node.text)", conditions: [],
          action: found.action, notes: found.notes, advice: found.advice + [advice + "."]))
    }
  }

  private mutating func readOptions(_ node: JavaScriptNode) {
    guard let members = members(of: node) else {
      result.leaveOut("options: \(node.text)", at: node.location, reason(resolved(node), "the value"))
      return
    }
    for member in members {
      if case .array(let list) = resolved(member.value).content, list.isEmpty { continue }
      let reason =
        member.key == "urlShorteners"
        ? "Usher does not resolve shortened links" : "it is a setting of Finicky itself"
      result.leaveOut("\(member.key): \(member.value.text)", at: member.value.location, reason)
    }
  }
}
