// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// All commands of `usher`, as the command itself lists them.
struct CommandTree {
  /// The words of each command, such as `routes check`; the first is `usher` itself, without words.
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

/// The exit statuses and examples in a command's help.
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
