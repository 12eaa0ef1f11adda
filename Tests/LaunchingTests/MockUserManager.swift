// SPDX-License-Identifier: Apache-2.0
import DBus

@testable import Launching

/// A mock of the user manager, because a real one cannot be started or stopped at the exact time that a test needs.
enum MockUserManager {
  /// Exports the manager's object on `bus`, where `start` answers; the test acquires the name.
  static func export(
    on bus: BusConnection, start: @escaping @Sendable () async throws(BusError) -> ObjectPath
  ) async throws {
    try await bus.export(
      BusObject(
        SystemdManagerInterface.manager.path,
        [
          .method(SystemdManagerInterface.subscribe) { _ in },
          .method(SystemdManagerInterface.startTransientUnit) { _, _, _, _, _ async throws(BusError) in
            try await start()
          },
        ]))
  }
}
