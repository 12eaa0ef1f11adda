import BusInterfaces
import TestSupport
import Testing

/// Who asked, verified through a real `systemd --user`, with the assurance beside the name.
@Suite struct `The source application` {
  /// A desktop in which `script` runs under a user manager of its own, and what Notes got then.
  private func arrivals(_ count: Int, after script: String) async throws -> [Arrival] {
    if let reason = await UserManagerRig.unavailableReason() { try Test.cancel("\(reason)") }
    return try await Seats.ofUserManagers.sit { try await arrivals(count, inRigAfter: script) }
  }

  private func arrivals(_ count: Int, inRigAfter script: String) async throws -> [Arrival] {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    let target = try await Target.install(.scenes, on: desktop)
    try desktop.setUsherAsDefault(of: [.scenes])
    try desktop.installDesktopEntry("org.example.Source", exec: "true", schemes: [])
    let rig = try await UserManagerRig.start(
      "sh", ["-c", "set -e; \(script)\necho done; exec cat"], environment: desktop.environment)
    _ = try await rig.line { $0 == "done" }
    var arrivals: [Arrival] = []
    for _ in 0..<count { arrivals.append(try await target.next()) }
    rig.closeInput()
    _ = await rig.waitUntilExit()
    return arrivals
  }

  private func asSource(_ command: String) -> String {
    "systemd-run --user --quiet --wait --collect --unit=app-org.example.Source@1.service \(command)"
  }

  @Test(arguments: ["usher open", "xdg-open"])
  func `is the unit that the opener runs in`(opener: String) async throws {
    let arrival = try await arrivals(1, after: asSource("\(opener) notes://note/1"))[0]
    #expect(arrival.source == "org.example.Source", "\(arrival)")
    #expect(arrival.assurance == "unit", "\(arrival)")
  }

  @Test func `is not what the caller claims where the unit says otherwise`() async throws {
    let claim = asSource("usher open --source-application org.example.Other notes://note/1")
    let arrival = try await arrivals(1, after: claim)[0]
    #expect(arrival.source == "org.example.Source", "\(arrival)")
    #expect(arrival.assurance == "unit", "\(arrival)")
  }

  /// A unit whose name no installed application has says nothing about who asks.
  @Test func `is unknown in a unit of nobody's`() async throws {
    let arrival = try await arrivals(
      1,
      after: "systemd-run --user --quiet --wait --collect --unit=app-org.example.Nobody@1.service "
        + "usher open notes://note/1")[0]
    #expect(arrival.source == nil, "\(arrival)")
    #expect(arrival.assurance == "unknown", "\(arrival)")
  }

  @Test func `of a shell is unknown, or claimed where it claims`() async throws {
    let arrivals = try await arrivals(
      2, after: "usher open notes://note/1; usher open --source-application org.example.Other notes://note/2")
    #expect(arrivals.map(\.source) == [nil, "org.example.Other"])
    #expect(arrivals.map(\.assurance) == ["unknown", "claimed"])
  }

  /// Every program that we start gets a unit of its own, named after it: that is how it is known when it asks.
  @Test func `of a program that Usher started is the program`() async throws {
    if let reason = await UserManagerRig.unavailableReason() { try Test.cancel("\(reason)") }
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    let target = try await Target.install(.scenes, on: desktop)
    let relay = try desktop.installScript(
      "relay", "#!/bin/sh\nexec '\(desktop.bin)/usher' open --wait handled notes://note/8\n")
    try desktop.installDesktopEntry("org.example.Relay", exec: "\(relay) %u", schemes: ["relay"])
    try desktop.setDefaults([
      "notes": ["org.usher.Handler", "org.example.Notes"],
      "relay": ["org.usher.Handler", "org.example.Relay"],
    ])
    let result = try await UserManagerRig.run(
      "sh",
      [
        "-c",
        """
        usher open --wait handled --json relay:1 &&
        systemctl --user list-units --plain --no-legend 'app-usher-org.example.Notes@*.service'
        """,
      ], environment: desktop.environment)
    #expect(result.lines.first?.contains(#""outcome":"handled""#) == true, "\(result)")
    #expect(result.lines.last?.hasPrefix("app-usher-org.example.Notes@") == true, "\(result)")
    let arrival = try await target.next()
    #expect(arrival.source == "org.example.Relay", "\(arrival)")
    #expect(arrival.assurance == "unit", "\(arrival)")
  }
}
