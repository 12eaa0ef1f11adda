// SPDX-License-Identifier: Apache-2.0
import DBus

@testable import Launching

/// A mock of the user manager, because a real one cannot be started or stopped at the exact time that a test needs.
enum MockUserManager {
  /// The connections that receive the manager's signals.
  private actor Subscribers {
    private var connections: Set<BusName> = []
    func add(_ connection: BusName) -> Bool { connections.insert(connection).inserted }
  }

  /// Exports the manager's object on `bus`, where `start` answers; the test acquires the name.
  ///
  /// - Parameters:
  ///   - status: The exit status that the manager reports for every unit; `nil` if it knows no unit.
  ///   - unit: Returns the load state and the process that it reports for every unit.
  ///   - activeState: Returns the active state that it reports for every unit.
  ///   - jobResult: The result of the job that every unit has until it is queried; `nil` if none has a job.
  ///   - subscribed: Called before the reply to a subscription, which is an error unless it is the first one of its connection.
  static func export(
    on bus: BusConnection, exited status: Int32? = nil,
    unit: @escaping @Sendable () -> (loadState: String, process: UInt32) = { ("loaded", 4711) },
    activeState: @escaping @Sendable () async -> String = { "active" }, jobResult: String? = nil,
    start: @escaping @Sendable () async throws(BusError) -> ObjectPath,
    subscribed: @escaping @Sendable (_ isFirst: Bool) async -> Void = { _ in }
  ) async throws {
    let subscribers = Subscribers()
    var units: [BusMember] = [
      .method(SystemdManagerInterface.getUnit) { _, name throws(BusError) in
        throw BusError(SystemdManagerInterface.noSuchUnit, "Unit \(name) not loaded.")
      }
    ]
    if let status {
      try await bus.export(
        BusObject(
          "/unit",
          [
            // CLD_EXITED is 1.
            .property(SystemdManagerInterface.execMainCode) { unit().process == 0 ? 0 : 1 },
            .property(SystemdManagerInterface.execMainStatus) { status },
            .property(SystemdManagerInterface.activeState) { await activeState() },
            .property(SystemdManagerInterface.job) { () async throws(BusError) in
              guard let jobResult else { return BusStruct(0, "/") }
              try await emit(jobResult, of: "/job", on: bus)
              return BusStruct(1, "/job")
            },
            .property(SystemdManagerInterface.loadState) { unit().loadState },
            .property(SystemdManagerInterface.execMainPID) { unit().process },
          ]))
      units = [
        .method(SystemdManagerInterface.getUnit) { _, _ in "/unit" },
        .method(SystemdManagerInterface.unrefUnit) { _, _ in },
      ]
    }
    try await bus.export(
      BusObject(
        SystemdManagerInterface.manager.path,
        units + [
          .method(SystemdManagerInterface.subscribe) { call async throws(BusError) in
            let isFirst = await subscribers.add(call.sender)
            await subscribed(isFirst)
            guard isFirst else {
              throw BusError(SystemdManagerInterface.alreadySubscribed, "Client is already subscribed.")
            }
          },
          .method(SystemdManagerInterface.startTransientUnit) { _, _, _, _, _ async throws(BusError) in
            try await start()
          },
        ]))
  }

  /// Reports the result of a job to all connections.
  static func emit(_ result: String, of job: ObjectPath, on bus: BusConnection) async throws(BusError) {
    try await bus.emit(
      SystemdManagerInterface.jobRemoved, from: SystemdManagerInterface.manager.path, 1, job, "app.service",
      result)
  }
}
