// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `usher routes import`: its options, exit statuses and messages.
@Suite struct `usher routes import` {
  private static let configuration = """
    export default { defaultBrowser: "Firefox", handlers: [
      { match: "a.example/*", browser: "Chromium" },
      { match: (_url, { opener }) => opener?.bundleId === "com.tinyspeck.slackmacgap", browser: "Vivaldi" },
    ] }
    """
  private static let slack = ["--application", "com.tinyspeck.slackmacgap=slack"]

  private func desktop() throws -> ThrowAwayDesktop {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.write(Self.configuration, to: "home/finicky.js")
    return desktop
  }

  private func run(_ desktop: ThrowAwayDesktop, _ options: [String]) async throws -> CommandResult {
    try await Command.run(
      BuiltProducts.usher, ["routes", "import", "finicky", "finicky.js"] + options,
      environment: desktop.environment, directory: desktop.home)
  }

  @Test func `exits with 0 if the routes decide as the rules do, with 1 if something is missing`()
    async throws
  {
    let desktop = try desktop()
    let complete = try await run(desktop, Self.slack)
    #expect(complete.status == 0, "\(complete)")
    #expect(complete.output.contains("source = \"slack\""), "\(complete)")
    #expect(
      complete.errorOutput.contains(
        "from-slack: note: If the application opens a link by the desktop portal"))
    let both = try await run(
      desktop, Self.slack + ["--application", "com.tinyspeck.slackmacgap=com.slack.Slack"])
    #expect(both.status == 0 && both.output.contains("source = [\"slack\", \"com.slack.Slack\"]"), "\(both)")
    let partial = try await run(desktop, [])
    #expect(partial.status == 1, "\(partial)")
    #expect(partial.errorOutput.contains("--application com.tinyspeck.slackmacgap=ID"), "\(partial)")
    #expect(partial.output.contains("# [route.from-slackmacgap]"), "\(partial)")
    for result in [complete, both, partial] {
      let file = try desktop.write(result.output, to: "home/routes.toml")
      #expect(try await desktop.usher("routes", "check", file).status == 0, "\(result)")
    }
  }

  @Test func `exits with 73 if the file of --output exists or cannot be written, and changes nothing`()
    async throws
  {
    let desktop = try desktop()
    let written = try await run(desktop, Self.slack + ["--output", "routes.toml"])
    #expect(written.status == 0 && written.output.isEmpty, "\(written)")
    let text = try String(contentsOfFile: "\(desktop.home)/routes.toml", encoding: .utf8)
    #expect(text.contains("[route.a-example]"))
    for options in [Self.slack, []] {
      let again = try await run(desktop, options + ["--output", "routes.toml"])
      #expect(again.status == 73 && again.errorOutput.contains("routes.toml exists; remove it"), "\(again)")
    }
    #expect(try String(contentsOfFile: "\(desktop.home)/routes.toml", encoding: .utf8) == text)
    #expect(try await run(desktop, ["--output", "none/routes.toml"]).status == 73)
    let missing = try await Command.run(
      BuiltProducts.usher, ["routes", "import", "finicky", "none.js"], environment: desktop.environment,
      directory: desktop.home)
    #expect(missing.status == 66, "\(missing)")
  }

  @Test(.disabled(if: hasThreadSanitizer)) func `leaves no part of a file that cannot be written completely`()
    async throws
  {
    let desktop = try desktop()
    let before = try FileManager.default.contentsOfDirectory(atPath: desktop.home).sorted()
    let line =
      "ulimit -c 0; ulimit -f 0; exec '\(BuiltProducts.usher)' routes import finicky finicky.js -o routes.toml"
    let killed = try await Command.run(
      "bash", ["-c", line], environment: desktop.environment, directory: desktop.home)
    #expect(killed.ending == .signalled(SIGXFSZ), "\(killed)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: desktop.home).sorted() == before)
    let result = try await Command.run(
      "bash", ["-c", "trap '' XFSZ; \(line)"], environment: desktop.environment, directory: desktop.home)
    #expect(
      result.status == 73 && result.errorOutput.contains("routes.toml cannot be written: File too large"),
      "\(result)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: desktop.home).sorted() == before)
    let again = try await run(desktop, Self.slack + ["--output", "routes.toml"])
    #expect(again.status == 0, "\(again)")
    let after = try FileManager.default.contentsOfDirectory(atPath: desktop.home)
    #expect(Set(after) == Set(before + ["routes.toml"]))
  }

  @Test func `makes no route of a default browser that opens web links anyway`() async throws {
    let desktop = try desktop()
    let others = try await run(desktop, Self.slack)
    #expect(others.output.contains("[route.default]\nscheme = [\"https\", \"http\"]"), "\(others)")
    #expect(
      others.errorOutput.contains("default: note: The route decides before the files of `usher web catalog`"))
    try desktop.installDesktopEntry("firefox-esr", exec: "firefox-esr %u", schemes: ["http", "https"])
    try desktop.installScript("firefox-esr", "#!/bin/sh\n")
    try desktop.installDesktopEntry("org.example.Browser", exec: "/bin/true %u", schemes: ["http", "https"])
    // Only one of the two schemes.
    try desktop.setDefaults(["https": ["firefox-esr"], "http": ["org.example.Browser"]])
    #expect(try await run(desktop, Self.slack).output.contains("[route.default]"))
    try desktop.setDefaults(["https": ["firefox-esr"], "http": ["firefox-esr"]])
    let own = try await run(desktop, Self.slack)
    #expect(own.status == 0 && !own.output.contains("[route.default]"), "\(own)")
    #expect(
      own.output.contains("The default browser needs no route: `firefox` opens the web links"), "\(own)")
    let named = try await run(desktop, Self.slack + ["--browser", "Firefox=org.example.Browser"])
    #expect(named.output.contains("open = \"org.example.Browser\""), "\(named)")
  }

  @Test func `suggests a private window for a profile of that name, as the check does`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.write(
      "export default { handlers: [ { match: \"bank.example/*\", browser: \"Firefox:Private\" } ] }",
      to: "home/finicky.js")
    let result = try await run(desktop, ["--output", "routes.toml"])
    #expect(
      result.status == 0 && result.errorOutput.contains("write `private = true` instead of `profile`"),
      "\(result)")
    try desktop.installDesktopEntry("firefox", exec: "firefox %u", schemes: ["http", "https"])
    try desktop.installScript("firefox", "#!/bin/sh\n")
    let check = try await desktop.usher("routes", "check", "--strict", "routes.toml")
    #expect(check.status == 2, "\(check)")
    #expect(
      check.output.contains("for a private window, write `private = true` instead of `profile`"), "\(check)")
  }
}
