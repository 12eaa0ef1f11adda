// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Foundation
import Freedesktop
import TestSupport
import Testing

@testable import WebLinks

/// A desktop of a user with browsers.
struct BrowserHome {
  let desktop: ThrowAwayDesktop

  init() throws {
    desktop = try ThrowAwayDesktop(hasBus: false)
    // The programs of the tester must not be found.
    try desktop.installScript("true", "#!/bin/sh\n")
  }

  var home: String { desktop.home }

  /// Installs the entry of a browser, with a program that exists.
  func install(
    _ id: String, exec: String, lines: [String] = [], schemes: [String] = ["http", "https"]
  ) throws {
    try desktop.installDesktopEntry(id, exec: exec, schemes: schemes, lines: lines, in: .system)
  }

  /// Installs a program that does nothing, and an entry that starts it.
  func installPlain(_ id: String, program: String? = nil) throws {
    try desktop.installScript(program ?? id, "#!/bin/sh\n")
    try install(id, exec: "\(program ?? id) %u")
  }

  /// Writes a file below the home directory.
  func write(_ text: String, to path: String) throws { try desktop.write(text, to: "home/\(path)") }

  func write(_ bytes: [UInt8], to path: String) throws {
    try write("", to: path)
    try Data(bytes).write(to: URL(filePath: "\(home)/\(path)"))
  }

  /// Runs statements on a database below the home directory, and leaves it as a running browser has it if `keepsLog` is set.
  func database(at path: String, _ statements: [String], keepsLog: Bool = false) async throws {
    try write("", to: path)
    let program = """
      import os, sqlite3, sys
      file = sqlite3.connect(sys.argv[1], isolation_level=None)
      file.execute("PRAGMA journal_mode = WAL")
      file.execute("PRAGMA wal_autocheckpoint = 0")
      for statement in sys.argv[3:]: file.execute(statement)
      # A process that is killed leaves its log behind.
      if sys.argv[2] == "True": os._exit(0)
      """
    try await Command.run(
      "/usr/bin/python3", ["-c", program, "\(home)/\(path)", keepsLog ? "True" : "False"] + statements
    ).orThrow()
  }

  /// The statements of a group with these profiles: name and path.
  static func group(_ profiles: [(name: String, path: String)]) -> [String] {
    [
      """
      CREATE TABLE Profiles (id INTEGER NOT NULL, path TEXT NOT NULL UNIQUE, name TEXT NOT NULL, avatar TEXT NOT NULL, \
      themeId TEXT NOT NULL, themeFg TEXT NOT NULL, themeBg TEXT NOT NULL, PRIMARY KEY(id))
      """
    ]
      + profiles.map {
        "INSERT INTO Profiles (path, name, avatar, themeId, themeFg, themeBg) VALUES ('\($0.path)', '\($0.name)', 'star', '', '', '')"
      }
  }

  func directory(extra: [String: String] = [:], only id: String? = nil) -> BrowserDirectory {
    BrowserDirectory(
      environment: desktop.environment.merging(extra) { $1 }, only: id.flatMap { ApplicationID(rawValue: $0) }
    )
  }

  /// Returns the browser with this ID.
  func browser(_ id: String, extra: [String: String] = [:]) throws -> InstalledBrowser {
    try #require(directory(extra: extra).browsers.first { $0.id.rawValue == id })
  }

  /// Returns the profiles of a browser as `NAME|KEY`, with `*` for the default one.
  func profiles(_ id: String, extra: [String: String] = [:]) throws -> [String] {
    try browser(id, extra: extra).knownProfiles.map { "\($0.name)|\($0.key)\($0.isDefault ? "*" : "")" }
  }
}
