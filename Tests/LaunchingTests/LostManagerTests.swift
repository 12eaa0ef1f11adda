// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import Synchronization
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

  /// The upgrade of systemd requests that, while programs run.
  @Test func `keeps the exit status of a program if it executes itself again`() async throws {
    try await ThrowAwayDesktop.withBus { _, bus in
      let manager = try await BusConnection.open(.address(bus.address))
      let hasEnded = Flag()
      let (reads, read) = AsyncStream<Void>.makeStream()
      try await MockUserManager.export(
        on: manager, exited: 3,
        activeState: {
          read.yield()
          return hasEnded.value.load(ordering: .sequentiallyConsistent) ? "inactive" : "active"
        },
        start: { () async throws(BusError) in
          try await MockUserManager.emit("done", of: "/job", on: manager)
          return "/job"
        })
      #expect(try await manager.requestName(SystemdManagerInterface.name) == .owned)
      let client = try await BusConnection.open(.address(bus.address))
      let launcher = ProgramLauncher(bus: client, on: .shared)
      let program = try await launcher.start(
        Launch(application: "org.example.App", title: "App", arguments: ["/bin/true"]))
      try await withDeadline(Command.defaultDeadline, "the first query") {
        _ = await reads.first { _ in true }
      }
      // The launcher follows the manager before it reads the next signal; otherwise it could miss that the manager is away.
      try await manager.emit(
        PropertiesInterface.propertiesChanged, from: "/unit", "org.freedesktop.systemd1.Unit", [:], [])
      try await withDeadline(Command.defaultDeadline, "the query after the signal") {
        _ = await reads.first { _ in true }
      }
      try await manager.releaseName(SystemdManagerInterface.name)
      #expect(try await manager.requestName(SystemdManagerInterface.name) == .owned)
      hasEnded.value.store(true, ordering: .sequentiallyConsistent)
      try await manager.emit(
        PropertiesInterface.propertiesChanged, from: "/unit", "org.freedesktop.systemd1.Unit", [:], [])
      let status = try await withDeadline(Command.defaultDeadline, "the exit") { await program.exitStatus() }
      #expect(status == .exited(3))
      await client.close()
      await manager.close()
    }
  }

  private final class Flag: Sendable { let value = Atomic(false) }
}
