// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import Systemd
import TestSupport
import Testing

@testable import Launching

@Suite struct `Programs that start at the same time` {
  /// A start on the thread of the event loop would block it as long as the disk of the program does not respond.
  @Test func `are not started if the system permits no further thread`() async {
    let launcher = ProgramLauncher(bus: nil, on: .shared) { _ in false }
    let launch = Launch(application: "org.example.App", title: "App", arguments: ["/bin/true"])
    let error = await #expect(throws: LaunchError.self) { try await launcher.start(launch) }
    #expect(error?.reason.hasPrefix("the system permits no further thread") == true)
    #expect(error?.isUncertain == false)
  }

  /// The manager rejects a second subscription of a connection.
  @Test func `are all started, although each subscribes to the signals of the user manager`() async throws {
    try await ThrowAwayDesktop.withBus { _, bus in
      let manager = try await BusConnection.open(.address(bus.address))
      let gate = Gate()
      try await MockUserManager.export(on: manager) { () async throws(BusError) in
        await gate.open()
        try await MockUserManager.emit("done", of: "/job", on: manager)
        return "/job"
      } subscribed: { isFirst in
        // The first subscription is in progress until another start follows.
        if isFirst { await gate.pass() } else { await gate.open() }
      }
      #expect(try await manager.requestName(SystemdManagerInterface.name) == .owned)
      let client = try await BusConnection.open(.address(bus.address))
      let launcher = ProgramLauncher(bus: client, on: .shared)
      let launch = Launch(application: "org.example.App", title: "App", arguments: ["/bin/true"])
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 1...3 { group.addTask { _ = try await launcher.start(launch) } }
        try await group.waitForAll()
      }
      await client.close()
      await manager.close()
    }
  }
}
