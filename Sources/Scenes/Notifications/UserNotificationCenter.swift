// SPDX-License-Identifier: Apache-2.0
public import Triggers

/// The center of the application's notifications, corresponding to `UNUserNotificationCenter`.
///
/// `usher-triggers` stores what is added, shows it when it is due, and starts the application when the user acts on it, also
/// after the application has exited, a logout or a restart of the machine.
///
/// ```swift
/// let center = application.notifications
/// guard try await center.requestAuthorization(options: [.alert, .sound]) else { return }
/// try await center.add(
///   NotificationRequest(
///     identifier: "milk", content: NotificationContent(title: "Milk", userInfo: ["note": 7]),
///     trigger: .matching(CalendarComponents(hour: 18))))
/// ```
/// The user's response arrives at the delegate: `scene(_:didReceive:)`, or `application(_:didReceive:)` without scenes. A
/// notification that is due while the application is in the foreground arrives at `application(_:willPresent:)` first.
///
/// All methods throw ``SceneError/notificationsFailed(_:)`` if `usher-triggers` rejects the call or does not run.
public struct UserNotificationCenter: Sendable {
  private let triggers: any TriggersService

  init(_ triggers: any TriggersService) { self.triggers = triggers }

  /// Asks the user whether the application may show notifications, and returns the answer.
  ///
  /// The user is asked once; after that, the method returns the stored answer.
  ///
  /// - Parameter options: The ways that the application uses. Ways that no call has named are not used.
  public nonisolated(nonsending) func requestAuthorization(
    options: NotificationAuthorizationOptions = []
  ) async throws(SceneError) -> Bool { try await triggers.requestAuthorization(options) }

  /// Returns what the user allows and what the desktop can do, without asking the user.
  public nonisolated(nonsending) func notificationSettings() async throws(SceneError) -> NotificationSettings
  {
    try await triggers.settings()
  }

  /// Schedules a notification, and returns when it is stored.
  ///
  /// It replaces a pending notification with the same identifier at once, and a delivered one when it is due. A request
  /// without a trigger is due at once.
  ///
  /// - Throws: An error with ``SceneError/brokerError`` `denied` if the user does not allow notifications, or the location for a
  ///   trigger with a region, `invalidRequest` for values that `org.usher.Triggers1.xml` does not allow, and `tooMany` beyond 64 pending notifications.
  public nonisolated(nonsending) func add(_ request: NotificationRequest) async throws(SceneError) {
    try await triggers.add(request)
  }

  /// Returns the notifications that are not due yet, the next one first and those with a region last.
  public nonisolated(nonsending) func pendingNotificationRequests() async throws(SceneError)
    -> [NotificationRequest]
  {
    try await triggers.pending()
  }

  /// Returns the notifications that are shown, the newest first.
  public nonisolated(nonsending) func deliveredNotifications() async throws(SceneError) -> [UserNotification]
  {
    try await triggers.delivered()
  }

  /// Removes notifications that are not due yet; unknown identifiers are ignored.
  public nonisolated(nonsending) func removePendingNotificationRequests(
    withIdentifiers identifiers: [String]
  ) async throws(SceneError) { try await triggers.removePending(identifiers) }

  /// Removes all notifications that are not due yet.
  public nonisolated(nonsending) func removeAllPendingNotificationRequests() async throws(SceneError) {
    try await triggers.removePending(nil)
  }

  /// Removes notifications that are shown; unknown identifiers are ignored.
  ///
  /// The application receives nothing for them.
  public nonisolated(nonsending) func removeDeliveredNotifications(
    withIdentifiers identifiers: [String]
  ) async throws(SceneError) { try await triggers.removeDelivered(identifiers) }

  /// Removes all notifications that are shown.
  ///
  /// The application receives nothing for them.
  public nonisolated(nonsending) func removeAllDeliveredNotifications() async throws(SceneError) {
    try await triggers.removeDelivered(nil)
  }

  /// Replaces the stored categories, which determine the actions of notifications.
  public nonisolated(nonsending) func setNotificationCategories(
    _ categories: [NotificationCategory]
  ) async throws(SceneError) { try await triggers.setCategories(categories) }

  /// Returns the categories, ordered by identifier.
  public nonisolated(nonsending) func notificationCategories() async throws(SceneError)
    -> [NotificationCategory]
  {
    try await triggers.categories()
  }

