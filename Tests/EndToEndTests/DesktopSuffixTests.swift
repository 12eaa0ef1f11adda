// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

/// Tests of an ID that ends with `.desktop`: the file of `org.telegram.desktop` is `org.telegram.desktop.desktop`.
@Suite struct `An application whose ID ends in .desktop` {
  private static let id = "org.telegram.desktop"
  private static let spellings = [id, "\(id).desktop"]

  private func with(
    routes: String = "", _ body: @Sendable (InstalledDesktop, Recorder) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      let telegram = try Recorder("telegram", in: desk.desktop)
      try desk.desktop.installDesktopEntry(Self.id, exec: "\(telegram.path) %u", schemes: ["tg"])
      try desk.desktop.installDesktopEntry("org.example.Other", exec: "true %u", schemes: ["tg", "x"])
      try desk.desktop.setDefaults([
        "tg": ["org.usher.Handler", "org.example.Other"], "x": ["org.usher.Handler", "org.example.Other"],
      ])
      if !routes.isEmpty { try desk.desktop.writeRoutes("rules.toml", routes) }
      try await body(desk, telegram)
    }
  }

  @Test(arguments: spellings, ["open = \"ID\"", "perform = { application = \"ID\", action = \"join\" }"])
  func `is opened by a route`(spelling: String, action: String) async throws {
    let action = action.replacing("ID", with: spelling)
    try await with(routes: "[route.join]\nmatch = \"tg:/join\"\n\(action)\n") { desk, telegram in
      try desk.desktop.installDesktopEntry(
        Self.id, exec: "\(telegram.path) %u", schemes: ["tg"],
        lines: ["Actions=join;", "[Desktop Action join]", "Name=Join", "Exec=\(telegram.path) %u"])
      let report = try await desk.open("tg:/join")
      #expect(report.status == 0 && report.first?["application"]?.string == Self.id, "\(report)")
      #expect(try await telegram.nextStart().arguments == ["tg:/join"])
    }
  }

  @Test(arguments: spellings)
  func `is denied by its source`(spelling: String) async throws {
    try await with(
      routes: "[route.no]\nmatch = \"x:{rest...}\"\nsource = [\"\(spelling)\"]\ndeny = \"not from there\"\n"
    ) { desk, _ in
      for claim in Self.spellings {
        let report = try await desk.open("--source-application", claim, "x:1")
        #expect(report.status == 3 && report.message.contains("not from there"), "\(report)")
      }
      #expect(try await desk.open("--source-application", "org.example.Other", "x:1").status == 0)
    }
  }

  @Test(arguments: spellings)
  func `causes a question, and is rejected by a grant`(spelling: String) async throws {
    let routes = "[route.each]\nmatch = \"x:{rest...}\"\nask = true\nremember = \"source\"\n"
    try await with(routes: routes) { desk, telegram in
      #expect(try await desk.open("--app", spelling, "tg:/1").first?["application"]?.string == Self.id)
      #expect(try await telegram.nextStart().arguments == ["tg:/1"])
      try await desk.usher(
        "grants", "allow", "--refuse", "--source", spelling, "--assurance", "claimed", "--route", "each"
      ).orThrow()
      #expect(try await desk.usher("grants", "list").output.contains("from \(Self.id),"))
      // The stored grant is read again unchanged.
      try await desk.killBroker()
      let refused = try await desk.open("--source-application", spelling, "x:1")
      #expect(
        refused.status == 3
          && refused.message.contains("you have refused such links, and your answer is stored "), "\(refused)"
      )
      #expect(try await desk.usher("grants", "revoke", "--source", spelling).output == "1 grant revoked\n")
    }
  }

  /// Tests that a pending request stores the ID unchanged.
  @Test func `receives requests stored by a killed broker`() async throws {
    try await with { desk, _ in
      try desk.desktop.setDefaults(["tg": ["org.usher.Handler", Self.id]])
      for point in 1...6 {
        try await desk.killBroker(ifAny: true)
        _ = try await desk.startBroker(adding: ["USHER_TEST_KILL_AT": "\(point)"])
        let report = try await desk.open("tg:/\(point)")
        #expect(["delivered", "unknown"].contains(report.outcome), "point \(point): \(report)")
        #expect(report.first?["application"]?.string == Self.id, "point \(point): \(report)")
      }
    }
  }

  @Test(arguments: spellings)
  func `is named by every command`(spelling: String) async throws {
    try await with { desk, _ in
      try desk.desktop.write("", to: "\(desk.desktop.configHome)/mimeapps.list")
      let registered = try await desk.usher("register", spelling, "--scheme", "tg")
      #expect(registered.output.contains("tg: links are now opened by \(Self.id)\n"), "\(registered)")
      #expect(try await desk.usher("handlers").output.contains(Self.id))
      let explained = try await desk.usher("explain", "--skip-comparison", "--app", spelling, "tg:1")
      #expect(explained.output.contains("\(Self.id) opens it"), "\(explained)")
      let caller = try await desk.usher("explain", "--skip-comparison", "--as", "\(spelling):unit", "tg:1")
      #expect(caller.output.contains("source: \(Self.id) (unit)"), "\(caller)")
      let simulated = try await desk.usher("test-open", spelling, "tg:1")
      #expect(simulated.output.contains("\(Self.id), cold"), "\(simulated)")
      let matched = try await desk.usher(
        "routes", "match", "--source-application", spelling, "--running", spelling,
        try desk.desktop.write(
          """
          format = 1
          owner = "org.example.Owner"
          [route.mine]
          match = "tg:{x...}"
          source = ["\(Self.id)"]
          target = "running"
          open = "\(Self.id)"
          """, to: "home/match.toml"), "tg:1")
      #expect(matched.output.hasPrefix("mine "), "\(matched)")
      let unregistered = try await desk.usher("unregister", spelling)
      #expect(unregistered.output.hasPrefix("tg: no application opens these links now"), "\(unregistered)")
    }
  }

  @Test func `can be unregistered by the printed ID after it was removed`() async throws {
    try await with { desk, _ in
      try await desk.usher("register", Self.id, "--scheme", "tg").orThrow()
      try FileManager.default.removeItem(
        atPath: "\(desk.desktop.dataHome)/applications/\(Self.id).desktop")
      let unregistered = try await desk.usher("unregister", Self.id)
      #expect(unregistered.output.hasPrefix("tg: links are now opened by"), "\(unregistered)")
    }
  }

  @Test func `is named by routes check, as are IDs that are not installed`() async throws {
    try await with { desk, _ in
      let file = try desk.desktop.write(
        """
        format = 1
        owner = "org.example.Owner"
        [route.known]
        match = "a:1"
        open = "\(Self.id)"
        source = ["\(Self.id).desktop", "org.telegram.*"]
        [route.own]
        match = "a:2"
        open = "org.example.Owner"
        [route.unknown]
        match = "a:3"
        source = ["org.telegram.desktp.desktop", "net.nowhere.*"]
        ask = ["org.example.Gone", "org.example.Other"]
        """, to: "home/check.toml")
      #expect(try await desk.usher("routes", "check", file).status == 0)
      let strict = try await desk.usher("routes", "check", "--strict", file)
      let start = "\(file):10:8: warning: in the route `unknown`, "
      #expect(
        strict.status == 2
          && strict.lines == [
            start + "`org.telegram.desktp.desktop` is not an installed application; looked for "
              + "org.telegram.desktp.desktop.desktop and org.telegram.desktp.desktop",
            start + "`net.nowhere.*` is not the ID of an installed application",
            start + "`org.example.Gone` is not an installed application; looked for org.example.Gone.desktop",
          ], "\(strict)")
      try desk.desktop.installDesktopEntry("org.telegram", exec: "true %u")
      let both = try await desk.usher("routes", "check", "--strict", file)
      #expect(
        both.output.contains(
          "`\(Self.id)` matches two installed applications; write `org.telegram` for org.telegram.desktop, or "
            + "`\(Self.id).desktop` for the other"), "\(both)")
    }
  }
}
