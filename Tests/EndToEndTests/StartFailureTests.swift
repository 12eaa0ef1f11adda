// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// Failures of starts, each of which ends in bounded time with its own error, without a remaining process.
@Suite struct `An application that does not start` {
  @Test func `a missing program is LaunchFailed`() async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.installDesktopEntry("org.example.Gone", exec: "/nowhere/gone %u", schemes: ["gone"])
      try desk.desktop.setDefaults(["gone": ["org.usher.Handler", "org.example.Gone"]])
      let report = try await desk.open("gone:1?token=s3cret")
      #expect(report.status == 4, "\(report)")
      #expect(report.error == "LaunchFailed")
      #expect(report.outcome == "failed")
      let history = try await desk.usher("history", "--json").orThrow().output
      #expect(history.contains("/nowhere/gone does not exist"), "\(history)")
      #expect(!history.contains("s3cret"), "\(history)")
      #expect(report.message.contains("/nowhere/gone does not exist"), "\(report.message)")
      try await desk.expectBusError("LaunchFailed", opening: "gone:1")
      try await desk.expectNothingLeft()
    }
  }

  @Test func `a program that cannot be executed is LaunchFailed`() async throws {
    try await InstalledDesktop.with { desk in
      let script = try desk.desktop.installScript("broken", "#!/nowhere/interpreter\n")
      try desk.desktop.installDesktopEntry("org.example.Broken", exec: "\(script) %u", schemes: ["broken"])
      try desk.desktop.setDefaults(["broken": ["org.usher.Handler", "org.example.Broken"]])
      let report = try await desk.open("broken:1")
      #expect(report.status == 4, "\(report)")
      #expect(report.error == "LaunchFailed")
      #expect(report.message.contains(script), "\(report.message)")
      try await desk.expectNothingLeft()
    }
  }

  @Test(arguments: [BusApplication.Interface.application1, .standard])
  func `a program that exits before it owns its name is LaunchFailed`(interface: BusApplication.Interface)
    async throws
  {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.exitsAtOnce, interface, on: desk)
      let report = try await desk.open("mimic:1")
      #expect(report.status == 4, "\(report)")
      #expect(report.error == "LaunchFailed")
      #expect(report.message.contains("before it acquired its bus name"), "\(report.message)")
      #expect(report.first?["application"]?.string == application.id)
      #expect(try await application.next()["started"] == true)
      try await desk.expectNothingLeft()
    }
  }

  @Test(arguments: [BusApplication.Interface.application1, .standard])
  func `that exits each time is started less and less often, and its callers learn when it is tried again`(
    interface: BusApplication.Interface
  ) async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.exitsAtOnce, interface, on: desk)
      // The five failures may take more than ten seconds.
      _ = try await desk.startBroker(adding: InstalledDesktop.longLimits)
      var starts = 0
      while true {
        let report = try await desk.open("mimic:1")
        #expect(report.error == "LaunchFailed", "\(report)")
        if report.message.contains("the next attempt is in") { break }
        starts += 1
        try #require(starts < 100)
      }
      #expect(starts >= 5)
      for _ in 0..<starts { #expect(try await application.next()["started"] == true) }
      try await desk.expectNothingLeft()
    }
  }

  /// The display of a caller may not exist any more, as that of an ended `ssh -X`.
  @Test func `that exits on the display of a caller is started at once on that of the session`() async throws
  {
    try await InstalledDesktop.with { desk in
      _ = try await BusApplication.install(.exitsAtOnce, .application1, on: desk)
      _ = try await desk.startBroker(adding: InstalledDesktop.longLimits)
      for count in 1... {
        let failed = try await desk.run(
          "usher", ["open", "--json", "--timeout", timeLimit(20), "mimic:1"],
          adding: ["DISPLAY": "localhost:10.0"])
        if try OpenReport(failed).message.contains("the next attempt is in") { break }
        try #require(count < 100)
      }
      let report = try await desk.open("mimic:1")
      #expect(report.message.contains("before it acquired its bus name"), "\(report)")
    }
  }

  @Test func `an application whose name another program owns receives the link by its Exec line`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let program = try Recorder("honest", in: desk.desktop)
      let id = "org.example.Squatted"
      try desk.desktop.installDesktopEntry(id, exec: "\(program.execWord) %u", schemes: ["squat"])
      try desk.desktop.setDefaults(["squat": ["org.usher.Handler", id]])
      let squatter = try await desk.connect()
      #expect(try await squatter.requestName("org.example.Squatted") == .owned)
      let report = try await desk.open("squat:1")
      #expect(report.outcome == "delivered", "\(report)")
      #expect(try await program.nextStart().arguments == ["squat:1"])
      await squatter.close()
    }
  }

  /// A second start that succeeds has only forwarded its link, and the result of the first instance is unknown.
  @Test(arguments: [
    ([], "true", "handled", 0), (["DBusActivatable=true"], "true", "delivered", 5),
    (["DBusActivatable=true"], "false", "failed", 6),
  ])
  func `the outcome of a link forwarded by a second start is not handled`(
    lines: [String], program: String, outcome: String, status: Int32
  ) async throws {
    try await InstalledDesktop.with { desk in
      let id = "org.example.Squatted"
      try desk.desktop.installDesktopEntry(id, exec: "/bin/\(program) %u", schemes: ["squat"], lines: lines)
      try desk.desktop.setDefaults(["squat": ["org.usher.Handler", id]])
      let squatter = try await desk.connect()
      #expect(try await squatter.requestName("org.example.Squatted") == .owned)
      let report = try await desk.open("--wait", "handled", "squat:1")
      #expect(report.outcome == outcome && report.status == status, "\(report)")
      await squatter.close()
    }
  }

  /// The start continues, because other requests may wait for it; a request without a waiting caller is not sent.
  @Test(arguments: [BusApplication.Interface.application1, .standard])
  func `a request that was not sent in time is withdrawn`(interface: BusApplication.Interface) async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, interface, on: desk)
      let report = try await desk.open("--timeout", "0.2", "mimic:late")
      #expect(report.status == 5, "\(report)")
      #expect(report.error == "Timeout")
      #expect(report.outcome == "failed")
      #expect(report.message.contains("so the request was not delivered"), "\(report.message)")
      async let next = desk.open("mimic:next")
      try await application.takeName(on: desk)
      #expect(try await application.nextCall()["urls"] == ["mimic:next"])
      #expect(try await next.status == 0)
    }
  }
}
