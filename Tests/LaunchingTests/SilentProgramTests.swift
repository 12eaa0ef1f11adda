// SPDX-License-Identifier: Apache-2.0
import DBus
import Dispatch
import Freedesktop
import Systemd
import TestSupport
import Testing

@testable import Launching

@Suite struct `A program that the user manager cannot execute` {
  /// Returns the reason for which a program does not start.
  private static func failure(of launch: Launch, by launcher: ProgramLauncher) async -> String? {
    do throws(LaunchError) { _ = try await launcher.start(launch) } catch { return error.reason }
    return nil
  }

  @Test func `has no reason if its file does not respond, and delays nothing else`() async throws {
    try await ThrowAwayDesktop.withBus { _, bus in
      let manager = try await BusConnection.open(.address(bus.address))
      try await MockUserManager.export(on: manager, exited: 203) { () async throws(BusError) in
        try await MockUserManager.emit("failed", of: "/job", on: manager)
        return "/job"
      }
      #expect(try await manager.requestName(SystemdManagerInterface.name) == .owned)
      let client = try await BusConnection.open(.address(bus.address))
      let launcher = ProgramLauncher(bus: client, on: .shared)
      let launch = Launch(application: "org.example.App", title: "App", arguments: ["/no/such/program"])
      // Earlier looks at files of the application hang, as many as it may have at once.
      let released = DispatchSemaphore(value: 0)
      let (begun, begin) = AsyncStream<Void>.makeStream()
      for _ in 1...4 {
        Task {
          await launcher.looks.find(for: launch.application) {
            begin.yield()
            released.wait()
          }
        }
      }
      for _ in 1...4 { _ = await begun.first { _ in true } }
      let reason = await Self.failure(of: launch, by: launcher)
      #expect(reason?.hasPrefix("the user manager could not execute it; run: journalctl") == true)
      for _ in 1...4 { released.signal() }
      // A look has two seconds, and the machine may be busy.
      try await withDeadline(Command.defaultDeadline, "the reason") {
        while await Self.failure(of: launch, by: launcher) != "it is missing" {
          try Task.checkCancellation()
        }
      }
      await client.close()
      await manager.close()
    }
  }
}
