// SPDX-License-Identifier: Apache-2.0
public import Scenes

/// The delegate of an application, with the signatures of UIKit.
///
/// Each method is optional. The flow is that of `ApplicationDelegate` of `Scenes`: without scenes, the launch options and then
/// the method of the launch reason; with scenes, no options, and a scene is connected.
@MainActor public protocol UIApplicationDelegate: ApplicationDelegate, AnyObject {
  /// Prepares the launch; returns `false` if the URL or activity cannot be handled.
  func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) throws -> Bool
  /// Completes the launch; returns `false` if the URL or activity cannot be handled.
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) throws -> Bool
  /// Completes the launch, without options.
  func applicationDidFinishLaunching(_ application: UIApplication) throws

  /// Opens a URL.
  func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
  ) throws -> Bool
  /// Opens a URL, in the form of iOS 4.2.
  func application(
    _ application: UIApplication, open url: URL, sourceApplication: String?, annotation: Any
  ) throws -> Bool
  /// Opens a URL, in the form of iOS 2.
  func application(_ application: UIApplication, handleOpen url: URL) throws -> Bool

  /// Announces an activity; returns `true` if the delegate notifies the user.
  func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String)
    throws -> Bool
  /// Continues an activity, or opens a universal link.
  ///
  /// The handler, which is optional, restores the state of its objects at once. It must be called on the main thread.
  func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) throws -> Bool
  /// Reports that an announced activity did not arrive.
  func application(
    _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error) throws

  /// Performs a quick action, and passes to the handler whether it did.
  func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void) throws
  /// Performs a quick action, and returns whether it did.
  func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem
  ) async throws -> Bool

  /// Receives a remote notification, and passes the result of the fetch to the handler.
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void) throws
  /// Receives a remote notification, and returns the result of the fetch.
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) async throws -> UIBackgroundFetchResult
  /// Receives a remote notification, in the form of iOS 3.
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) throws
  /// Receives the token of the registration, and each token that replaces it: the JSON of a `PushSubscription` in UTF-8.
  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
  /// Reports that the application cannot receive remote notifications, after `registerForRemoteNotifications()`.
  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)

  /// Reports that a download of a session has finished, failed or been cancelled by the user: `SceneRequest.current?.finishedDownload`.
  ///
  /// UIKit calls the method once for all transfers of a session, and Usher once for each.
  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void) throws

  /// Reports that the application becomes visible.
  func applicationWillEnterForeground(_ application: UIApplication)
  /// Reports that the application receives user input.
  func applicationDidBecomeActive(_ application: UIApplication)
  /// Reports that the application no longer receives user input.
  func applicationWillResignActive(_ application: UIApplication)
  /// Reports that the application is no longer visible.
  func applicationDidEnterBackground(_ application: UIApplication)
  /// Reports that the program is about to exit.
  func applicationWillTerminate(_ application: UIApplication)

  /// Returns the configuration of a new session's scene.
  func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) throws -> UISceneConfiguration
  /// Reports sessions that will not be connected again.
  func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)
}

/// The result of a background fetch.
public enum UIBackgroundFetchResult: UInt, Sendable {
  /// New data was fetched.
  case newData
  /// No new data exists.
  case noData
  /// The fetch failed.
  case failed
}

// The defaults: a method that throws is not implemented.
extension UIApplicationDelegate {
  /// Makes the method count as not implemented.
  public func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) throws -> Bool { throw NotImplemented() }

  /// Makes the method count as not implemented.
  public func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) throws -> Bool { throw NotImplemented() }

  /// Makes the method count as not implemented.
  public func applicationDidFinishLaunching(_ application: UIApplication) throws { throw NotImplemented() }

  /// Calls the form of iOS 4.2, otherwise that of iOS 2.
  public func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
  ) throws -> Bool {
    let annotation = options[.annotation] ?? [String: Any]()
    do {
      return try application(
        app, open: url, sourceApplication: options[.sourceApplication] as? String, annotation: annotation)
    } catch is NotImplemented {
      return try application(app, handleOpen: url)
    }
  }

  /// Makes the method count as not implemented.
  public func application(
    _ application: UIApplication, open url: URL, sourceApplication: String?, annotation: Any
  ) throws -> Bool { throw NotImplemented() }

  /// Makes the method count as not implemented.
  public func application(_ application: UIApplication, handleOpen url: URL) throws -> Bool {
    throw NotImplemented()
  }

  /// Returns `false`.
  public func application(
    _ application: UIApplication, willContinueUserActivityWithType userActivityType: String
  ) throws -> Bool { false }

  /// Makes the method count as not implemented.
  public func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) throws -> Bool { throw NotImplemented() }

  /// Does nothing.
  public func application(
    _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  ) throws {}

  /// Makes the method count as not implemented.
  public func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) throws { throw NotImplemented() }

  /// Makes the method count as not implemented.
  public func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem
  ) async throws -> Bool { throw NotImplemented() }

  /// Makes the method count as not implemented.
  public func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) throws { throw NotImplemented() }

  /// Makes the method count as not implemented.
  public func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) async throws -> UIBackgroundFetchResult { throw NotImplemented() }

  /// Makes the method count as not implemented.
  public func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) throws { throw NotImplemented() }

  /// Does nothing.
  public func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {}

  /// Does nothing.
  public func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {}

  /// Makes the method count as not implemented.
  public func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) throws { throw NotImplemented() }

  /// Does nothing.
  public func applicationWillEnterForeground(_ application: UIApplication) {}
  /// Does nothing.
  public func applicationDidBecomeActive(_ application: UIApplication) {}
  /// Does nothing.
  public func applicationWillResignActive(_ application: UIApplication) {}
  /// Does nothing.
  public func applicationDidEnterBackground(_ application: UIApplication) {}
  /// Does nothing.
  public func applicationWillTerminate(_ application: UIApplication) {}

  /// Makes the method count as not implemented.
  public func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) throws -> UISceneConfiguration { throw NotImplemented() }

  /// Does nothing.
  public func application(
    _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>
  ) {}
}
