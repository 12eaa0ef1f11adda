// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

/// Reads of `state.sqlite` by backups and users while the broker writes it.
@Suite struct `A broker whose state others read` {
  /// Tests that acknowledged data survives each kill of the broker, even if other programs open and close the file meanwhile.
  @Test func `loses no acknowledged grant or history entry, even if it is killed`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      try await Self.acknowledged(desk, "grants", "allow", "--source", "org.a", "--scheme", "first")
      let state = "\(desk.desktop.stateHome)/usher/state.sqlite"
      var readers: [RunningProgram] = []
      for seed in ["1", "2"] {
        readers.append(try await RunningProgram.start("python3", ["-c", Self.reader, state, seed]))
      }
      var schemes: Set<String> = ["first"]
      var urls: Set<String> = []
      for round in 1...5 {
        for number in 1...3 {
          let scheme = "s\(round)-\(number)"
          try await Self.acknowledged(desk, "grants", "allow", "--source", "org.a", "--scheme", scheme)
          schemes.insert(scheme)
          let url = target.url(10 * round + number)
          try await desk.usher("open", "--wait", "handled", url).orThrow()
          // The entries that `usher history` prints are in the file by then.
          let entries = try await Self.historyURLs(desk)
          #expect(entries.contains(url))
          urls.insert(url)
          for reader in readers { _ = try await reader.line() }
        }
        try await desk.killBroker()
        for reader in readers { _ = try await reader.line() }
        let listed = try await Self.acknowledged(desk, "grants", "list", "--json")
        let grants = try PropertyList(json: listed.output)["grants"]?.array ?? []
        let lostGrants = schemes.subtracting(grants.compactMap { $0["scheme"]?.string })
        #expect(lostGrants == [], "round \(round)")
        let lostURLs = urls.subtracting(try await Self.historyURLs(desk))
        #expect(lostURLs == [], "round \(round)")
      }
      for reader in readers {
        reader.closeInput()
        try await reader.waitUntilExit().orThrow()
      }
    }
  }

  /// Runs `usher` until the broker has acknowledged the call.
  ///
  /// While the last reader removes the log, the broker may report that the file is locked.
  @discardableResult
  private static func acknowledged(_ desk: InstalledDesktop, _ arguments: String...) async throws
    -> CommandResult
  {
    while true {
      let result = try await desk.run("usher", arguments)
      // With --json the error is on standard output.
      let printed = result.output + result.errorOutput
      guard !result.succeeded, printed.contains("is locked by another process") else {
        return try result.orThrow()
      }
    }
  }

  private static func historyURLs(_ desk: InstalledDesktop) async throws -> Set<String> {
    let result = try await acknowledged(desk, "history", "--json", "--limit", "1000")
    let entries = try PropertyList(json: result.output)["entries"]?.array ?? []
    return Set(entries.flatMap { $0["urls"]?.array?.compactMap(\.string) ?? [] })
  }

  /// Reads and closes the database in different orders, and prints a line for each, until its input ends.
  private static let reader = """
    import random, select, sqlite3, sys
    path, chance = sys.argv[1], random.Random(int(sys.argv[2]))
    held = []
    while not select.select([sys.stdin], [], [], 0)[0]:
      if not held or chance.random() < 0.6:
        database = sqlite3.connect(path, timeout=60)
        database.execute("SELECT count(*) FROM grants").fetchone()
        held.append(database)
      if len(held) > 3 or chance.random() < 0.6: held.pop(chance.randrange(len(held))).close()
      print(len(held), flush=True)
    for database in held: database.close()
    """
}
