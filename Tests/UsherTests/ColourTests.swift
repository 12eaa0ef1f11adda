// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct `Colours` {
  private func desktop() throws -> ThrowAwayDesktop {
    let desktop = try ThrowAwayDesktop(hasBus: false, extra: ["TERM": "xterm"])
    _ = try desktop.installPlayer()
    try desktop.installDesktopEntry("gone", exec: "/nowhere/gone %u", schemes: ["gone"])
    try desktop.write("format = 2\n", to: "home/bad.toml")
    return desktop
  }

  /// Returns the command's output on a terminal, with the line ends of a file.
  private func shown(_ command: String, on desktop: ThrowAwayDesktop, _ extra: [String: String] = [:])
    async throws
    -> String
  {
    let result = try await Command.run(
      "script", ["-qc", "\(BuiltProducts.usher) \(command)", "/dev/null"],
      environment: desktop.environment.merging(extra) { $1 }, directory: desktop.home)
    return result.output.replacing("\r\n", with: "\n")
  }

  private static let commands = [
    "explain --skip-comparison play:1", "explain --skip-comparison nobody:1", "doctor", "handlers",
    "routes check bad.toml",
    "open nobody:1", "open example.org", "opne x:1", "history", "open --app gone gone:1",
  ]

  @Test(arguments: commands) func `are used only on a terminal, and add no information`(command: String)
    async throws
  {
    let desktop = try desktop()
    let coloured = try await shown(command, on: desktop)
    #expect(coloured.contains("\u{1B}["), "\(coloured)")
    let plain = try await shown(command, on: desktop, ["NO_COLOR": "1"])
    #expect(!plain.contains("\u{1B}"), "\(plain)")
    #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
    let filed = try await Command.run(
      "sh", ["-c", "\(BuiltProducts.usher) \(command)"], environment: desktop.environment,
      directory: desktop.home)
    #expect(!(filed.output + filed.errorOutput).contains("\u{1B}"), "\(filed)")
  }

  @Test func `go by NO_COLOR, TERM and CLICOLOR_FORCE`() async throws {
    let desktop = try desktop()
    for (variables, isColoured) in [
      ([:], true), (["NO_COLOR": ""], true), (["NO_COLOR": "0"], false), (["TERM": "dumb"], false),
      (["TERM": ""], false),
      (["CLICOLOR_FORCE": "1", "TERM": "dumb"], true), (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
    ] as [([String: String], Bool)] {
      #expect(
        try await shown("handlers", on: desktop, variables).contains("\u{1B}") == isColoured, "\(variables)")
    }
    for (value, isColoured) in [("1", true), ("0", false), ("", false)] {
      let piped = try await desktop.usher("handlers", extra: ["CLICOLOR_FORCE": value])
      #expect(piped.output.contains("\u{1B}") == isColoured, "\(value)")
    }
  }

  @Test func `are only Usher's: names cannot control the terminal`() async throws {
    let desktop = try desktop()
    let text = try await shown("explain --skip-comparison $'play:\\e[31mred'", on: desktop)
    #expect(!text.contains("\u{1B}[31mred"), "\(text)")
    let json = try await desktop.usher("handlers", "--json", extra: ["CLICOLOR_FORCE": "1"])
    #expect(!json.output.contains("\u{1B}"))
  }
}
