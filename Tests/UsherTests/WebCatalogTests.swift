// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `usher web catalog` with the files of this repository.
@Suite struct `usher web catalog` {
  private func desktop() throws -> ThrowAwayDesktop {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    try desktop.installDesktopEntry("org.example.Browser", exec: "/bin/true %u", schemes: ["http", "https"])
    try desktop.setDefaults(["http": ["org.example.Browser"], "https": ["org.example.Browser"]])
    return desktop
  }

  private func link(_ name: String, in desktop: ThrowAwayDesktop) -> String {
    "\(desktop.home)/.local/share/usher/routes/web-catalog-\(name).toml"
  }

  private func opener(of url: String, in desktop: ThrowAwayDesktop) async throws -> String {
    try await desktop.usher("open", "--dry-run", url).output
  }

  @Test func `lists all files, and nothing is enabled at first`() async throws {
    let desktop = try desktop()
    let list = try await desktop.usher("web", "catalog", "list")
    #expect(list.lines.count == 14)
    #expect(list.lines.allSatisfy { $0.contains("  disabled  ") }, "\(list)")
    #expect(list.output.contains("(no application opens spotify: links)"))
    #expect(list.lines.last?.hasPrefix("clean-tracking") == true)
  }

  @Test func `lists wide names in a column`() async throws {
    let desktop = try desktop()
    try desktop.write("format = 1\nowner = \"o\"\n", to: "share/usher/web-catalog/仕事.toml")
    let lines = try await desktop.usher("web", "catalog", "list").lines
    // As wide as clean-redirects.
    #expect(lines.contains { $0.hasPrefix("仕事             disabled") }, "\(lines)")
  }

