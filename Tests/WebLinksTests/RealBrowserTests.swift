// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Foundation
import Freedesktop
import TestSupport
import Testing

@testable import WebLinks

/// The real Firefox and Chromium, which create their lists themselves; CI does not install them.
@Suite struct `The lists of a real browser` {
  private static func path(of program: String) -> String? {
    ProgramSearch(path: Command.defaultPath).find(program)
  }

  /// Runs a browser until `condition` holds, and ends it.
  private func run(
    _ program: String, _ arguments: [String], in home: BrowserHome, until condition: () throws -> Bool
  ) async throws {
    let browser = try await RunningProgram.start(
      program, arguments, environment: home.desktop.environment.filter { $0.key != "DISPLAY" })
    let deadline = Command.deadlineFromNow
    while try !condition(), .now < deadline { try await Task.sleep(for: .milliseconds(100)) }
    #expect(try condition())
    browser.kill()
    _ = await browser.waitUntilExit()
  }

  @Test(.enabled(if: path(of: "firefox-esr") != nil, "firefox-esr is not installed"))
  func `of Firefox have the profiles that it created, and the default of this installation`() async throws {
    let firefox = try #require(Self.path(of: "firefox-esr"))
    let home = try BrowserHome()
    try home.install("firefox-esr", exec: "\(firefox) %u")
    #expect(try home.profiles("firefox-esr") == [])
    for name in ["Work", "Home"] {
      try await Command.run(
        firefox, ["--headless", "-CreateProfile", name],
        environment: home.desktop.environment.filter { $0.key != "DISPLAY" }
      ).orThrow()
    }
    #expect(try home.profiles("firefox-esr").count == 2)
    // The first start creates the default profile of the installation, and names it in both lists.
    try await run(firefox, ["--headless", "about:blank"], in: home) {
      let profiles = try home.browser("firefox-esr").knownProfiles
      return profiles.count == 3 && profiles.first { $0.isDefault }?.name.hasPrefix("default") == true
    }
    let profiles = try home.browser("firefox-esr").knownProfiles
    #expect(profiles.count == 3 && profiles.count(where: \.isDefault) == 1, "\(profiles)")
    #expect(profiles.first { $0.name == "Home" }?.arguments == ["-P", "Home"])
  }

  @Test(.enabled(if: path(of: "firefox-esr") != nil, "firefox-esr is not installed"))
  func `of Firefox have the members of a group in its own database`() async throws {
    let firefox = try #require(Self.path(of: "firefox-esr"))
    let home = try BrowserHome()
    try home.install("firefox-esr", exec: "\(firefox) %u")
    let root = "\(home.home)/.config/mozilla/firefox"
    func database() -> String? {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/Profile Groups")) ?? []
      return names.first { $0.hasSuffix(".sqlite") }
    }
    func defaultPath() throws -> Substring? {
      try String(contentsOfFile: "\(root)/profiles.ini", encoding: .utf8)
        .firstMatch(of: /\[Install[0-9A-F]+\]\nDefault=(.*)\n/)?.1
    }
    try await run(firefox, ["--headless", "about:blank"], in: home) {
      guard let database = database(), try defaultPath() != nil else { return false }
      var files = ProfileFiles(environment: home.desktop.environment)
      // The database is created before its table.
      return (try? ProfileGroup(path: "\(root)/Profile Groups/\(database)").members(&files)) != nil
    }
    let profiles = try home.browser("firefox-esr").knownProfiles
    let (database, path) = (try #require(database()), try #require(try defaultPath()))
    // Firefox writes the ID into the list when the user creates a second profile, which needs a window.
    let list = "\(root)/profiles.ini"
    try String(contentsOfFile: list, encoding: .utf8)
      .replacing(
        "Path=\(path)\n", with: "Path=\(path)\nStoreID=\(database.dropLast(7))\n", maxReplacements: 1
      )
      .write(toFile: list, atomically: true, encoding: .utf8)
    // The table is empty until then.
    #expect(try home.browser("firefox-esr").knownProfiles == profiles)
    try await Command.run(
      "sqlite3",
      [
        "\(root)/Profile Groups/\(database)",
        "INSERT INTO Profiles (path, name, avatar, themeId, themeFg, themeBg) VALUES ('\(path)', 'Mine', 'star', '', '', '')",
      ]
    ).orThrow()
    #expect(try home.profiles("firefox-esr").contains("Mine|\(path)*"))
  }

  @Test(.enabled(if: path(of: "chromium") != nil, "chromium is not installed"))
  func `of Chromium have the profiles that it created, and the last one that it used`() async throws {
    let chromium = try #require(Self.path(of: "chromium"))
    let home = try BrowserHome()
    try home.install("chromium", exec: "\(chromium) %U")
    for directory in ["Default", "Profile 1"] {
      try await run(
        chromium,
        [
          "--headless", "--no-sandbox", "--disable-gpu", "--no-zygote", "--profile-directory=\(directory)",
          // A browser without a window would use a temporary directory.
          "--user-data-dir=\(home.home)/.config/chromium", "about:blank",
        ],
        in: home
      ) {
        let browser = try home.browser("chromium")
        return browser.knownProfiles.contains { $0.key == directory && !$0.name.isEmpty }
      }
    }
    let profiles = try home.browser("chromium").knownProfiles
    #expect(Set(profiles.map(\.key)) == ["Default", "Profile 1"], "\(profiles)")
    #expect(profiles.count(where: \.isDefault) == 1)
  }
}
