// SPDX-License-Identifier: Apache-2.0
internal import RouteExplanations
internal import Racing
internal import RouteAnalysis
internal import RouteTables

/// The time to check, explain and compare 5,000 routes, and a table in which half of the routes overlap the others.
enum ProvingRow {
  static let count = 5_000
  private static let goal = Report.Goal(line: 2)

  static func run(_ options: Options, _ report: Report) throws {
    let routes = try SampleRoute.read(options.routes)
    for (kind, many) in [
      ("random", ManyRoutes.random(count: count)), ("hosts x GitHub", ManyRoutes.hosts(routes, count: count)),
    ] {
      let patterns = many.map(\.pattern)
      let table = try Tables.table(patterns)
      report.title("\(count) routes, \(kind)")
      try time("checked", report) { table.check() }
      try time("checked strictly", report) { table.check(isStrict: true) }
      try time("a near miss explained", report) { try table.explain(many[count / 2].url + "/none") }
      var changed = patterns
      changed[count / 3] += "/more"
      changed.append("https://{host...}/{path...}")
      let other = try Tables.table(changed)
      try time("compared with two changes", report) { other.diff(from: table) }
    }
    let half = (0..<count / 2).flatMap { ["app:/a\($0)/{x}", "app:/{y}/b\($0)"] }
    let crossing = try Tables.table(half)
    report.title("\(count) routes, \(count * count / 4) crossings")
    try time("checked strictly", report) { crossing.check(isStrict: true) }
    let check = crossing.check(isStrict: true)
    report.value(
      "findings", Double(check.findings.count), "",
      note: check.isComplete ? "all" : "says that there may be more")
  }

  private static func time<Result>(_ name: String, _ report: Report, _ body: () throws -> Result) throws {
    var seconds: [Double] = []
    for _ in 0..<3 { seconds.append(try Double(Stopwatch.nanoseconds { _ = try body() }) / 1e9) }
    report.value(name, seconds.sorted()[1], "s", goal)
  }
}
