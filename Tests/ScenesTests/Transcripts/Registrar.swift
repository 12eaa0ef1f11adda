// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Scenes
import TestSupport
import Testing

/// A stand-in for `usher-triggers` on the bus of a stage, which registers applications for remote notifications.
struct Registrar: Sendable {
  let bus: BusConnection

  /// Starts a stand-in whose registrations have the results of `registering`, by the key of the server.
  static func start(
    on stage: Stage, isRegistered: Bool = false,
    _ registering: @escaping @Sendable (String?) async throws(SceneError) -> RemoteNotificationToken
  ) async throws -> Registrar {
    let bus = try await stage.connect()
    try await bus.export(
      BusObject(
        TriggersInterface.path,
        [
          .method(TriggersInterface.registerForRemoteNotifications) { _, id, options async throws(BusError) in
            guard id == Stage.id else { throw BusError(.accessDenied, "another application: \(id)") }
            do throws(SceneError) { return try await registering(options["vapid"]?.string).entries } catch {
              throw BusError(.failed, "\(error)")
            }
          },
          .method(TriggersInterface.remoteNotificationRegistrations) { _ async throws(BusError) in
            isRegistered
              ? [["application": .string(Stage.id), "distributor": "org.example.Push", "date": .int64(0)]]
              : []
          },
          .method(TriggersInterface.unregisterForRemoteNotifications) { _, _ async throws(BusError) in },
          .method(TriggersInterface.deliveredNotifications) { _, _ async throws(BusError) in
            Registrar.delivered
          },
          .signal(TriggersInterface.remoteNotificationTokenChanged),
        ]))
    #expect(try await bus.requestName(TriggersInterface.busName) == .owned)
    return Registrar(bus: bus)
  }

  /// Reports another token, or with `nil` the end of the registration.
  func replaceToken(of application: RunningApplication, with token: RemoteNotificationToken?) async throws {
    try await bus.emit(
      TriggersInterface.remoteNotificationTokenChanged, from: TriggersInterface.path,
      to: application.uniqueName, Stage.id, token?.entries ?? [:])
  }

  /// A local and a remote notification in the form of `usher-triggers`.
  private static let delivered: [[String: Variant]] = [
    [
      "application": .string(Stage.id), "date": .int64(2_000),
      "request": .dictionary([
        "identifier": "push-1", "content": .dictionary(["title": "Mail"]),
        "payload": .dictionary([
          "aps": .dictionary(["alert": .dictionary(["title": "Mail"])]), "note": .int64(7),
          "identifier": "mine",
        ]),
      ]),
    ],
    [
      "application": .string(Stage.id), "date": .int64(1_000),
      "request": .dictionary(["identifier": "milk", "content": .dictionary(["title": "Milk"])]),
    ],
  ]
}
