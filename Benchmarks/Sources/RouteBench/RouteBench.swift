internal import Foundation

/// Times route tables.
///
/// usage: route-bench [--routes FILE] [--rounds N] [--peer NAME=PROGRAM]… [ROW…]
@main
enum RouteBench {
  static let rows: [(name: String, run: @Sendable (Options) throws -> Void)] = [
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
      for (name, run) in rows where options.rows.isEmpty || options.rows.contains(name) { try run(options) }
    } catch {
      FileHandle.standardError.write(Data("route-bench: \(error)\n".utf8))
      exit(1)
    }
  }
}
