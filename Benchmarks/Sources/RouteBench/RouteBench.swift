// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Measures route tables.
///
/// usage: route-bench [--routes FILE] [--rounds N] [--peer NAME=PROGRAM]… [--json FILE] [ROW…]
@main
enum RouteBench {
  static let rows: [(name: String, run: @Sendable (Options, Report) throws -> Void)] = [
    ("github", GitHubRow.run), ("whole-url", WholeURLRow.run), ("hundred-thousand", HundredThousandRow.run),
    ("hostile", HostileRow.run), ("proving", ProvingRow.run),
  ]

  static func main() {
    do {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      let known = rows.map(\.name)
      if let unknown = options.rows.first(where: { !known.contains($0) }) {
        throw Options.Failure(description: "no row \(unknown); there are \(known.joined(separator: ", "))")
      }
      let report = Report()
      for (name, run) in rows where options.rows.isEmpty || options.rows.contains(name) {
        report.row = name
        try run(options, report)
      }
      if let file = options.json { try report.write(to: file) }
    } catch {
      FileHandle.standardError.write(Data("route-bench: \(error)\n".utf8))
      exit(1)
    }
  }
}
