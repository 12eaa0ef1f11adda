// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import Systemd
import TestSupport
import Testing

@testable import Launching

@Suite struct `A confined launcher` {
  private static let launch = Launch(
    application: "org.example.App", title: "App", arguments: ["/never/executed"])

  @Test func `starts nothing itself, and reports it`() async throws {
    try await ThrowAwayDesktop.withBus { _, bus in
      let client = try await BusConnection.open(.address(bus.address))
      let launcher = ProgramLauncher(bus: client, on: .shared, waitingForManager: .milliseconds(1))
      let error = await #expect(throws: LaunchError.self) { _ = try await launcher.start(Self.launch) }
      #expect(error?.isUncertain == false)
      #expect(error?.description.contains("cannot be started: systemd's user manager does not reply") == true)
      await client.close()
    }
  }

  /// The manager rejects the start, which proves that it was called.
  @Test func `waits for a user manager that reconnects`() async throws {
    try await ThrowAwayDesktop.withBus { _, bus in
      let manager = try await BusConnection.open(.address(bus.address))
      try await MockUserManager.export(on: manager) { () throws(BusError) in
        throw BusError(.failed, "it is back")
      }
      let client = try await BusConnection.open(.address(bus.address))
      let launcher = ProgramLauncher(bus: client, on: .shared, waitingForManager: .seconds(60))
      async let outcome: LaunchError? = {
        do throws(LaunchError) { _ = try await launcher.start(Self.launch) } catch { return error }
        return nil
      }()
      #expect(try await manager.requestName(SystemdManagerInterface.name) == .owned)
      #expect(await outcome?.reason == "it is back")
      await client.close()
      await manager.close()
    }
  }
}
