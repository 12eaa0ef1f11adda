// SPDX-License-Identifier: Apache-2.0
internal import Racing
internal import RouteTables

/// The time of hostile URLs per unit of the documented cost, |URL| + W * S.
enum HostileRow {
  static let count = 5_000

  static func run(_ options: Options, _ report: Report) throws {
    let kinds = HostileTable.all(count: count / 8)
    let joint = try table(kinds.flatMap(\.patterns))
    report.title("hostile tables and URLs: the time for one unit of |URL| + W * S")
    report.value("routes of the joint table", Double(joint.routes.count), "", note: "width \(joint.width)")
    var worst = 0.0
    for kind in kinds {
      let alone = try table(kind.patterns)
      for bytes in [16_384, RouteLimits.bytes] {
        let url = kind.url(bytes)
        guard url.utf8.count <= bytes else {
          throw Tables.Failure(description: "\(kind.name): the URL is too long")
        }
        _ = try joint.match(url)
        let sweeps = [Sweep(alone, [url]), Sweep(joint, [url])]
        let figures = try Race(rounds: max(3, options.rounds / 30)).run(
          sweeps.map { $0.contender(kind.name) })
        for (sweep, figures) in zip(sweeps, figures) {
          let segments = url.utf8.count { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
          let unit = figures.median / Double(url.utf8.count + sweep.table.width * segments)
          worst = max(worst, unit)
          report.value(
            "\(kind.name), \(sweep === sweeps[0] ? "alone" : "joint")", unit, "ns",
            note: """
              \(Int(figures.median / 1_000)) us, \(url.utf8.count) bytes, S \(segments), W \(sweep.table.width), \
              allocations \(sweep.allocations())
              """)
        }
      }
    }
    report.value("the most for one unit", worst, "ns")
  }

  private static func table(_ patterns: [String]) throws -> RouteTable<Int> {
    try Tables.table(patterns)
  }
}
