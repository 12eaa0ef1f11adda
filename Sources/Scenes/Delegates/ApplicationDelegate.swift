// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import FoundationEssentials
public import Triggers

/// The delegate of an application: UIKit's `UIApplicationDelegate`, with its names and its order of calls.
///
/// The run method selects one of two flows:
/// - `run(delegate:)`, without scenes: `willFinishLaunching` and `didFinishLaunching`, both with the launch options,
///   then the method of the launch reason (such as `application(_:open:options:)`), then
///   `applicationDidBecomeActive`.
/// - `run(delegate:scenes:)`: both with `nil`, then a scene is connected, whose ``ConnectionOptions`` contain the
///   reason.
///
/// The methods run with the isolation of the implementing type: the main actor, another global actor, or an actor.
/// The caller receives the errors that they throw.
public protocol ApplicationDelegate: Sendable {
  /// Prepares the launch, before a window is visible; returns `false` if the URL or activity cannot be handled.
  func application(
    _ application: Application, willFinishLaunchingWithOptions options: LaunchOptions?
  ) async -> Bool
  /// Completes the launch.
  ///
  /// If this method or `willFinishLaunching` returns `false`, the method of the launch reason is not called for a URL, an activity, a quick
  /// action or an invitation. If the delegate does not implement the method of the launch reason, the options
  /// delivered the reason, and the caller receives `handled`.
  func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?
  ) async -> Bool

  // Without scenes.

  /// Opens a URL, and returns `false` on failure. Each URL of a request has its own call, in order.
  ///
  /// If it throws an error for one URL, the others are opened nevertheless, and the caller receives the first error.
  func application(_ application: Application, open url: URL, options: OpenURLOptions) async throws -> Bool
  /// Opens a URL in its original bytes, and returns a result for the caller. The default calls `application(_:open:options:)`.
  func application(_ application: Application, open context: OpenURLContext) async throws -> SceneResult
  /// Announces an activity that the user continues from another device, and returns `true` if the delegate notifies the user.
  func application(_ application: Application, willContinueUserActivityWithType type: String) async -> Bool
  /// Continues an activity; returns `false` if it is not handled.
  func application(_ application: Application, continue activity: UserActivity) async throws -> Bool
  /// Reports that an announced activity did not arrive.
  func application(
    _ application: Application, didFailToContinueUserActivityWithType type: String, error: any Error) async
  /// Performs a shortcut item or an action of the desktop entry; returns `false` if the action does not exist.
  func application(_ application: Application, performActionFor item: ShortcutItem) async throws -> Bool
  /// Performs a shortcut item with UIKit's signature.
  ///
  /// The first call of the handler counts, on any thread. If the handler is released without a call, the item was not
  /// performed.
  func application(
    _ application: Application, performActionFor item: ShortcutItem,
    completionHandler: @escaping @Sendable (Bool) -> Void) async throws
  /// Returns how a notification that is due is shown while the application is in the foreground, like UIKit's
  /// `userNotificationCenter(_:willPresent:)`; with no options it is not shown.
  ///
  /// Without this method, `application(_:didReceive:)` receives the notification, and everything of it is shown.
  func application(
    _ application: Application, willPresent notification: UserNotification
  ) async throws -> NotificationPresentationOptions
  /// Receives a local notification that is due, or to which the user responded.
  func application(_ application: Application, didReceive notification: UserNotification) async throws
  /// Performs the action of a notification that the user chose.
  func application(
    _ application: Application, handleActionWithIdentifier identifier: String,
    for notification: UserNotification) async throws
  /// Accepts a share invitation on behalf of the user.
  func application(
    _ application: Application, userDidAcceptCloudKitShareWith metadata: PropertyList) async throws
  /// Reports that the application becomes visible.
  func applicationWillEnterForeground(_ application: Application) async
  /// Reports that the application receives user input.
  func applicationDidBecomeActive(_ application: Application) async
  /// Reports that the application no longer receives user input.
  func applicationWillResignActive(_ application: Application) async
  /// Reports that the application is no longer visible.
  func applicationDidEnterBackground(_ application: Application) async

  // In both flows.

  /// Receives the token of the registration that `registerForRemoteNotifications()` has made, and each token that replaces it.
  ///
  /// The application sends `deviceToken.json` to its server.
  func application(
    _ application: Application,
    didRegisterForRemoteNotificationsWithDeviceToken deviceToken: RemoteNotificationToken) async
  /// Receives the token of the registration with UIKit's signature: the JSON of a `PushSubscription` in UTF-8.
  func application(
    _ application: Application, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data) async
  /// Reports that the application cannot receive remote notifications, after `registerForRemoteNotifications()`; or that the
  /// distributor, or the user with `usher push unregister`, has ended the registration.
  func application(
    _ application: Application, didFailToRegisterForRemoteNotificationsWithError error: any Error) async
  /// Receives a remote notification, also directly after the launch that it caused.
  func application(
    _ application: Application, didReceiveRemoteNotification notification: UserNotification
  ) async throws -> BackgroundFetchResult
  /// Receives a remote notification with UIKit's signature.
  ///
  /// The first call of the handler counts, on any thread. A handler that is released without a call counts as `noData`.
  func application(
    _ application: Application, didReceiveRemoteNotification notification: UserNotification,
    fetchCompletionHandler: @escaping @Sendable (BackgroundFetchResult) -> Void) async throws
  /// Receives a download that has finished, failed, or been cancelled by the user, also directly after the launch that it caused.
  ///
  /// The default calls `application(_:handleEventsForBackgroundURLSession:completionHandler:)` if the download belongs to a session.
  /// Without both methods, `application(_:didReceive:)` receives the request.
  func application(_ application: Application, didFinish download: FinishedDownload) async throws
  /// Reports that a download of a session has finished, failed, or been cancelled by the user, with UIKit's signature.
  ///
  /// `SceneRequest.current?.finishedDownload` is the download. UIKit calls the method once for all transfers of a session, and Usher once
  /// for each. The download counts as delivered when the handler is called, on any thread, or released.
  func application(
    _ application: Application, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping @Sendable () -> Void) async throws
  /// Receives a request whose reason UIKit assigns to other frameworks (location, Bluetooth), or that is unknown.
  ///
  /// An event for which no manager has a delegate is not delivered later if this method handles it.
  func application(_ application: Application, didReceive request: SceneRequest) async throws -> SceneResult
  /// Reports that the program is about to exit; the launch is complete, and all earlier requests have been answered.
  func applicationWillTerminate(_ application: Application) async

  // With scenes.

  /// Returns the configuration for the scene of a new session; by default that of `run(delegate:scenes:)`.
  ///
  /// It is called once for each new session, and in each later process once when the session is first connected,
  /// because a closure cannot be stored.
  func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: ConnectionOptions
  ) async -> SceneConfiguration
  /// Reports sessions that will not be connected again; sessions discarded between runs are reported after the launch.
  func application(_ application: Application, didDiscardSceneSessions sessions: [SceneSession]) async
}

