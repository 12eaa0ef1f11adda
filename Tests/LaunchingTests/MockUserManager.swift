import DBus

@testable import Launching

/// A mock in the place of the user manager: a real one cannot be made to come or to go at just the moment a test needs.
enum MockUserManager {
  /// Serves the manager's object on `bus`, where `start` answers; the name is the test's to take.
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
