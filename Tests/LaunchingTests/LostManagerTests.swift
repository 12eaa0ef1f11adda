// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import Systemd
import TestSupport
import Testing

@testable import Launching

@Suite struct `A user manager that goes while it is asked` {
  @Test func `leaves it open whether the program was started`() async throws {
    try await ThrowAwayDesktop.withBus { _, bus in
      let manager = try await BusConnection.open(.address(bus.address))
      try await MockUserManager.export(on: manager) {
        await manager.close()
        return "/never/arrives"
      }
      #expect(try await manager.requestName(SystemdManagerInterface.name) == .owned)
      let client = try await BusConnection.open(.address(bus.address))
      let launcher = ProgramLauncher(bus: client, on: .shared)
      let error = await #expect(throws: LaunchError.self) {
        _ = try await launcher.start(
          Launch(application: "org.example.App", title: "App", arguments: ["/bin/true"]))
      }
      #expect(error?.isUncertain == true)
      #expect(error?.description.contains("it is unknown") == true)
      await client.close()
    }
  }
}