/// The result of a background fetch, corresponding to UIKit's `UIBackgroundFetchResult`.
public enum BackgroundFetchResult: String, Sendable {
  /// New data was fetched.
  case newData = "new-data"
  /// No new data exists.
  case noData = "no-data"
  /// The fetch failed.
  case failed
}

extension ApplicationDelegate {
  /// Returns `true`.
  public func application(
    _ application: Application, willFinishLaunchingWithOptions options: LaunchOptions?
  ) async -> Bool {
    application.recordMissingLaunchMethod()
    return true
  }

  /// Returns `true`.
  public func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?
  ) async -> Bool {
    application.recordMissingLaunchMethod()
    return true
  }

  /// Throws ``NotImplemented``.
  public func application(
    _ application: Application, open url: URL, options: OpenURLOptions
  ) async throws -> Bool { throw NotImplemented() }

  /// Opens the URL as Foundation parses it.
  ///
  /// - Throws: ``SceneError/unparsableURL`` if Foundation cannot parse it.
  public func application(
    _ application: Application, open context: OpenURLContext
  ) async throws -> SceneResult {
    guard let url = context.url else { throw SceneError.unparsableURL }
    return try await self.application(application, open: url, options: context.options)
      ? .handled : .notHandled
  }

  /// Returns `false`.
  public func application(
    _ application: Application, willContinueUserActivityWithType type: String
  ) async -> Bool { false }

  /// Throws ``NotImplemented``.
  public func application(
    _ application: Application, continue activity: UserActivity
  ) async throws -> Bool { throw NotImplemented() }

  /// Does nothing.
  public func application(
    _ application: Application, didFailToContinueUserActivityWithType type: String, error: any Error
  ) async {}

  /// Calls the form with a completion handler, and returns the value that it receives.
  public func application(
    _ application: Application, performActionFor item: ShortcutItem
  ) async throws -> Bool {
    try await Completion.wait(orReleased: false) { handler in
      try await self.application(application, performActionFor: item, completionHandler: handler)
    }
  }

  /// Throws ``NotImplemented``.
  public func application(
    _ application: Application, performActionFor item: ShortcutItem,
    completionHandler: @escaping @Sendable (Bool) -> Void
  ) async throws { throw NotImplemented() }

  /// Throws ``NotImplemented``.
  public func application(
    _ application: Application, willPresent notification: UserNotification
  ) async throws -> NotificationPresentationOptions { throw NotImplemented() }

  /// Throws ``NotImplemented``.
  public func application(
    _ application: Application, didReceive notification: UserNotification
  ) async throws { throw NotImplemented() }

  /// Throws ``NotImplemented``.
  public func application(
    _ application: Application, handleActionWithIdentifier identifier: String,
    for notification: UserNotification
  ) async throws { throw NotImplemented() }

  /// Throws ``NotImplemented``.
  public func application(
    _ application: Application, userDidAcceptCloudKitShareWith metadata: PropertyList
  ) async throws { throw NotImplemented() }

  /// Calls the form with UIKit's signature.
  public func application(
    _ application: Application,
    didRegisterForRemoteNotificationsWithDeviceToken deviceToken: RemoteNotificationToken
  ) async {
    await self.application(
      application, didRegisterForRemoteNotificationsWithDeviceToken: Data(deviceToken.json.utf8))
  }

  /// Does nothing.
  public func application(
    _ application: Application, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) async {}

  /// Does nothing.
  public func application(
    _ application: Application, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) async {}

  /// Does nothing.
  public func applicationWillEnterForeground(_ application: Application) async {}
  /// Does nothing.
  public func applicationDidBecomeActive(_ application: Application) async {}
  /// Does nothing.
  public func applicationWillResignActive(_ application: Application) async {}
  /// Does nothing.
  public func applicationDidEnterBackground(_ application: Application) async {}

  /// Calls the form with a completion handler, and returns the value that it receives.
  public func application(
    _ application: Application, didReceiveRemoteNotification notification: UserNotification
  ) async throws -> BackgroundFetchResult {
    try await Completion.wait(orReleased: .noData) { handler in
      try await self.application(
        application, didReceiveRemoteNotification: notification, fetchCompletionHandler: handler)
    }
  }

  /// Throws ``NotImplemented``.
  public func application(
    _ application: Application, didReceiveRemoteNotification notification: UserNotification,
    fetchCompletionHandler: @escaping @Sendable (BackgroundFetchResult) -> Void
  ) async throws { throw NotImplemented() }

  /// Calls the form with UIKit's signature, and waits for its completion handler; throws ``NotImplemented`` without a session.
  public func application(_ application: Application, didFinish download: FinishedDownload) async throws {
    guard let session = download.sessionIdentifier else { throw NotImplemented() }
    try await Completion<Void>.wait(orReleased: ()) { handler in
      try await self.application(
        application, handleEventsForBackgroundURLSession: session, completionHandler: { handler(()) })
    }
  }

  /// Throws ``NotImplemented``.
  public func application(
    _ application: Application, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping @Sendable () -> Void
  ) async throws { throw NotImplemented() }

  /// Throws ``NotImplemented``.
  public func application(
    _ application: Application, didReceive request: SceneRequest
  ) async throws -> SceneResult { throw NotImplemented() }

  /// Does nothing.
  public func applicationWillTerminate(_ application: Application) async {}

  /// Returns the configuration of `run(delegate:scenes:)`.
  public func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: ConnectionOptions
  ) async -> SceneConfiguration { application.sceneConfiguration }

  /// Does nothing.
  public func application(
    _ application: Application, didDiscardSceneSessions sessions: [SceneSession]
  ) async {}
}
