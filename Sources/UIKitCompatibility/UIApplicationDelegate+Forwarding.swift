// SPDX-License-Identifier: Apache-2.0
public import Scenes

// The requirements of `ApplicationDelegate`, which call those of UIKit.
extension UIApplicationDelegate {
  /// Calls UIKit's method.
  public func application(
    _ application: Application, willFinishLaunchingWithOptions options: LaunchOptions?
  ) async -> Bool {
    let app = UIApplication.launching(application)
    do {
      return try self.application(app, willFinishLaunchingWithOptions: options?.dictionary)
    } catch {
      application.recordMissingLaunchMethod()
      return true
    }
  }

  /// Calls UIKit's method.
  public func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?
  ) async -> Bool {
    let (app, dictionary) = (UIApplication.of(application), options?.dictionary)
    var result = true
    do {
      result = try self.application(app, didFinishLaunchingWithOptions: dictionary)
    } catch {
      application.recordMissingLaunchMethod()
      try? applicationDidFinishLaunching(app)
    }
    var userInfo: [AnyHashable: Any] = [:]
    for (key, value) in dictionary ?? [:] { userInfo[key] = value }
    app.post(UIApplication.didFinishLaunchingNotification, userInfo: dictionary == nil ? nil : userInfo)
    return result
  }

  /// Calls UIKit's method.
  public func application(
    _ application: Application, open url: URL, options: OpenURLOptions
  ) async throws -> Bool {
    try self.application(.of(application), open: url, options: options.dictionary)
  }

  /// Calls UIKit's method.
  public func application(
    _ application: Application, willContinueUserActivityWithType type: String
  ) async -> Bool {
    (try? self.application(.of(application), willContinueUserActivityWithType: type)) ?? false
  }

  /// Calls UIKit's method.
  public func application(_ application: Application, continue activity: UserActivity) async throws -> Bool {
    guard activity.isParsable else { throw SceneError.unparsableURL }
    let object = NSUserActivity(activity)
    return try self.application(.of(application), continue: object) { restoring in
      for responder in restoring ?? [] {
        MainActor.assumeIsolated { responder.restoreUserActivityState(object) }
      }
    }
  }

  /// Calls UIKit's method.
  public func application(
    _ application: Application, didFailToContinueUserActivityWithType type: String, error: any Error
  ) async {
    try? self.application(.of(application), didFailToContinueUserActivityWithType: type, error: error)
  }

  /// Calls UIKit's method.
  public func application(_ application: Application, performActionFor item: ShortcutItem) async throws
    -> Bool
  {
    let (app, item) = (UIApplication.of(application), UIApplicationShortcutItem(item))
    do {
      return try await Completion.waitOnMain(orReleased: false) { handler in
        try self.application(app, performActionFor: item, completionHandler: handler)
      }
    } catch is NotImplemented {
      return try await self.application(app, performActionFor: item)
    }
  }

  /// Calls the delegate of the notification center.
  public func application(
    _ application: Application, willPresent notification: UserNotification
  ) async throws -> NotificationPresentationOptions {
    _ = UIApplication.of(application)
    return try await UNUserNotificationCenter.current().present(notification)
  }

  /// Calls the delegate of the notification center.
  public func application(_ application: Application, didReceive notification: UserNotification)
    async throws
  {
    _ = UIApplication.of(application)
    // UIKit delivers a notification without a response only to an application in the foreground.
    guard let response = NotificationResponse.ofCurrentRequest else { throw NotImplemented() }
    try await UNUserNotificationCenter.current().receive(response)
  }

  /// Calls UIKit's method.
  public func application(
    _ application: Application, handleActionWithIdentifier identifier: String,
    for notification: UserNotification
  ) async throws {
    try await self.application(application, didReceive: notification)
  }

  /// Calls UIKit's method.
  public func application(
    _ application: Application, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) async {
    self.application(.of(application), didRegisterForRemoteNotificationsWithDeviceToken: deviceToken)
  }

  /// Calls UIKit's method.
  public func application(
    _ application: Application, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) async {
    self.application(.of(application), didFailToRegisterForRemoteNotificationsWithError: error)
  }

  /// Calls UIKit's method.
  public func application(
    _ application: Application, didReceiveRemoteNotification notification: UserNotification
  ) async throws -> BackgroundFetchResult {
    let app = UIApplication.of(application)
    if let response = NotificationResponse.ofCurrentRequest,
      UNUserNotificationCenter.current().delegate != nil
    {
      try await UNUserNotificationCenter.current().receive(response)
      return .noData
    }
    let payload = notification.payload.foundation as? [String: Any] ?? [:]
    let userInfo = Dictionary(uniqueKeysWithValues: payload.map { (AnyHashable($0.key), $0.value) })
    do {
      return try await fetchResult(of: userInfo, app).result
    } catch is NotImplemented {}
    // UIKit calls the form of iOS 3 only in the foreground.
    guard app.applicationState != .background else { throw NotImplemented() }
    try self.application(app, didReceiveRemoteNotification: userInfo) as Void
    return .noData
  }

  /// Calls UIKit's method for a download of a session.
  public func application(_ application: Application, didFinish download: FinishedDownload) async throws {
    let app = UIApplication.of(application)
    guard let session = download.sessionIdentifier else { throw NotImplemented() }
    try await Completion<Void>.waitOnMain(orReleased: ()) { handler in
      try self.application(
        app, handleEventsForBackgroundURLSession: session, completionHandler: { handler(()) })
    }
  }

  private func fetchResult(
    of userInfo: [AnyHashable: Any], _ app: UIApplication
  ) async throws -> UIBackgroundFetchResult {
    do {
      return try await Completion.waitOnMain(orReleased: .noData) { handler in
        try self.application(
          app, didReceiveRemoteNotification: userInfo, fetchCompletionHandler: handler)
      }
    } catch is NotImplemented {
      return try await self.application(app, didReceiveRemoteNotification: userInfo)
    }
  }

  /// Calls UIKit's method, and posts its notification.
  public func applicationWillEnterForeground(_ application: Application) async {
    report(application, to: applicationWillEnterForeground, as: UIApplication.willEnterForegroundNotification)
  }

  /// Calls UIKit's method, and posts its notification.
  public func applicationDidBecomeActive(_ application: Application) async {
    report(application, to: applicationDidBecomeActive, as: UIApplication.didBecomeActiveNotification)
  }

  /// Calls UIKit's method, and posts its notification.
  public func applicationWillResignActive(_ application: Application) async {
    report(application, to: applicationWillResignActive, as: UIApplication.willResignActiveNotification)
  }

  /// Calls UIKit's method, and posts its notification.
  public func applicationDidEnterBackground(_ application: Application) async {
    report(application, to: applicationDidEnterBackground, as: UIApplication.didEnterBackgroundNotification)
  }

  /// Calls UIKit's method, and posts its notification.
  public func applicationWillTerminate(_ application: Application) async {
    report(application, to: applicationWillTerminate, as: UIApplication.willTerminateNotification)
  }

  private func report(
    _ application: Application, to method: (UIApplication) -> Void, as notification: Notification.Name
  ) {
    let app = UIApplication.of(application)
    method(app)
    app.post(notification)
  }

  /// Calls UIKit's method.
  public func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: ConnectionOptions
  ) async -> SceneConfiguration {
    let app = UIApplication.of(application)
    let standard = application.sceneConfiguration
    guard
      let configuration = try? self.application(
        app, configurationForConnecting: app.session(session), options: UIScene.ConnectionOptions(options))
    else { return standard }
    guard
      let type = configuration.delegateClass.flatMap({ readSceneDelegateClass($0, of: application.id) })
    else {
      return SceneConfiguration(name: configuration.name ?? standard.name, delegate: standard.makeDelegate)
    }
    return SceneConfiguration(name: configuration.name ?? standard.name) {
      await MainActor.run { type.init() }
    }
  }

  /// Calls UIKit's method.
  public func application(
    _ application: Application, didDiscardSceneSessions sessions: [SceneSession]
  ) async {
    let app = UIApplication.of(application)
    self.application(app, didDiscardSceneSessions: Set(sessions.map(app.session)))
    app.discarded(sessions)
  }
}

extension UIBackgroundFetchResult {
  fileprivate var result: BackgroundFetchResult {
    switch self {
    case .newData: .newData
    case .noData: .noData
    case .failed: .failed
    }
  }
}

extension NotificationResponse {
  /// The response of the request that the current task handles; `nil` if the user has not responded.
  static var ofCurrentRequest: NotificationResponse? {
    SceneRequest.current.flatMap { NotificationResponse($0) }
  }
}