  @Test func `opens the links of an enabled file in its application, while that is installed`() async throws {
    let desktop = try desktop()
    let url = "https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC?si=x"
    #expect(try await opener(of: url, in: desktop).contains("org.example.Browser"))
    let early = try await desktop.usher("web", "catalog", "enable", "spotify")
    #expect(early.status == 0 && early.output.contains("spotify is enabled"))
    #expect(early.errorOutput.contains("no application opens spotify: links"))
    #expect(try await opener(of: url, in: desktop).contains("org.example.Browser"))
    try desktop.installDesktopEntry("com.spotify.Client", exec: "/bin/true %u", schemes: ["spotify"])
    try desktop.setDefaults(["https": ["org.example.Browser"], "spotify": ["com.spotify.Client"]])
    let opened = try await opener(of: url, in: desktop)
    #expect(
      opened.contains("com.spotify.Client") && opened.contains("spotify:track:4uLU6hMCjMI75M1A2tKUQC"),
      "\(opened)")
    // The user's own routes come first.
    try desktop.installRoutes(
      "own",
      "format = 1\nowner = \"user\"\n[route.x]\nmatch = \"https://open.spotify.com/{x...}\"\nopen = \"org.example.Browser\"\n"
    )
    #expect(try await opener(of: url, in: desktop).contains("org.example.Browser"))
    try FileManager.default.removeItem(atPath: "\(desktop.home)/.config/usher/routes/own.toml")
    let disabled = try await desktop.usher("web", "catalog", "disable", "spotify")
    #expect(disabled.output.contains("spotify is disabled"))
    #expect(try await opener(of: url, in: desktop).contains("org.example.Browser"))
    let again = try await desktop.usher("web", "catalog", "disable", "spotify")
    #expect(again.status == 0 && again.output.contains("already disabled"))
  }

  @Test func `cleans links, and explain shows each step`() async throws {
    let desktop = try desktop()
    let wrapped =
      "https://www.google.com/url?q=https%3A%2F%2Fnews.example%2F7%3Futm_source%3Dmail%26id%3D1&sa=D"
    _ = try await desktop.usher("web", "catalog", "enable", "clean-tracking", "clean-redirects")
    let explained = try await desktop.usher("explain", "--skip-comparison", wrapped)
    #expect(explained.output.contains("unwraps it to https://news.example/7?…"), "\(explained)")
    #expect(explained.output.contains("clean-tracking"), "\(explained)")
    #expect(explained.lines.contains("  opened as: https://news.example/7?id=1"), "\(explained)")
    // The user's own routes open clean links, too, and can keep links as they are.
    try desktop.installDesktopEntry("org.example.Reader", exec: "/bin/true %u")
    try desktop.installRoutes(
      "own",
      """
      format = 1
      owner = "user"
      [route.news]
      match = "https://news.example/{path...?}"
      open = "org.example.Reader"
      [route.keep]
      match = "https://shop.example/{path...?}"
      rewrite = { drop = [], first = true }
      """)
    let own = try await opener(of: wrapped, in: desktop)
    #expect(own.contains("org.example.Reader") && own.contains("https://news.example/7?…"), "\(own)")
    let kept = try await opener(of: "https://shop.example/?gclid=7", in: desktop)
    #expect(kept.contains("org.example.Browser") && kept.contains("https://shop.example/?gclid=7"), "\(kept)")
  }

  @Test func `has no warnings, with all files enabled`() async throws {
    let desktop = try desktop()
    let names = try await desktop.usher("web", "catalog", "list").lines.compactMap {
      $0.split(separator: " ").first.map(String.init)
    }
    let enabled = try await Command.run(
      BuiltProducts.usher, ["web", "catalog", "enable"] + names, environment: desktop.environment)
    #expect(enabled.status == 0 && names.count == 14, "\(enabled)")
    for options in [["--strict"], []] {
      let check = try await Command.run(
        BuiltProducts.usher, ["routes", "check", "--system"] + options, environment: desktop.environment)
      #expect(check.status == 0 && check.errorOutput.contains(" 0 diagnostics"), "\(check)")
      #expect(check.output.contains("web-catalog-clean-tracking.toml: 1 route"), "\(check)")
    }
  }

  @Test func `survives an upgrade, and removes only its own links`() async throws {
    let desktop = try desktop()
    let installed = "\(desktop.root)/share/usher/web-catalog"
    try FileManager.default.createDirectory(atPath: installed, withIntermediateDirectories: true)
    func install(_ reason: String) throws {
      try
        "# Play: version\nformat = 1\nowner = \"o\"\n[route.p]\nmatch = \"https://play.example/\"\ndeny = \"\(reason)\"\n"
        .write(toFile: "\(installed)/play.toml", atomically: true, encoding: .utf8)
    }
    try install("old")
    _ = try await desktop.usher("web", "catalog", "enable", "play")
    #expect(try await desktop.usher("open", "--dry-run", "https://play.example/").output.contains("old"))
    try install("new")
    #expect(try await desktop.usher("open", "--dry-run", "https://play.example/").output.contains("new"))
    // After the file is removed with a package, the list says so, and the link can be removed.
    try FileManager.default.removeItem(atPath: "\(installed)/play.toml")
    #expect(try await desktop.usher("web", "catalog", "list").output.contains("play             missing"))
    #expect(try await desktop.usher("web", "catalog", "disable", "play").status == 0)
    // A file that the user wrote under the name is kept.
    try install("old")
    let own = link("play", in: desktop)
    try "format = 1\nowner = \"user\"\n".write(toFile: own, atomically: true, encoding: .utf8)
    for verb in ["enable", "disable"] {
      let result = try await desktop.usher("web", "catalog", verb, "play")
      #expect(result.status == 1 && result.errorOutput.contains("is kept"), "\(result)")
    }
    #expect(try String(contentsOfFile: own, encoding: .utf8).contains("owner = \"user\""))
    // So is a link to a file elsewhere.
    try FileManager.default.removeItem(atPath: own)
    try FileManager.default.createSymbolicLink(atPath: own, withDestinationPath: "\(desktop.home)/play.toml")
    #expect(try await desktop.usher("web", "catalog", "disable", "play").status == 1)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: own) == "\(desktop.home)/play.toml")
  }

  @Test func `reports what it has changed, also if another file cannot be changed`() async throws {
    let desktop = try desktop()
    try desktop.write("format = 1\n", to: "home/.local/share/usher/routes/web-catalog-teams.toml")
    let result = try await desktop.usher("web", "catalog", "enable", "clean-tracking", "teams")
    #expect(
      result.status == 1 && result.output == "clean-tracking is enabled\n"
        && result.errorOutput.contains("is kept"), "\(result)")
    let again = try await desktop.usher("web", "catalog", "enable", "--json", "clean-redirects", "teams")
    #expect(again.status == 1 && again.output.contains(#""changed":["clean-redirects"]"#), "\(again)")
    #expect(try await JSONSchema("usher-web-catalog-enable").diagnostics(about: [again.output]) == [])
  }

  @Test func `is changed by several commands at once`() async throws {
    let desktop = try desktop()
    for (verb, remaining) in [("enable", ["web-catalog-zoom.toml"]), ("disable", [])] {
      let results = try await withThrowingTaskGroup(of: CommandResult.self) { group in
        for _ in 1...8 { group.addTask { try await desktop.usher("web", "catalog", verb, "zoom") } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.allSatisfy { $0.status == 0 }, "\(results)")
      let names = try FileManager.default.contentsOfDirectory(
        atPath: "\(desktop.home)/.local/share/usher/routes")
      #expect(names == remaining)
    }
  }

  @Test func `quotes the path of another file in the command that removes it`() async throws {
    let desktop = try desktop()
    let data = "\(desktop.home)/my (data)"
    try desktop.write("format = 1\n", to: "home/my (data)/usher/routes/web-catalog-teams.toml")
    let result = try await desktop.usher(
      "web", "catalog", "enable", "teams", extra: ["XDG_DATA_HOME": data])
    #expect(
      result.status == 1
        && result.errorOutput.contains("run: rm '\(data)/usher/routes/web-catalog-teams.toml'"), "\(result)"
    )
  }

  @Test func `changes nothing if a name is unknown`() async throws {
    let desktop = try desktop()
    let result = try await desktop.usher("web", "catalog", "enable", "zoom", "spotfy")
    #expect(result.status == 1 && result.errorOutput.contains("did you mean spotify?"), "\(result)")
    #expect(try await desktop.usher("web", "catalog", "enable", "../zoom").status == 1)
    #expect(!FileManager.default.fileExists(atPath: "\(desktop.home)/.local/share/usher"))
  }
}
