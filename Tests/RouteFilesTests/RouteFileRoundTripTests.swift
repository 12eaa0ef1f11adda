// SPDX-License-Identifier: Apache-2.0
import RegularLanguages
import RouteFiles
import RouteTables
import TestSupport
import Testing

/// Tests that routes of Swift, written as a file, are parsed to equal routes.
@Suite struct RouteFileRoundTripTests {
  private struct Said {
    var id: String
    var patterns: [RoutePattern]
    var options: [(String, String)]
    var action: RouteAction
    var source: [String]
    var isFinal: Bool
    var generates: Bool
  }

  @Test(arguments: 0..<300) func `Printed files can be parsed`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let said = try (0..<(1 + random.below(6))).map { try route($0, &random) }
    let text =
      "format = 1\nowner = \(quoted("o\"wn\n"))\n" + said.map { print($0, &random) }.joined(separator: "\n")
    let set = RouteFileSet([RouteFileSource(name: "a.toml", text: text, rank: .administrator)])
    #expect(set.diagnostics.filter { $0.kind != .conflict }.map(\.description) == [], "\(text)")
    for route in set.table.routes {
      let origin = try #require(said.first { $0.id.utf8.elementsEqual(route.id.utf8) }, "\(text)")
      #expect(route.patterns == origin.patterns, "\(text)")
      #expect(route.patterns.map(\.options) == origin.patterns.map(\.options))
      #expect(route.action == origin.action, "\(text)")
      #expect(route.owner == "o\"wn\n")
      #expect(route.rank == (origin.isFinal ? .finalAdministrator : .administrator))
      #expect(route.generates == origin.generates, "\(text)")
      #expect(route.conditions.map(\.name) == (origin.source.isEmpty ? [] : ["source"]))
      for id in origin.source { #expect(route.conditions.allSatisfy { $0.language.contains(id) }) }
    }
    let conflicts = set.diagnostics.count
    #expect(set.table.routes.count >= said.count - 2 * conflicts)
  }

  private func route(_ number: Int, _ random: inout SeededGenerator) throws -> Said {
    let ignoresCase = random.oneIn(3)
    let ignoresSlash = random.oneIn(3)
    let isLiteral = random.oneIn(3)
    let isJoined = random.oneIn(3)
    let actions: [RouteAction] = [
      .handler("h \"\\\t"), .handler("h", requiresConfirmation: true), .open(application: "org.a"),
      .browse(BrowserTarget("firefox", profile: "a \"é\" \n", isPrivate: true)),
      .browse(BrowserTarget("chromium", opensNewWindow: true)),
      .ask([.application("org.a"), .browser(BrowserTarget("firefox", profile: "w"))], remember: [.host]),
      .ask([.browsers], remember: []),
      .perform(application: "org.a", action: "new é"),
      .allow,
      .exec([try ActionTemplate(argument: "a \"b\""), try ActionTemplate(argument: "--x={{{@url}}}")]),
      .rewrite(try ActionTemplate(url: "b:/x?{@url}", dropping: ["a*"])),
      .rewrite(try ActionTemplate(url: "b:/{{")),
      .ask([], remember: [.source, .host]), .ask(["org.a", "b"], remember: []),
      .deny(reason: "no\u{7}\u{1F600}"),
    ]
    let action = random.pick(actions)
    let user = random.pick([RouteOptions.User.any, .written, nil])
    let restricts =
      switch action {
      case .deny, .ask: true
      default: false
      }
    let options = RouteOptions(
      ignoresCase: ignoresCase, ignoresTrailingSlash: ignoresSlash, plus: isLiteral ? .literal : .automatic,
      authority: isJoined ? .segment : .host, user: user ?? (restricts ? .any : .written))
    let texts = [
      "s\(number):/{a}/{n:int}", "s\(number):/x{a:/[a-z\"\\\\]{2}/}?q={q=\"d\"}&!k",
      "s\(number):/é/{r...}#{f?}",
      "s\(number):/{:a|b/c}/{l:x|y}?t={t*}",
    ]
    let patterns = try Set((0...random.below(2)).map { _ in random.pick(texts) }).sorted()
      .map { try RoutePattern($0, options: options) }
    var lines: [(String, String)] = []
    if ignoresCase { lines.append(("case", "\"ignore\"")) }
    if ignoresSlash { lines.append(("slash", "'ignore'")) }
    if isLiteral { lines.append(("plus", "\"literal\"")) }
    if isJoined { lines.append(("authority", "\"segment\"")) }
    if let user { lines.append(("user", user == .any ? "\"any\"" : "\"written\"")) }
    return Said(
      id: random.pick(["plain\(number)", "with \(number)\n\"", "é.\(number)"]), patterns: patterns,
      options: lines,
      action: action, source: random.oneIn(3) ? ["org.x", "a-b_c"] : [],
      isFinal: random.oneIn(4), generates: !random.oneIn(4))
  }

  private func print(_ route: Said, _ random: inout SeededGenerator) -> String {
    let matches = route.patterns.map { quoted($0.description) }
    var lines = route.options.map { "\($0.0) = \($0.1)" }
    lines.append(
      "match = "
        + (matches.count == 1 && random.oneIn(2) ? matches[0] : "[\(matches.joined(separator: ", "))]"))
    lines += print(route.action)
    if !route.source.isEmpty {
      lines.append("source = [\(route.source.map { quoted($0) }.joined(separator: ", "))]")
    }
    if route.isFinal { lines.append("final = true") }
    if !route.generates || random.oneIn(4) { lines.append("generate = \(route.generates)") }
    lines.shuffle(using: &random)
    return "[route.\(quoted(route.id))]\n" + lines.joined(separator: "\n")
  }

  private func print(_ action: RouteAction) -> [String] {
    func list(_ texts: [String]) -> String { "[\(texts.map { quoted($0) }.joined(separator: ", "))]" }
    switch action {
    case .handler(let name, let requiresConfirmation):
      return ["handler = \(quoted(name))"] + (requiresConfirmation ? ["requires_confirmation = true"] : [])
    case .open(let application): return ["open = \(quoted(application))"]
    case .browse(let target): return ["open = \(table(target))"]
    case .perform(let application, let action):
      return ["perform = { application = \(quoted(application)), action = \(quoted(action)) }"]
    case .exec(let argv): return ["exec = \(list(argv.map(\.text)))"]
    case .rewrite(let url):
      return url.dropping.isEmpty
        ? ["rewrite = \(quoted(url.text))"]
        : ["rewrite = { drop = \(list(url.dropping)), to = \(quoted(url.text)) }"]
    case .ask(let applications, let remember):
      let choices = applications.map { choice in
        switch choice {
        case .application(let id): quoted(id)
        case .browser(let target): table(target)
        case .browsers: "\"browsers\""
        }
      }
      let ask =
        "ask = "
        + (applications.isEmpty
          ? "true" : applications == [.browsers] ? choices[0] : "[\(choices.joined(separator: ", "))]")
      return remember.isEmpty
        ? [ask] : [ask, "remember = \"\(remember.map(\.rawValue).joined(separator: "+"))\""]
    case .allow: return ["allow = true"]
    case .deny(let reason): return ["deny = \(quoted(reason))"]
    }
  }

  private func table(_ target: BrowserTarget) -> String {
    let members = [
      "browser = \(quoted(target.browser))", target.profile.map { "profile = \(quoted($0))" },
      target.isPrivate ? "private = true" : nil,
      target.opensNewWindow ? "new-window = true" : "new_window = false",
    ]
    return "{ \(members.compactMap(\.self).joined(separator: ", ")) }"
  }

  /// Returns a TOML basic string.
  private func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\0"..<" ", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
