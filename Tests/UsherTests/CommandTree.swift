import Foundation
import TestSupport

/// Every command of `usher`, as it tells of itself.
struct CommandTree {
  /// The words that call each, as `routes check`; the first is `usher` alone, of no words.
  let paths: [[String]]

  static func read() async throws -> CommandTree {
    let dump = try await Command.run(BuiltProducts.usher, ["--experimental-dump-help"]).orThrow()
    guard let root = try JSONObject(dump.output).object("command") else {
      throw TestSupportError("no command in the dump")
    }
    return CommandTree(paths: paths(of: root, below: []))
  }

  private static func paths(of command: JSONObject, below path: [String]) -> [[String]] {
    let subcommands = command.objects("subcommands").filter {
      $0["commandName"] != "help" && $0.boolean("shouldDisplay") != false
    }
    return [path] + subcommands.flatMap { paths(of: $0, below: path + [$0["commandName"] ?? ""]) }
  }
}

/// What a command's help says of how it ends and what may be typed.
struct HelpPage {
  let text: String
  let statuses: Set<Int32>
  let examples: [String]

  init(_ path: [String]) async throws {
    let help = try await Command.run(
      BuiltProducts.usher, path + ["--help"],
      environment: Command.bareEnvironment.merging(["COLUMNS": "80"]) { $1 }
    ).orThrow()
    text = help.output
    let (statuses, examples) = (
      Self.section("EXIT STATUS", of: help.lines), Self.section("EXAMPLES", of: help.lines)
    )
    self.statuses = Set(statuses.compactMap { Int32($0.prefix(6).trimmingCharacters(in: .whitespaces)) })
    self.examples = examples.filter { $0.hasPrefix("    ") }.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private static func section(_ title: String, of lines: [String]) -> [String] {
    Array(lines.drop { $0 != "\(title):" }.dropFirst().prefix { $0.hasPrefix("  ") })
  }
}
