public import BusInterfaces
public import FoundationEssentials

/// What happens to the application: UIKit's `UIApplicationDelegate`, under its names and in its order.
///
/// It is used in two profiles, and which one is said where the application is run:
/// - `run(delegate:)`, without scenes: `willFinishLaunching`, `didFinishLaunching`, both with the reason of the start, then the
///   call that the reason has (`application(_:open:options:)` and its like), then `applicationDidBecomeActive`.
/// - `run(delegate:scenes:)`: both with `nil`, then a scene is connected, whose ``ConnectionOptions`` have the reason.
///
/// The methods run isolated as the type that implements them says: the main actor, another global actor, or an actor. What
/// is thrown, the caller is told.
public protocol ApplicationDelegate: Sendable {
  /// The program has started, and shows nothing yet; `false` where the URL or the activity cannot be dealt with.
  func application(
    _ application: Application, willFinishLaunchingWithOptions options: LaunchOptions?
  ) async -> Bool
  /// The program is about to run. When this or the method above says `false`, the call that the reason has is not made,
  /// unless it is a remote notification, of which it is not asked.
  func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?
  ) async -> Bool

  // Without scenes.

  /// A URL to open; `false` where that failed. Each URL of a request has a call of its own, in order.
  func application(_ application: Application, open url: URL, options: OpenURLOptions) async throws -> Bool
  /// The same with the URL as the bytes that came, and an answer for the caller; it calls the method above.
  func application(_ application: Application, open context: OpenURLContext) async throws -> SceneResult
  /// A person goes on here with what was begun elsewhere; what it is may come later. `true` if the person is told meanwhile.
  func application(_ application: Application, willContinueUserActivityWithType type: String) async -> Bool
  /// What to go on with; `false` where it is not dealt with.
  func application(_ application: Application, continue activity: UserActivity) async throws -> Bool
  /// What was to be gone on with did not come.
  func application(
    _ application: Application, didFailToContinueUserActivityWithType type: String, error: any Error) async
  /// A quick action, or an action of the desktop entry; `false` where there is no such.
  func application(_ application: Application, performActionFor item: ShortcutItem) async throws -> Bool
  /// A notification of the application's own: it is due, or a person acted on it.
  func application(_ application: Application, didReceive notification: NotificationContent) async throws
  /// A person chose an action of a notification.
  func application(
    _ application: Application, handleActionWithIdentifier identifier: String,
    for notification: NotificationContent) async throws
  /// A person accepted an invitation to share.
  func application(
    _ application: Application, userDidAcceptCloudKitShareWith metadata: PropertyList) async throws
  /// The application can be seen again.
  func applicationWillEnterForeground(_ application: Application) async
  /// The application gets a person's input.
  func applicationDidBecomeActive(_ application: Application) async
  /// It no longer gets it.
  func applicationWillResignActive(_ application: Application) async
  /// It can no longer be seen.
  func applicationDidEnterBackground(_ application: Application) async

  // In both profiles.

  /// Something that a server pushed; also right after the start that it caused.
  func application(
    _ application: Application, didReceiveRemoteNotification notification: NotificationContent
  ) async throws -> BackgroundFetchResult
  /// A request whose reason UIKit gives to other frameworks (a place, Bluetooth, downloads), or that is not known.
  func application(_ application: Application, didReceive request: SceneRequest) async throws -> SceneResult
  /// The program is about to end; all that came before was answered.
  func applicationWillTerminate(_ application: Application) async

  // With scenes.

  /// How the scene of a session is to be made; what `run(delegate:scenes:)` was given unless told otherwise.
  func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: ConnectionOptions
  ) async -> SceneConfiguration
  /// Sessions that will not be connected again; those that were dropped while the program did not run soon after its start.
  func application(_ application: Application, didDiscardSceneSessions sessions: [SceneSession]) async
}

/// What came of looking for something new in the background: UIKit's `UIBackgroundFetchResult`.
public enum BackgroundFetchResult: String, Sendable {
  /// There was something.
  case newData = "new-data"
  /// There was nothing.
  case noData = "no-data"
  /// It could not be found out.
  case failed
}

extension ApplicationDelegate {
  /// Nothing stands in the way.
  public func application(
    _ application: Application, willFinishLaunchingWithOptions options: LaunchOptions?
  ) async -> Bool { true }

  /// Nothing stands in the way.
  public func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?
  ) async -> Bool { true }

  /// Not opened.
  public func application(
    _ application: Application, open url: URL, options: OpenURLOptions
  ) async throws -> Bool { false }

  /// Opens the URL as Foundation sees it.
  /// - Throws: ``SceneError/unreadableURL`` where it cannot.
  public func application(
    _ application: Application, open context: OpenURLContext
  ) async throws -> SceneResult {
    guard let url = context.url else { throw SceneError.unreadableURL }
    return try await self.application(application, open: url, options: context.options)
      ? .handled : .notHandled
  }

  /// Nobody is told.
  public func application(
    _ application: Application, willContinueUserActivityWithType type: String
  ) async -> Bool { false }

  /// Not dealt with.
  public func application(
    _ application: Application, continue activity: UserActivity
  ) async throws -> Bool { false }

  /// Does nothing.
  public func application(
    _ application: Application, didFailToContinueUserActivityWithType type: String, error: any Error
  ) async {}

  /// There is no such action.
  public func application(
    _ application: Application, performActionFor item: ShortcutItem
  ) async throws -> Bool { false }

  /// Not implemented.
  public func application(
    _ application: Application, didReceive notification: NotificationContent
  ) async throws { throw NotImplemented() }

  /// Not implemented.
  public func application(
    _ application: Application, handleActionWithIdentifier identifier: String,
    for notification: NotificationContent
  ) async throws { throw NotImplemented() }

  /// Not implemented.
  public func application(
    _ application: Application, userDidAcceptCloudKitShareWith metadata: PropertyList
  ) async throws { throw NotImplemented() }

  /// Does nothing.
  public func applicationWillEnterForeground(_ application: Application) async {}
  /// Does nothing.
  public func applicationDidBecomeActive(_ application: Application) async {}
  /// Does nothing.
  public func applicationWillResignActive(_ application: Application) async {}
  /// Does nothing.
  public func applicationDidEnterBackground(_ application: Application) async {}

  /// Not implemented.
  public func application(
    _ application: Application, didReceiveRemoteNotification notification: NotificationContent
  ) async throws -> BackgroundFetchResult { throw NotImplemented() }

  /// Not handled.
  public func application(
    _ application: Application, didReceive request: SceneRequest
  ) async throws -> SceneResult { .notHandled }

  /// Does nothing.
  public func applicationWillTerminate(_ application: Application) async {}

  /// The configuration of `run(delegate:scenes:)`.
  public func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: ConnectionOptions
  ) async -> SceneConfiguration { application.sceneConfiguration }

  /// Does nothing.
  public func application(
    _ application: Application, didDiscardSceneSessions sessions: [SceneSession]
  ) async {}
}