  /// Sets the number on the icon of the application; 0 removes it.
  public nonisolated(nonsending) func setBadgeCount(_ count: UInt32) async throws(SceneError) {
    try await triggers.setBadge(count)
  }

  /// Registers the application for notifications of its server, and returns the token, which the application sends to its server.
  ///
  /// The token is that of an earlier registration, unless the user's push distributor has replaced it. Call the method at each
  /// start. An application with a delegate calls ``Application/registerForRemoteNotifications(vapid:)`` instead.
  ///
  /// ```swift
  /// let token = try await application.notifications.registerForRemoteNotifications()
  /// try await send(token.json)   // {"endpoint":"https://…","keys":{"auth":"…","p256dh":"…"}}, the PushSubscription of browsers
  /// ```
  /// The token is secret: with it, anyone can send messages to the application.
  ///
  /// - Parameter key: The public key of the application's server (RFC 8292, 87 characters of base64url), which a distributor
  ///   may require; `nil` keeps that of the registration.
  /// - Throws: An error without a ``SceneError/brokerError`` if there is no distributor, or if it fails. It takes at most two
  ///   and a half minutes.
  public nonisolated(nonsending) func registerForRemoteNotifications(
    vapid key: String? = nil
  ) async throws(SceneError) -> RemoteNotificationToken { try await triggers.register(vapid: key) }

  /// Ends the registration, so that messages of the server are dropped.
  public nonisolated(nonsending) func unregisterForRemoteNotifications() async throws(SceneError) {
    try await triggers.unregister()
  }

  /// Returns the tokens that replace the one of the registration from now on; `nil` if the distributor has ended it.
  ///
  /// An application with a delegate needs no stream: its delegate receives each token.
  public nonisolated(nonsending) func remoteNotificationTokenChanges() async throws(SceneError)
    -> AsyncStream<RemoteNotificationToken?>
  { try await triggers.tokenChanges() }
}

extension Application {
  /// The center of the application's notifications.
  public var notifications: UserNotificationCenter { UserNotificationCenter(triggers) }
}

/// The service of `usher-triggers` for one application: its notifications, locations, downloads and Bluetooth devices.
package protocol TriggersService: LocationMonitoring, DownloadTransferring, BluetoothMonitoring,
  BluetoothPublishing
{
  /// Asks the user once, and returns the answer.
  nonisolated(nonsending) func requestAuthorization(
    _ options: NotificationAuthorizationOptions
  ) async throws(SceneError) -> Bool
  /// Returns what the user allows.
  nonisolated(nonsending) func settings() async throws(SceneError) -> NotificationSettings
  /// Stores a request.
  nonisolated(nonsending) func add(_ request: NotificationRequest) async throws(SceneError)
  /// Returns the requests that are not due.
  nonisolated(nonsending) func pending() async throws(SceneError) -> [NotificationRequest]
  /// Returns the notifications that are shown.
  nonisolated(nonsending) func delivered() async throws(SceneError) -> [UserNotification]
  /// Removes requests that are not due; `nil` for all.
  nonisolated(nonsending) func removePending(_ identifiers: [String]?) async throws(SceneError)
  /// Removes notifications that are shown; `nil` for all.
  nonisolated(nonsending) func removeDelivered(_ identifiers: [String]?) async throws(SceneError)
  /// Replaces the categories.
  nonisolated(nonsending) func setCategories(_ categories: [NotificationCategory]) async throws(SceneError)
  /// Returns the categories.
  nonisolated(nonsending) func categories() async throws(SceneError) -> [NotificationCategory]
  /// Sets the number on the icon.
  nonisolated(nonsending) func setBadge(_ count: UInt32) async throws(SceneError)
  /// Registers the application for notifications of its server, and returns the token.
  nonisolated(nonsending) func register(vapid: String?) async throws(SceneError) -> RemoteNotificationToken
  /// Returns whether the application is registered for notifications of its server.
  nonisolated(nonsending) func isRegistered() async throws(SceneError) -> Bool
  /// Ends the registration.
  nonisolated(nonsending) func unregister() async throws(SceneError)
  /// Returns the tokens that replace the one of the registration; `nil` if the registration has ended.
  nonisolated(nonsending) func tokenChanges() async throws(SceneError)
    -> AsyncStream<RemoteNotificationToken?>
  /// Returns the moments at which the bus was reached again after it was lost.
  nonisolated(nonsending) func reconnections() async -> AsyncStream<Void>
}
