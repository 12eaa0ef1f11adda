import DBus
import Systemd
import TestSupport
import Testing

@testable import Launching

@Suite struct `A launcher that is confined` {
  @Test func `starts nothing itself, and says so`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let recorder = try Recorder("app", in: desktop)
      let client = try await BusConnection.open(.address(bus.address))
      let launcher = ProgramLauncher(bus: client, on: .shared, startsChildren: false)
      let error = await #expect(throws: LaunchError.self) {
        _ = try await launcher.start(
          Launch(application: "org.example.App", title: "App", arguments: [recorder.path]))
      }
      #expect(error?.isUncertain == false)
      #expect(error?.description.contains("cannot be started: the user manager does not answer") == true)
      await client.close()
    }
  }
}
