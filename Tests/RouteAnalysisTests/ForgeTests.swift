// SPDX-License-Identifier: Apache-2.0
import RegularLanguages
import RouteAnalysis
import TestSupport
import Testing

@testable import RouteTables

/// Tests of the routes of a forge, in which most routes overlap others behind a catch-all.
@Suite(.computes) struct ForgeTests {
  /// The routes of GitLab, each with and without a slash at its end.
  private func patterns() throws -> [String] {
    let lines = try BuiltProducts.template("Benchmarks/routes/gitlab.txt").split(separator: "\n")
    return lines.filter { $0.hasPrefix("/") }.flatMap { [String($0), $0 + "/"] }
  }

  /// A value for each capture, of one segment.
  private func values(_ pattern: RoutePattern) -> [String: RouteValue] {
    var values: [String: RouteValue] = [:]
    for capture in pattern.captures {
      let text = capture.type.language.contains("value") ? "value" : capture.type.language.shortestText ?? ""
      values[capture.name] = capture.extent == .rest ? .strings(["group"]) : .string(text)
    }
    return values
  }

  @Test func `Its routes win the URLs that are generated for them, or are reported`() throws {
    let patterns = try patterns()
    let table = try RouteTable<Int> { routes throws(RouteTableError) in
      for (number, pattern) in patterns.enumerated() {
        try routes.add(pattern, id: "r\(number)", action: number)
      }
    }
    #expect(patterns.count > 3_500)
    var lost: Set<String> = []
    for route in table.routes {
      let pattern = route.patterns[0]
      if (try? table.generate(route.id, values(pattern))) == nil { lost.insert(pattern.description) }
    }
    let check = table.check()
    #expect(check.isComplete)
    let reported = Set(check.findings.map { $0.route.pattern.description })
    // A narrower route wins the URLs of these that have one segment: `…/commit/{id}`.
    let narrowed = lost.subtracting(reported)
    #expect(narrowed.sorted() == ["", "/"].map { "/{namespace_id...}/{project_id}/commit/{rest...}" + $0 })
    #expect(lost.count == 14 && reported.count == 12, "\(lost) \(reported)")
  }
}
