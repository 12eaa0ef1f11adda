internal import Racing
internal import RouteTables

/// 100,000 routes, beside as few as GitHub has: where the cache ends.
enum HundredThousandRow {
  static let count = 100_000

  static func run(_ options: Options) throws {
    let routes = try SampleRoute.read(options.routes)
    let paths = try Tables.sweep(routes.map { SampleRoute(pattern: $0.untyped, url: $0.url) })
    let few = try Tables.sweep(ManyRoutes.hosts(routes, count: routes.count))
    let kinds = [
      ("hosts x GitHub", ManyRoutes.hosts(routes, count: count)), ("random", ManyRoutes.random(count: count)),
    ]
    for (kind, many) in kinds {
      Report.title("\(count) routes, \(kind)")
      let table = try build(many.map(\.pattern))
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
      for figures in figures { Report.figures(figures) }
      let goal = Report.Goal(line: 4, stretch: 2)
      Report.ratio("hot thousand : one host", figures[2], to: figures[1], goal)
      Report.ratio("hot thousand : path only", figures[2], to: figures[0], goal)
      Report.ratio("uniform : one host", figures[3], to: figures[1], nil)
      Report.allocations("hot thousand", hot)
      Report.allocations("uniform", uniform)
    }
  }

  /// Builds the table three times, and reports the middle one.
  private static func build(_ patterns: [String]) throws -> RouteTable<Int> {
    var tables: [RouteTable<Int>] = []
    var (reading, building) = ([Double](), [Double]())
    for _ in 0..<3 {
      var builder = RouteTableBuilder<Int>()
      reading.append(try Double(Stopwatch.nanoseconds { builder = try Tables.builder(patterns) }) / 1e9)
      building.append(try Double(Stopwatch.nanoseconds { tables = [try builder.build()] }) / 1e9)
    }
    let (middle, most) = (reading.sorted()[1], building.sorted()[1])
    Report.value("patterns read", middle, "s")
    Report.value("table built", most, "s", Report.Goal(line: 1))
    Report.value("both", middle + most, "s", Report.Goal(line: 1))
    Report.value("width", Double(tables[0].width), "")
    return tables[0]
  }
}
