// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RegularLanguages
import RouteTables

/// Writes the route file of an import.
struct RouteFileWriter {
  private static let maximumURLs = 6

  let text: String

  /// Writes converted rules, with these sentences at the head.
  init(_ converted: ConvertedRules, head: [String]) {
    var lines = head.map { "# \($0.inOneLine)" }
    lines += [
      "# The first rule that matches decides; `wins_over` keeps this order.", "", "format = 1",
      "owner = \"user\"",
    ]
    let tests = Self.tests(of: converted)
    for (index, kept) in converted.kept.enumerated() {
      lines.append("")
      lines.append("# \(Self.position(kept.rule.location)): \(kept.rule.text.inOneLine)")
      lines += kept.differences.map { "# Differs: \($0)" }
      lines += kept.advice.map { "# Note: \($0)" }
      let route = Self.route(kept, losers: converted.losers(of: index), tests[index])
      if let outline = kept.rule.outline {
        lines += Self.comment(of: kept.id, outline, winners: converted.winners(over: index), route)
      } else {
        lines += route
      }
    }
    if !converted.leftOut.isEmpty {
      lines += ["", "# Not carried over:"]
      lines += converted.leftOut.map { "# \(Self.position($0.location)): \($0.text): \($0.reason)" }
    }
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func position(_ location: SourceLocation) -> String {
    "\(location.file.inOneShortLine):\(location.line)"
  }

  private static func route(_ kept: ConvertedRules.Kept, losers: [String], _ tests: Tests) -> [String] {
    var lines = ["[route.\(kept.id)]"]
    if kept.isDefault || kept.matcher.isAll {
      lines.append("scheme = \(list(kept.webSchemes + kept.matcher.schemes))")
    } else if kept.matcher.shapes.isEmpty {
      lines.append("scheme = \(list(kept.matcher.schemes))")
    } else {
      lines.append("match = \(list(kept.matcher.patterns))")
    }
    if kept.matcher.ignoresCase { lines.append("case = \"ignore\"") }
    if !losers.isEmpty { lines.append("wins_over = \(list(losers))") }
    if let outline = kept.rule.outline {
      lines.append("source = \(("ID" + (outline.application.map { " of \($0)" } ?? "")).inQuotes)")
    } else if !kept.rule.sources.isEmpty {
      lines.append("source = \(list(kept.rule.sources))")
    }
    lines.append(kept.rule.action.lines)
    lines += decisions(tests, of: kept)
    if !tests.unmatched.isEmpty { lines.append("tests.no = \(list(tests.unmatched, alwaysAsList: true))") }
    return lines
  }

  /// Returns the lines of `tests.decide`.
  private static func decisions(_ tests: Tests, of kept: ConvertedRules.Kept) -> [String] {
    let target = kept.rule.action.needsInstalledTarget ? ", \(ImportedRule.Action.whileInstalled)" : ""
    let entries = tests.decided.filter { !$0.urls.isEmpty }.map { test in
      let source = test.source.map { ", source = \($0.inQuotes)" } ?? ""
      return
        "{ url = \(list(test.urls, alwaysAsList: true))\(source)\(target), is = \"\(kept.rule.action.outcome)\", by = \"\(kept.id)\" }"
    }
    guard entries.count > 1 else { return entries.map { "tests.decide = [\($0)]" } }
    return ["tests.decide = [\n" + entries.map { "  \($0.replacing("\n", with: "\n  ")),\n" }.joined() + "]"]
  }

  /// Returns a route as a comment, with what is missing to make it one.
  private static func comment(
    of id: String, _ outline: ImportedRule.Outline, winners: [String], _ route: [String]
  ) -> [String] {
    let option =
      outline.application.map { "import with --application \("\($0)=ID".inOneLine.inShell), or " } ?? ""
    var lines = [
      "# Not carried over. To complete this route, \(option)write the ID of the application in `source`."
    ]
    if !winners.isEmpty {
      lines.append(
        "# Earlier rules precede it: add \(id.inQuotes) to `wins_over` of \(winners.joined(separator: ", "))."
      )
    }
    return lines + route.flatMap { $0.split(separator: "\n") }.map { "# \($0)" }
  }

  private static func list(_ texts: [String], alwaysAsList: Bool = false) -> String {
    if texts.count == 1, !alwaysAsList { return texts[0].inQuotes }
    let line = texts.map(\.inQuotes).joined(separator: ", ")
    guard line.count > 110 else { return "[\(line)]" }
    return "[\n" + texts.map { "  \($0.inQuotes),\n" }.joined() + "]"
  }

  // MARK: Tests

  /// The tests of a route.
  private struct Tests {
    /// The URLs that the route decides for links of one application, or of any.
    var decided: [(source: String?, urls: [String])] = []
    var unmatched: [String] = []

    /// Adds a URL that the route decides, unless there are enough.
    mutating func add(_ url: String, from source: String?) {
      guard let index = decided.firstIndex(where: { $0.source == source }) else {
        decided.append((source, [url]))
        return
      }
      guard decided[index].urls.count < maximumURLs, !decided[index].urls.contains(url) else { return }
      decided[index].urls.append(url)
    }
  }

  /// Returns the tests of each route: what the rules, evaluated one after the other, decide about examples.
  private static func tests(of converted: ConvertedRules) -> [Tests] {
    var tests = converted.kept.map { _ in Tests() }
    let sources = converted.kept.compactMap(\.rule.sources.first)
    for (index, kept) in converted.kept.enumerated() where !kept.isOutline {
      let samples = SampleURLs.urls(for: kept.matcher)
      for (number, url) in samples.enumerated() {
        let isEqual = converted.kept.allSatisfy { other in
          other.isDefault || other.isOutline || other.matcher.shapes.isEmpty || url.isWeb == false
            || other.rule.matches(url.text, from: other.rule.sources.first)
              == other.matcher.language.contains(url.text)
        }
        guard isEqual else { continue }
        // The first URL of each rule is also decided for each application.
        for source in [nil] + (number == 0 && url.isWeb ? sources.map(Optional.some) : []) {
          let decider = converted.kept.firstIndex {
            $0.isDefault ? url.isWeb : $0.rule.matches(url.text, from: source)
          }
          if let decider {
            // A rewrite that does not change the URL decides nothing.
            guard converted.kept[decider].rule.action.rewritten(url.text) != url.text else { continue }
            tests[decider].add(url.text, from: source)
          } else if source == nil, tests[index].unmatched.count < maximumURLs,
            kept.rule.sources.isEmpty, !tests[index].unmatched.contains(url.text)
          {
            tests[index].unmatched.append(url.text)
          }
        }
      }
    }
    return tests
  }
}

extension String {
  /// The text as an argument for a shell: in single quotes if it contains a character that a shell may interpret.
  var inShell: String {
    let isPlain = unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "._:/=@%+,-…".unicodeScalars.contains(scalar)
    }
    return isPlain && !isEmpty ? self : ShellWord.quoted(self)
  }
}
