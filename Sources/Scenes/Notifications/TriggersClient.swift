// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Triggers

/// A client of `usher-triggers` on the application's bus connection.
struct TriggersClient: TriggersService {
  private typealias Interface = TriggersInterface

  let connection: BusConnection
  /// The desktop-file ID of the application.
  let application: String

  init(on connection: BusConnection, of application: String) {
    self.connection = connection
    self.application = application
  }

  nonisolated(nonsending) func requestAuthorization(
    _ options: NotificationAuthorizationOptions
  ) async throws(SceneError) -> Bool {
    // The user may take any time to answer.
    try await call(Interface.requestAuthorization, application, options.names, timeout: nil)
  }

  nonisolated(nonsending) func settings() async throws(SceneError) -> NotificationSettings {
    NotificationSettings(try await call(Interface.notificationSettings, application))
  }

  nonisolated(nonsending) func add(_ request: NotificationRequest) async throws(SceneError) {
    try await call(Interface.addNotification, application, request.entries)
  }

  nonisolated(nonsending) func pending() async throws(SceneError) -> [NotificationRequest] {
    try read(try await call(Interface.pendingNotifications, application)) { entries throws(MessageError) in
      try NotificationRequest(entries)
    }
  }

  nonisolated(nonsending) func delivered() async throws(SceneError) -> [UserNotification] {
    try read(try await call(Interface.deliveredNotifications, application)) { entries throws(MessageError) in
      guard let request = entries["request"]?.entries, let date = entries["date"]?.integer else {
        throw MessageError(.missing, at: "request")
      }
      return UserNotification(
        try NotificationRequest(stored: PropertyList(.dictionary(request))),
        date: WallTime(milliseconds: date))
    }
  }

  nonisolated(nonsending) func removePending(_ identifiers: [String]?) async throws(SceneError) {
    if let identifiers {
      try await call(Interface.removePendingNotifications, application, identifiers)
    } else {
      try await call(Interface.removeAllPendingNotifications, application)
    }
  }

  nonisolated(nonsending) func removeDelivered(_ identifiers: [String]?) async throws(SceneError) {
    if let identifiers {
      try await call(Interface.removeDeliveredNotifications, application, identifiers)
    } else {
      try await call(Interface.removeAllDeliveredNotifications, application)
    }
  }

  nonisolated(nonsending) func setCategories(_ categories: [NotificationCategory]) async throws(SceneError) {
    try await call(Interface.setNotificationCategories, application, categories.map(\.entries))
  }

  nonisolated(nonsending) func categories() async throws(SceneError) -> [NotificationCategory] {
    try read(try await call(Interface.notificationCategories, application)) { entries throws(MessageError) in
      try NotificationCategory(PropertyList(.dictionary(entries)))
    }
  }

  nonisolated(nonsending) func setBadge(_ count: UInt32) async throws(SceneError) {
    try await call(Interface.setBadge, application, count)
  }

  nonisolated(nonsending) func register(
    vapid: String?
  ) async throws(SceneError) -> RemoteNotificationToken {
    var options: [String: Variant] = [:]
    options["vapid"] = vapid.map(Variant.string)
    let token = try await call(
      Interface.registerForRemoteNotifications, application, options, timeout: Interface.registrationTimeout)
    do throws(MessageError) { return try RemoteNotificationToken(token) } catch {
      throw .notificationsFailed(BusError(error))
    }
  }

  nonisolated(nonsending) func isRegistered() async throws(SceneError) -> Bool {
    try await call(Interface.remoteNotificationRegistrations).contains {
      $0["application"]?.string == application
    }
  }

  nonisolated(nonsending) func unregister() async throws(SceneError) {
    try await call(Interface.unregisterForRemoteNotifications, application)
  }

  nonisolated(nonsending) func tokenChanges() async throws(SceneError)
    -> AsyncStream<RemoteNotificationToken?>
  {
    let signals: AsyncStream<ReceivedSignal<String, [String: Variant]>>
    do throws(BusError) {
      signals = try await connection.signals(
        Interface.remoteNotificationTokenChanged, from: Interface.busName, at: Interface.path)
    } catch { throw .notificationsFailed(error) }
    let (changes, continuation) = AsyncStream<RemoteNotificationToken?>.makeStream()
    let reading = Task { [application] in
      for await signal in signals {
        let (id, entries) = signal.values
        guard id == application else { continue }
        if entries.isEmpty {
          continuation.yield(nil)
        } else if let token = try? RemoteNotificationToken(entries) {
          continuation.yield(token)
        }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in reading.cancel() }
    return changes
  }

  nonisolated(nonsending) func reconnections() async -> AsyncStream<Void> {
    let events = await connection.events()
    let (moments, continuation) = AsyncStream<Void>.makeStream()
    let reading = Task {
      for await event in events where event == .restored { continuation.yield() }
      continuation.finish()
    }
    continuation.onTermination = { _ in reading.cancel() }
    return moments
  }

  /// Calls a method of `usher-triggers`; an error of the bus is thrown as `failure` wraps it.
  nonisolated(nonsending) func call<
    each Input: BusConvertible, each Output: BusConvertible
  >(
    _ method: BusMethod<Arguments<repeat each Input>, Arguments<repeat each Output>>,
    _ input: repeat each Input, timeout: Duration? = BusConnection.defaultTimeout,
    as failure: (BusError) -> SceneError = SceneError.notificationsFailed
  ) async throws(SceneError) -> sending (repeat each Output) {
    do throws(BusError) {
      return try await connection.call(method, at: Interface.triggers, repeat each input, timeout: timeout)
    } catch {
      throw failure(error)
    }
  }

  /// Reads the elements of a reply.
  private func read<Element>(
    _ elements: [[String: Variant]], _ element: ([String: Variant]) throws(MessageError) -> Element
  ) throws(SceneError) -> [Element] {
    do throws(MessageError) {
      return try elements.map(element)
    } catch {
      throw .notificationsFailed(BusError(error))
    }
  }
}
