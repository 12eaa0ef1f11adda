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
      let launcher = ProgramLauncher(
        bus: client, on: .shared, managerAbsence: .zero, runThread: DetachedThread.run)
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

  /// Returns a connection when the name of the manager has no owner.
  private static func connectAfterLoss(to bus: PrivateBus) async throws -> BusConnection {
    let connection = try await BusConnection.open(.address(bus.address))
    let owners = try await connection.owners(of: SystemdManagerInterface.name)
    try await withDeadline(Command.defaultDeadline, "the loss") { _ = await owners.first { $0 == nil } }
    return connection
  }

  /// Starts a program through a manager that leaves the bus during the call, and returns how often the next one was asked to start it, and
  /// the error.
  ///
  /// - Parameters:
  ///   - isAccepted: Whether the first manager replies with a job before it leaves.
  ///   - isKnown: Whether the next manager has the unit.
  ///   - jobResult: The result of the unit's job; `nil` if that has ended.
  private static func startsAfterLoss(
    isAccepted: Bool = false, isKnown: Bool, jobResult: String? = nil, activeState: String = "active"
  ) async throws -> (starts: Int, error: LaunchError?) {
    try await ThrowAwayDesktop.withBus { _, bus in
      let manager = try await BusConnection.open(.address(bus.address))
      try await MockUserManager.export(on: manager) { () async throws(BusError) in
        // The reply of a connection that has only released the name arrives.
        if isAccepted {
          try await manager.releaseName(SystemdManagerInterface.name)
        } else {
          await manager.close()
        }
        return "/never/ends"
      }
      #expect(try await manager.requestName(SystemdManagerInterface.name) == .owned)
      let client = try await BusConnection.open(.address(bus.address))
      let launcher = ProgramLauncher(
        bus: client, on: .shared, managerAbsence: .seconds(3_600), runThread: DetachedThread.run)
      let program = Task {
        try await launcher.start(
          Launch(application: "org.example.App", title: "App", arguments: ["/bin/true"]))
      }
      let next = try await Self.connectAfterLoss(to: bus)
      let starts = Count()
      try await MockUserManager.export(
        on: next, exited: isKnown ? 0 : nil, activeState: { activeState }, jobResult: jobResult,
        start: { () async throws(BusError) in
          starts.value.add(1, ordering: .sequentiallyConsistent)
          try await MockUserManager.emit("done", of: "/job", on: next)
          return "/job"
        })
      #expect(try await next.requestName(SystemdManagerInterface.name) == .owned)
      let result = await program.result
      await client.close()
      await next.close()
      await manager.close()
      var error: LaunchError?
      if case .failure(let failure) = result { error = try #require(failure as? LaunchError) }
      return (starts.value.load(ordering: .sequentiallyConsistent), error)
    }
  }

  /// The manager executes itself again before it has read the call.
  @Test func `starts the program if it is back and does not have the unit`() async throws {
    let (starts, error) = try await Self.startsAfterLoss(isKnown: false)
    #expect(starts == 1 && error == nil, "\(String(describing: error))")
  }

  /// The program may have run under the former manager.
  @Test func `does not start the program again if it accepted that, and is back without the unit`()
    async throws
  {
    let (starts, error) = try await Self.startsAfterLoss(isAccepted: true, isKnown: false)
    #expect(starts == 0 && error?.isUncertain == true, "\(String(describing: error))")
  }

  @Test(arguments: [(nil, "active"), (nil, "inactive"), ("done", "inactive")])
  func `does not start the program again if it is back and has the unit`(
    jobResult: String?, activeState: String
  ) async throws {
    let (starts, error) = try await Self.startsAfterLoss(
      isKnown: true, jobResult: jobResult, activeState: activeState)
    #expect(starts == 0 && error == nil, "\(String(describing: error))")
  }

  /// The programs that a manager has started may outlive it.
  @Test func `is another process if it was started later`() async throws {
    try await ThrowAwayDesktop.withBus { _, bus in
      let client = try await BusConnection.open(.address(bus.address))
      #expect(try await client.requestName(SystemdManagerInterface.name) == .owned)
      #expect(await SystemdManagerInterface.isServed(on: client, byProcessStartedBefore: ProcDirectory.now))
      #expect(await !SystemdManagerInterface.isServed(on: client, byProcessStartedBefore: 0))
      await client.close()
    }
  }

  @Test func `keeps the exit status of a program also if the query for it is lost`() async throws {
    try await ThrowAwayDesktop.withBus { _, bus in
      let manager = try await BusConnection.open(.address(bus.address))
      try await MockUserManager.export(
        on: manager, exited: 0,
        activeState: {
          await manager.close()
          return "active"
        },
        start: { () async throws(BusError) in
          try await MockUserManager.emit("done", of: "/job", on: manager)
          return "/job"
        })
      #expect(try await manager.requestName(SystemdManagerInterface.name) == .owned)
      let client = try await BusConnection.open(.address(bus.address))
      let launcher = ProgramLauncher(
        bus: client, on: .shared, managerAbsence: .seconds(3_600), runThread: DetachedThread.run)
      let program = try await launcher.start(
        Launch(application: "org.example.App", title: "App", arguments: ["/bin/true"]))
      let next = try await Self.connectAfterLoss(to: bus)
      try await MockUserManager.export(
        on: next, exited: 3, activeState: { "inactive" }, start: { "/job" })
      #expect(try await next.requestName(SystemdManagerInterface.name) == .owned)
      let status = try await withDeadline(Command.defaultDeadline, "the exit") { await program.exitStatus() }
      #expect(status == .exited(3))
      await client.close()
      await next.close()
    }
  }

  @Test func `is asked again whether a program runs`() async throws {
    try await ThrowAwayDesktop.withBus { _, bus in
      let manager = try await BusConnection.open(.address(bus.address))
      try await MockUserManager.export(
        on: manager, exited: 0,
        activeState: {
          await manager.close()
          return "active"
        }, start: { "/job" })
      #expect(try await manager.requestName(SystemdManagerInterface.name) == .owned)
      let client = try await BusConnection.open(.address(bus.address))
      let unit = TransientUnit(name: "app.service", bus: client, managerAbsence: .seconds(3_600))
      async let isActive = unit.isActive()
      let next = try await Self.connectAfterLoss(to: bus)
      try await MockUserManager.export(on: next, exited: 0, start: { "/job" })
      #expect(try await next.requestName(SystemdManagerInterface.name) == .owned)
      #expect(await isActive)
      await client.close()
      await next.close()
    }
  }

  private final class Count: Sendable { let value = Atomic(0) }
  private final class Flag: Sendable { let value = Atomic(false) }
}
