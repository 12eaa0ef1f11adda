// SPDX-License-Identifier: Apache-2.0
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
      lines += Self.route(kept, losers: converted.losers(of: index), tests[index])
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
      lines.append("scheme = \(list(["https", "http"] + kept.matcher.schemes))")
    } else if kept.matcher.shapes.isEmpty {
      lines.append("scheme = \(list(kept.matcher.schemes))")
    } else {
      let schemes = kept.matcher.schemes.map { "\($0):{rest...?}" }
      lines.append("match = \(list(kept.matcher.patterns + schemes))")
    }
    if kept.matcher.ignoresCase { lines.append("case = \"ignore\"") }
    if !losers.isEmpty { lines.append("wins_over = \(list(losers))") }
    lines.append(kept.rule.action.line)
    if !tests.decided.isEmpty {
      lines.append(
        "tests.decide = [{ url = \(list(tests.decided, alwaysAsList: true)), is = \"\(kept.rule.action.outcome)\", by = \"\(kept.id)\" }]"
      )
    }
    if !tests.unmatched.isEmpty { lines.append("tests.no = \(list(tests.unmatched, alwaysAsList: true))") }
    return lines
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
    var decided: [String] = []
    var unmatched: [String] = []
  }

  /// Returns the tests of each route: what the rules, evaluated one after the other, decide about examples.
  private static func tests(of converted: ConvertedRules) -> [Tests] {
    var tests = converted.kept.map { _ in Tests() }
    for (index, kept) in converted.kept.enumerated() {
      for url in SampleURLs.urls(for: kept.matcher) {
        let isEqual = converted.kept.allSatisfy { other in
          other.isDefault || other.matcher.shapes.isEmpty || url.isWeb == false
            || other.rule.matches(url.text) == other.matcher.language.contains(url.text)
        }
        guard isEqual else { continue }
        let decider = converted.kept.firstIndex { $0.isDefault ? url.isWeb : $0.rule.matches(url.text) }
        if let decider {
          // A rewrite that does not change the URL decides nothing.
          guard converted.kept[decider].rule.action.rewritten(url.text) != url.text else { continue }
          guard tests[decider].decided.count < maximumURLs, !tests[decider].decided.contains(url.text) else {
            continue
          }
          tests[decider].decided.append(url.text)
        } else if tests[index].unmatched.count < maximumURLs, !tests[index].unmatched.contains(url.text) {
          tests[index].unmatched.append(url.text)
        }
      }
    }
    return tests
  }
}
