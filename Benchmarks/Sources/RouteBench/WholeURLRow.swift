// SPDX-License-Identifier: Apache-2.0
internal import Racing

/// The whole URL with typed captures and two query conditions, compared with the same routes by path only.
enum WholeURLRow {
  static func run(_ options: Options, _ report: Report) throws {
    let routes = try SampleRoute.read(options.routes)
    let paths = try Tables.sweep(routes.map { SampleRoute(pattern: $0.untyped, url: $0.url) })
    let whole = try Tables.sweep(
      routes.map { route in
        SampleRoute(
          pattern: "https://api.example" + route.pattern + "?sort=updated&page={page:uint}",
          url: "https://api.example" + route.url + "?sort=updated&page=2")
      })
    let figures = try Race(rounds: options.rounds).run([
      paths.contender("path only"), whole.contender("whole URL, types, two predicates"),
      whole.readingContender("the same, reading every capture"),
    ])
    report.title("\(routes.count) routes: the whole URL beside the path")
    for figures in figures { report.figures(figures) }
    report.ratio("whole URL : path only", figures[1], to: figures[0], Report.Goal(line: 3, stretch: 2))
    report.allocations("path only", paths)
    report.allocations("whole URL", whole)
  }
}
