// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

/// Links that the broker rejects without starting any application.
@Suite struct `A link that cannot be opened` {
  @Test func `an unknown scheme is NoHandler`() async throws {
    try await InstalledDesktop.with { desk in
      let report = try await desk.open("nobody:home")
      #expect(report.status == 2, "\(report)")
      #expect(report.error == "NoHandler")
      #expect(report.message.contains("nobody"))
      try await desk.expectBusError("NoHandler", opening: "nobody:home")
      // With a failure status, xdg-open would try the next program with a URL that was decided.
      #expect(try await desk.usher("open", "--from-desktop", "nobody:home").status == 0)
      try await desk.expectNothingLeft()
    }
  }

  @Test(arguments: ["", "notes", "7notes:x", "notes:a\nb", "notes:a\tb", "notes:%00", "notes:\u{1}"])
  func `an invalid URL is InvalidURL`(text: String) async throws {
    try await InstalledDesktop.with { desk in
      let report = try await desk.open(text)
      #expect(report.status == 65, "\(report)")
      #expect(report.error == "InvalidURL")
      let door = try await desk.call(InstalledDesktop.broker, "Open", "asa{sv}", "1", text, "0")
      #expect(!door.succeeded)
      #expect(try await !desk.call(InstalledDesktop.handler, "Open", "asa{sv}", "1", text, "0").succeeded)
      try await desk.expectNothingLeft()
    }
  }

  @Test(arguments: [
    [], ["--nonsense", "notes:1"], ["--wait", "forever", "notes:1"], ["--timeout", "-1", "notes:1"],
    ["--annotation", "{", "notes:1"], ["--app", "", "notes:1"],
  ])
  func `a wrong usage exits with 64`(arguments: [String]) async throws {
    try await InstalledDesktop.with { desk in
      let result = try await desk.run("usher", ["open"] + arguments)
      #expect(result.status == 64, "\(result)")
      #expect(!result.errorOutput.isEmpty)
      #expect(desk.desktop.processes.allSatisfy { $0.arguments.first?.hasSuffix("dbus-daemon") == true })
    }
  }

  @Test func `an option of the wrong type is InvalidRequest`() async throws {
    try await InstalledDesktop.with { desk in
      let result = try await desk.run(
        "gdbus",
        [
          "call", "--session", "--dest", InstalledDesktop.broker[0], "--object-path",
          InstalledDesktop.broker[1], "--method",
          "\(InstalledDesktop.broker[2]).Open", "['notes:1']", "{'wait': <'forever'>}",
        ])
      #expect(result.errorOutput.contains("org.usher.Error.InvalidRequest"), "\(result)")
      #expect(result.errorOutput.contains("wait"), "\(result)")
    }
  }

  @Test func `a route that denies is Denied`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      try desk.desktop.installRoutes(
        "house",
        """
        format = 1
        owner  = "user"

        [route.no-secrets]
        match = "play:/secret/{name}"
        deny  = "secrets are not played"

        """)
      let report = try await desk.open("play:/secret/1")
      #expect(report.status == 3, "\(report)")
      #expect(report.error == "Denied")
      #expect(report.message.contains("secrets are not played"), "\(report.message)")
      try await desk.expectBusError("Denied", opening: "play:/secret/1")
      try await desk.usher("open", "play:/open/1").orThrow()
      #expect(try await target.next().urls == ["play:/open/1"])
    }
  }

  /// Two programs that forward a link to each other, with one more hop for each start.
  @Test func `a redirect loop is Loop`() async throws {
    try await InstalledDesktop.with { desk in
      let rounds = try await ReportPipe("rounds", in: desk.desktop)
      let program = try desk.desktop.installScript(
        "round", "#!/bin/sh\nusher open --json \"$1\" 1<>'\(rounds.path)'\n")
      try desk.desktop.installDesktopEntry("org.example.Round", exec: "\(program) %u", schemes: ["round"])
      try desk.desktop.setDefaults(["round": ["org.usher.Handler", "org.example.Round"]])
      #expect(try await desk.open("round:1").status == 0)
      var errors: [String?] = []
      repeat { errors.append(try await rounds.next()["error"]?.string) } while errors.count < 9
      #expect(errors.compactMap(\.self) == ["org.usher.Error.Loop"])
      try await desk.expectNothingLeft()
    }
  }

  /// The program inherits the envelope, and its remaining child forwards the link later.
  @Test func `a redirect loop without a hop count is Loop`() async throws {
    try await InstalledDesktop.with { desk in
      let rounds = try await ReportPipe("rounds", in: desk.desktop)
      let program = try desk.desktop.installScript(
        "round",
        "#!/bin/sh\n(while [ -e \"$USHER_ENVELOPE\" ]; do :; done\n"
          + "exec usher open --json \"$1\" 1<>'\(rounds.path)') &\n")
      try desk.desktop.installDesktopEntry("org.example.Round", exec: "\(program) %u", schemes: ["round"])
      try desk.desktop.setDefaults(["round": ["org.usher.Handler", "org.example.Round"]])
      #expect(try await desk.open("round:1").status == 0)
      var errors: [String?] = []
      repeat { errors.append(try await rounds.next()["error"]?.string) } while errors.count < 9
      #expect(errors.compactMap(\.self) == ["org.usher.Error.Loop"])
      try await desk.expectNothingLeft()
    }
  }

  @Test func `too many hops are Loop also on the bus`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      func open(hops: Int) async throws -> CommandResult {
        try await desk.call(
          InstalledDesktop.broker, "Open", "asa{sv}", "1", "play:1", "1", "hops", "u", "\(hops)")
      }
      #expect(try await open(hops: 8).succeeded)
      #expect(try await target.next().envelope["hops"] == 8)
      let refused = try await open(hops: 9)
      #expect(!refused.succeeded)
      #expect(refused.errorOutput.contains("back to Usher 9 times"), "\(refused)")
    }
  }
}
