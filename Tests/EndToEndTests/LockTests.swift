// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Locks of the administrator for all users, as the broker and the command obey them.
@Suite struct `A lock of the administrator's` {
  private static func with(_ body: @Sendable (InstalledDesktop) async throws -> Void) async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.installDesktopEntry("org.example.Play", exec: "true %u", schemes: ["play"])
      try desk.desktop.setDefaults(["play": ["org.example.Play"]])
      try await body(desk)
    }
  }

  private static func lock(_ text: String, on desk: InstalledDesktop) throws -> String {
    try desk.desktop.write("format = 1\n" + text, to: "etc/usher/locks.toml")
  }

  /// The message of a denial by the user's file.
  private static let denied = "the user's route “no” denies the link: not mine"

  private static func route(_ deny: String) -> String {
    "format = 1\nowner = \"user\"\n[route.no]\nmatch = \"play:{x...}\"\ndeny = \"\(deny)\"\n"
  }

  @Test func `disables the user's routes at once, after a restart and without a broker`() async throws {
    try await Self.with { desk in
      let mine = try desk.desktop.installRoutes("mine", Self.route("not mine"))
      // A file that the user places beside the programs' routes belongs to the user's routes.
      let data = try desk.desktop.write(
        Self.route("not here"), to: "\(desk.desktop.dataHome)/usher/routes/mine.toml")
      #expect(try await desk.open("play:1").message == Self.denied)
      let file = try Self.lock("user_routes = false\n", on: desk)
      #expect(try await desk.open("play:2").status == 0)
      let step = "the user's routes are disabled by \(file)"
      let explained = try await desk.usher("explain", "play:3")
      #expect(explained.output.contains(step), "\(explained)")
      try await desk.killBroker()
      #expect(try await desk.open("play:4").status == 0)
      let alone = ["DBUS_SESSION_BUS_ADDRESS": ""]
      let direct = try await desk.run("usher", ["explain", "play:5"], adding: alone)
      #expect(direct.output.contains(step), "\(direct)")
      let opened = try OpenReport(
        try await desk.run("usher", ["open", "--json", "play:6"], adding: alone))
      #expect(opened.status == 0, "\(opened)")
      let check = try await desk.usher("routes", "check", "--system")
      #expect(
        check.output.hasPrefix("The user's routes are disabled by \(file) (user_routes)\n"), "\(check)")
      for path in [mine, data].map({ ($0 as NSString).deletingLastPathComponent }) {
        #expect(
          check.output.contains("  \(path): not in force, because users' routes are disabled by \(file)\n"),
          "\(check)")
      }
      #expect(try await desk.usher("routes", "check").errorOutput.contains("these routes are not in force"))
      let doctor = try await desk.usher("doctor")
      #expect(
        doctor.lines.contains("The user's routes are disabled by \(file) (user_routes)"), "\(doctor)")
      try FileManager.default.removeItem(atPath: file)
      #expect(try await desk.open("play:7").message == Self.denied)
    }
  }

  @Test func `cannot be removed by a lock file of another directory or of a user`() async throws {
    try await Self.with { desk in
      try desk.desktop.installRoutes("mine", Self.route("not mine"))
      let file = try Self.lock("user_routes = false\n", on: desk)
      try desk.desktop.write(
        "format = 1\nuser_routes = true\n", to: "\(desk.desktop.configHome)/usher/locks.toml")
      #expect(try await desk.open("play:1").status == 0)
      let explained = try await desk.usher("explain", "play:1")
      #expect(explained.output.contains("disabled by \(file)"), "\(explained)")
    }
  }

  @Test func `disables grants: none can be added, and stored ones have no effect`() async throws {
    try await Self.with { desk in
      try desk.desktop.installRoutes(
        "rules",
        "format = 1\nowner = \"corp\"\n[route.ask]\nmatch = \"play:{x...}\"\nask = true\nremember = \"scheme\"\n",
        in: .system)
      let allow = ["grants", "allow", "--route", "ask", "--scheme", "play"]
      try await desk.run("usher", allow).orThrow()
      #expect(try await desk.open("play:1").status == 0)
      let file = try Self.lock("grants = false\n", on: desk)
      let asked = try await desk.open("play:2")
      #expect(asked.status != 0, "\(asked)")
      let explained = try await desk.usher("explain", "play:3")
      #expect(
        explained.output.contains("stored answers are ignored, because grants are disabled by \(file)"),
        "\(explained)"
      )
      let refused = try await desk.run("usher", allow)
      #expect(
        refused.status == 1 && refused.errorOutput.contains("disabled by \(file)"),
        "\(refused)")
      let listed = try await desk.usher("grants", "list")
      #expect(listed.lines.count == 1 && listed.errorOutput.contains("grants have no effect"), "\(listed)")
      let json = try await desk.usher("grants", "list", "--json")
      #expect(json.output.contains("\"locked-by\":\"\(file)\""), "\(json)")
      let doctor = try await desk.usher("doctor")
      #expect(doctor.lines.contains("Grants are disabled by \(file) (grants)"), "\(doctor)")
      // The broker still has the grants, for when grants are allowed again.
      _ = try Self.lock("grants = true\n", on: desk)
      #expect(try await desk.open("play:4").status == 0)
      _ = try Self.lock("grants = false\n", on: desk)
      #expect(try await desk.usher("grants", "revoke", "--all").output == "1 grant revoked\n")
    }
  }

  @Test
  func `stays in force while its file has errors; without an earlier version everything is locked`()
    async throws
  {
    try await Self.with { desk in
      try desk.desktop.installRoutes("mine", Self.route("not mine"))
      let file = try Self.lock("grants = false\n", on: desk)
      #expect(try await desk.open("play:1").message == Self.denied)
      let versions = "\(desk.desktop.stateHome)/usher/routes"
      try await withDeadline(Command.defaultDeadline, "the version to be stored") {
        while true {
          let names = (try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? []
          if names.contains(where: { $0.hasPrefix("administrator-") }) { return }
          try await Task.sleep(for: .milliseconds(10))
        }
      }
      _ = try Self.lock("grants = flase\n", on: desk)
      for _ in 0..<2 {
        #expect(try await desk.open("play:2").message == Self.denied)
        let doctor = try await desk.usher("doctor")
        #expect(doctor.output.contains("\(file):2:"), "\(doctor)")
        #expect(doctor.output.contains("the broker uses the version of \(file) from 20"), "\(doctor)")
        #expect(doctor.lines.contains("Grants are disabled by \(file) (grants)"), "\(doctor)")
        try await desk.killBroker()
      }
      try FileManager.default.removeItem(atPath: versions)
      #expect(try await desk.open("play:3").status == 0)
      let doctor = try await desk.usher("doctor")
      #expect(doctor.output.contains("no earlier version without errors is stored"), "\(doctor)")
      #expect(doctor.lines.count(where: { $0.contains("disabled by \(file) (") }) == 3, "\(doctor)")
    }
  }
}
