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
    app.post(UIApplication.didFinishLaunchingNotification, dictionary == nil ? nil : userInfo)
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

  /// Makes the method count as not implemented.
  public func application(_ application: Application, didReceive notification: NotificationContent)
    async throws
  {
    _ = UIApplication.of(application)
    guard let response = NotificationResponse.ofCurrentRequest else { throw NotImplemented() }
    try await UNUserNotificationCenter.current().receive(response)
  }

  /// Calls UIKit's method.
  public func application(
    _ application: Application, handleActionWithIdentifier identifier: String,
    for notification: NotificationContent
  ) async throws {
    try await self.application(application, didReceive: notification)
  }

  /// Calls UIKit's method.
  public func application(
    _ application: Application, didReceiveRemoteNotification notification: NotificationContent
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
    let result: UIBackgroundFetchResult
    do {
      result = try await Completion.waitOnMain(orReleased: .noData) { handler in
        try self.application(
          app, didReceiveRemoteNotification: userInfo, fetchCompletionHandler: handler)
      }
    } catch is NotImplemented {
      result = try await self.application(app, didReceiveRemoteNotification: userInfo)
    }
    return switch result {
    case .newData: .newData
    case .noData: .noData
    case .failed: .failed
    }
  }

  /// Calls UIKit's method.
  public func applicationWillEnterForeground(_ application: Application) async {
    let app = UIApplication.of(application)
    applicationWillEnterForeground(app)
    app.post(UIApplication.willEnterForegroundNotification)
  }

  /// Calls UIKit's method.
  public func applicationDidBecomeActive(_ application: Application) async {
    let app = UIApplication.of(application)
    applicationDidBecomeActive(app)
    app.post(UIApplication.didBecomeActiveNotification)
  }

  /// Calls UIKit's method.
  public func applicationWillResignActive(_ application: Application) async {
    let app = UIApplication.of(application)
    applicationWillResignActive(app)
    app.post(UIApplication.willResignActiveNotification)
  }

  /// Calls UIKit's method.
  public func applicationDidEnterBackground(_ application: Application) async {
    let app = UIApplication.of(application)
    applicationDidEnterBackground(app)
    app.post(UIApplication.didEnterBackgroundNotification)
  }

  /// Calls UIKit's method.
  public func applicationWillTerminate(_ application: Application) async {
    let app = UIApplication.of(application)
    applicationWillTerminate(app)
    app.post(UIApplication.willTerminateNotification)
  }

  /// Calls UIKit's method.
  public func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: ConnectionOptions
  ) async -> SceneConfiguration {
    let app = UIApplication.of(application)
    let standard = application.sceneConfiguration
    guard let connectionOptions = try? UIScene.ConnectionOptions(options),
      let configuration = try? self.application(
        app, configurationForConnecting: app.session(session), options: connectionOptions)
    else { return standard }
    guard let type = configuration.delegateClass as? any (UIResponder & UISceneDelegate).Type else {
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
  }
}

extension NotificationResponse {
  /// The response of the request that the current task handles; `nil` if the user has not responded.
  static var ofCurrentRequest: NotificationResponse? {
    SceneRequest.current.flatMap { NotificationResponse($0) }
  }
}
