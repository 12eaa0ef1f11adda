// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

/// The notes of `usher doctor` about downloads.
@Suite struct `usher doctor on downloads` {
  private static func notes(
    on desk: InstalledDesktop, _ variables: [String: String] = [:]
  ) async throws -> [String] {
    let output = try await desk.run("usher", ["doctor", "--json"], adding: variables).output
    return (try PropertyList(json: output)["notes"]?.array ?? [])
      .filter { $0["check"] == "downloads" }.compactMap { $0["message"]?.string }
  }

  @Test func `names a missing curl and a missing user manager, once something was stored`() async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true")
      #expect(try await Self.notes(on: desk) == [])
      try await desk.usher("download", "org.example.Notes", "http://127.0.0.1:9/a").orThrow()
      let notes = try await Self.notes(on: desk)
      #expect(notes.count == 1 && notes.first?.contains("no systemd user manager") == true, "\(notes)")
      let lacking = try await Self.notes(on: desk, ["PATH": desk.desktop.bin])
      #expect(lacking.count == 2 && lacking.contains { $0.contains("apt install curl") }, "\(lacking)")
    }
  }

  @Test func `has nothing to note with both`() async throws {
    try await Session.with { session in
      try session.desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true")
      _ = try await session.must("usher download org.example.Notes http://127.0.0.1:9/a")
      let report = try PropertyList(json: try await session.run("usher doctor --json").lines.joined())
      let notes = (report["notes"]?.array ?? []).filter { $0["check"] == "downloads" }
      #expect(notes == [], "\(notes)")
    }
  }
}
