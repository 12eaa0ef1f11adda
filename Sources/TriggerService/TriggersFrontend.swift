// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop

/// The object of `org.usher.Triggers1`: it decodes calls, checks who may make them, and encodes the results.
@BrokerActor
struct TriggersFrontend {
  let access: CallerAccess
  let identification: SourceIdentification
  let notifications: Notifications
  let registrations: PushRegistrations
  let downloads: Downloads
  let locations: Locations
  let bluetooth: Bluetooth
  let gate: CallGate

  /// Serves the object on `bus`.
  func export(on bus: BusConnection) async throws(BusError) {
    let members =
      notificationMembers + remoteNotificationMembers
      + [.property(TriggersInterface.version) { UsherVersion.text }]
      + downloadMembers + locationMembers + bluetoothMembers + peripheralMembers
    try await bus.export(BusObject(TriggersInterface.path, members))
  }

  /// Declares a method whose first argument is an application: only callers that may act for it are served.
  func method<each Input: BusConvertible, each Output: BusConvertible>(
    _ method: BusMethod<Arguments<String, repeat each Input>, Arguments<repeat each Output>>,
    _ body:
      @escaping @Sendable (CallerAccess.Access, repeat each Input) async throws(BusError) -> (
        repeat each Output
      )
  ) -> BusMember {
    .method(method) {
      (call: BusCall, application: String, input: repeat each Input) async throws(BusError) -> (
        repeat each Output
      ) in
      try await gate.serve { () async throws(BusError) -> (repeat each Output) in
        try await body(access.access(to: application, for: call.sender), repeat each input)
      }
    }
  }

  /// Declares a method that lists what its caller may see.
  func list<Output: BusConvertible>(
    _ method: BusMethod<Arguments<>, Arguments<Output>>,
    _ body: @escaping @BrokerActor (CallerAccess.Visibility) -> Output
  ) -> BusMember {
    .method(method) { call async throws(BusError) in
      try await gate.serve { () async throws(BusError) in
        try await body(access.visibility(for: call.sender))
      }
    }
  }

  func requireInstalled(_ application: ApplicationID) async throws(BusError) {
    guard await identification.isInstalled(application) else { throw notInstalled(application) }
  }

  func notInstalled(_ application: ApplicationID) -> BusError {
    BusError(
      .noHandler,
      "“\(application.rawValue)” is not installed: no applications directory has \(application.rawValue).desktop"
    )
  }

  /// Returns whether the user allows what needs a permission; requires that the application is installed.
  ///
  /// - Parameter asks: Whether the broker asks the user if there is no answer yet.
  func status(
    of permission: ApplicationPermission, for application: ApplicationID, asks: Bool
  ) async throws(BusError) -> ApplicationPermission.Status {
    try await requireInstalled(application)
    return try await permission.status(of: application.rawValue, asks: asks)
  }

  /// Returns the entries of those of the items that a caller may see, in the order of their keys, each with its application.
  func visible<Item>(
    _ items: [MonitoredKey: Item], to visibility: CallerAccess.Visibility,
    _ entries: (MonitoredKey, Item) -> [String: Variant]
  ) -> Variant {
    let visible = items.filter { visibility.includes($0.key.application) }.sorted { $0.key < $1.key }
    return .array(
      of: "a{sv}",
      visible.map { key, item in
        .dictionary(entries(key, item).merging(["application": .string(key.application)]) { $1 })
      })
  }

  /// Requires that the application is installed, and that it has a permission.
  func requirePermission(
    _ permission: ApplicationPermission, of access: CallerAccess.Access
  ) async throws(BusError) {
    try await requireInstalled(access.application)
    try await permission.require(access.application.rawValue, isOfUser: access.isOfUser)
  }
}
