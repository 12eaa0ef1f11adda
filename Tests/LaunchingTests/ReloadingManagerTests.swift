// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import Synchronization
import Systemd
import TestSupport
import Testing

@testable import Launching

@Suite struct `A user manager that reloads its units while a program starts` {
  /// Starts a program where the first `losses` starts lose the command of the unit; returns the error and the number of starts.
  ///
  /// - Parameter process: The process of a unit that has lost its command.
  private static func start(
    losses: Int, exited status: Int32 = 0, process: UInt32 = 0
  ) async throws -> (LaunchError?, starts: Int) {
    try await ThrowAwayDesktop.withBus { _, bus in
      let manager = try await BusConnection.open(.address(bus.address))
      let starts = StartCount()
      try await MockUserManager.export(on: manager, exited: status) {
        starts.value.load(ordering: .relaxed) <= losses ? ("bad-setting", process) : ("loaded", 4711)
      } start: { () async throws(BusError) in
        let number = starts.value.add(1, ordering: .relaxed).newValue
        try await MockUserManager.emit(
          number <= losses || status != 0 ? "failed" : "done", of: "/job", on: manager)
        return "/job"
      }
      #expect(try await manager.requestName(SystemdManagerInterface.name) == .owned)
      let client = try await BusConnection.open(.address(bus.address))
      let launcher = ProgramLauncher(bus: client, on: .shared)
      let launch = Launch(application: "org.example.App", title: "App", arguments: ["/bin/true"])
      let error: LaunchError?
      do throws(LaunchError) {
        _ = try await launcher.start(launch)
        error = nil
      } catch let failure { error = failure }
      await client.close()
      await manager.close()
      return (error, starts.value.load(ordering: .relaxed))
    }
  }

  private final class StartCount: Sendable { let value = Atomic(0) }

  @Test(arguments: [1, 2, 9]) func `starts it again if it has lost the command`(losses: Int) async throws {
    let (error, starts) = try await Self.start(losses: losses)
    #expect(error == nil)
    #expect(starts == losses + 1)
  }

  @Test func `reports a failure that persists`() async throws {
    let (error, starts) = try await Self.start(losses: 1_000)
    #expect(error?.reason.hasPrefix("the user manager reports “failed”") == true)
    #expect(starts == 10)
  }

  @Test func `does not start a program again that could not be executed`() async throws {
    let (error, starts) = try await Self.start(losses: 0, exited: 203)
    #expect(error != nil)
    #expect(starts == 1)
  }

  /// The command may be lost after the program has run.
  @Test func `does not start a program again that was executed`() async throws {
    let (_, starts) = try await Self.start(losses: 1, exited: 1, process: 4711)
    #expect(starts == 1)
  }
}
