// SPDX-License-Identifier: Apache-2.0
internal import Racing
internal import RouteTables

/// 100,000 routes, compared with GitHub's few, to show the effect of the processor's caches.
enum HundredThousandRow {
  static let count = 100_000

  static func run(_ options: Options, _ report: Report) throws {
    let routes = try SampleRoute.read(options.routes)
    let kinds = [
      ("random", ManyRoutes.random(count: count)), ("hosts x GitHub", ManyRoutes.hosts(routes, count: count)),
    ]
    // First, as in a program that starts, because a fragmented heap would slow the construction.
    report.title("\(count) routes are built")
    let tables = try kinds.map { kind, many in try build(many.map(\.pattern), kind, report) }
    let paths = try Tables.sweep(routes.map { SampleRoute(pattern: $0.untyped, url: $0.url) })
    let few = try Tables.sweep(ManyRoutes.hosts(routes, count: routes.count))
    for ((kind, many), table) in zip(kinds, tables) {
      report.title("\(count) routes, \(kind)")
      var random = RandomSource(seed: 1)
      let urls = many.map(\.url).shuffled(using: &random)
      let uniform = Sweep(table, urls, lookups: 1_000)
      let hot = Sweep(table, Array(urls.prefix(1_000)))
      for url in urls where try table.match(url) == nil {
        throw Tables.Failure(description: "no route for \(url)")
      }

      let figures = try Race(rounds: options.rounds).run([
        paths.contender("\(routes.count) routes, path only"),
        few.contender("\(routes.count) routes under one host"), hot.contender("a hot thousand URLs"),
        uniform.contender("uniform URLs"),
      ])
      for figures in figures { report.figures(figures) }
      let goal = Report.Goal(line: 4, stretch: 2)
      report.ratio("hot thousand : one host", figures[2], to: figures[1], goal)
      report.ratio("hot thousand : path only", figures[2], to: figures[0], goal)
      report.ratio("uniform : one host", figures[3], to: figures[1], nil)
      report.allocations("hot thousand", hot)
      report.allocations("uniform", uniform)
    }
  }

  /// Builds the table three times, and reports the median.
  private static func build(_ patterns: [String], _ kind: String, _ report: Report) throws -> RouteTable<Int>
  {
    var tables: [RouteTable<Int>] = []
    var (reading, building) = ([Double](), [Double]())
    for _ in 0..<3 {
      var builder = RouteTableBuilder<Int>()
      reading.append(try Double(Stopwatch.nanoseconds { builder = try Tables.builder(patterns) }) / 1e9)
      // The destruction of the previous table is not measured.
      tables = []
      building.append(try Double(Stopwatch.nanoseconds { tables = [try builder.build()] }) / 1e9)
    }
    let (middle, most) = (reading.sorted()[1], building.sorted()[1])
    report.value("\(kind): patterns read", middle, "s")
    report.value("\(kind): table built", most, "s", Report.Goal(line: 1))
    report.value("\(kind): both", middle + most, "s", Report.Goal(line: 1))
    report.value("\(kind): width", Double(tables[0].width), "")
    return tables[0]
  }
}
