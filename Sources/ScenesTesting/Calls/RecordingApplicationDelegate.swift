// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Scenes

/// A delegate that records each call and forwards it to the delegate under test.
struct RecordingApplicationDelegate: ApplicationDelegate {
  let delegate: any ApplicationDelegate
  let recorder: CallRecorder

  func application(
    _ application: Application, willFinishLaunchingWithOptions options: LaunchOptions?
  ) async -> Bool {
    recorder.add(.willFinishLaunching(CallContent(options)))
    return await delegate.application(application, willFinishLaunchingWithOptions: options)
  }

  func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?
  ) async -> Bool {
    recorder.add(.didFinishLaunching(CallContent(options)))
    return await delegate.application(application, didFinishLaunchingWithOptions: options)
  }

  func application(_ application: Application, open context: OpenURLContext) async throws -> SceneResult {
    recorder.add(.open(CallContent([context])))
    return try await delegate.application(application, open: context)
  }

  func application(_ application: Application, willContinueUserActivityWithType type: String) async -> Bool {
    recorder.add(.willContinueUserActivity(type))
    return await delegate.application(application, willContinueUserActivityWithType: type)
  }

  func application(_ application: Application, continue activity: UserActivity) async throws -> Bool {
    recorder.add(.continueUserActivity(activity.activityType))
    return try await delegate.application(application, continue: activity)
  }

  func application(
    _ application: Application, didFailToContinueUserActivityWithType type: String, error: any Error
  ) async {
    recorder.add(.didFailToContinueUserActivity(type))
    await delegate.application(application, didFailToContinueUserActivityWithType: type, error: error)
  }

  func application(_ application: Application, performActionFor item: ShortcutItem) async throws -> Bool {
    recorder.add(.performAction(item.type))
    return try await delegate.application(application, performActionFor: item)
  }

  func application(
    _ application: Application, willPresent notification: UserNotification
  ) async throws -> NotificationPresentationOptions {
    recorder.add(.willPresent(.notification(notification.payload)))
    return try await delegate.application(application, willPresent: notification)
  }

  func application(_ application: Application, didReceive notification: UserNotification) async throws {
    recorder.add(.didReceiveLocalNotification(.notification(notification.payload)))
    try await delegate.application(application, didReceive: notification)
  }

  func application(
    _ application: Application, handleActionWithIdentifier identifier: String,
    for notification: UserNotification
  ) async throws {
    recorder.add(.handleAction(.notification(notification.payload, action: identifier)))
    try await delegate.application(application, handleActionWithIdentifier: identifier, for: notification)
  }

  func application(
    _ application: Application, userDidAcceptCloudKitShareWith metadata: PropertyList
  ) async throws {
    recorder.add(.userDidAcceptCloudKitShare(.cloudKitShare(metadata)))
    try await delegate.application(application, userDidAcceptCloudKitShareWith: metadata)
  }

  func applicationWillEnterForeground(_ application: Application) async {
    recorder.add(.applicationWillEnterForeground)
    await delegate.applicationWillEnterForeground(application)
  }

  func applicationDidBecomeActive(_ application: Application) async {
    recorder.add(.applicationDidBecomeActive)
    await delegate.applicationDidBecomeActive(application)
  }

  func applicationWillResignActive(_ application: Application) async {
    recorder.add(.applicationWillResignActive)
    await delegate.applicationWillResignActive(application)
  }

  func applicationDidEnterBackground(_ application: Application) async {
    recorder.add(.applicationDidEnterBackground)
    await delegate.applicationDidEnterBackground(application)
  }

  func application(
    _ application: Application,
    didRegisterForRemoteNotificationsWithDeviceToken deviceToken: RemoteNotificationToken
  ) async {
    recorder.add(.didRegisterForRemoteNotifications(deviceToken.endpoint))
    await delegate.application(application, didRegisterForRemoteNotificationsWithDeviceToken: deviceToken)
  }

  func application(
    _ application: Application, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) async {
    recorder.add(.didFailToRegisterForRemoteNotifications("\(error)"))
    await delegate.application(application, didFailToRegisterForRemoteNotificationsWithError: error)
  }

  func application(
    _ application: Application, didReceiveRemoteNotification notification: UserNotification
  ) async throws -> BackgroundFetchResult {
    recorder.add(.didReceiveRemoteNotification(.notification(notification.payload)))
    return try await delegate.application(application, didReceiveRemoteNotification: notification)
  }

  func application(_ application: Application, didFinish download: FinishedDownload) async throws {
    recorder.add(.didFinishDownload(download.identifier, download.outcome))
    try await delegate.application(application, didFinish: download)
  }

  func application(_ application: Application, didReceive request: SceneRequest) async throws -> SceneResult {
    recorder.add(.didReceiveRequest(.other(request.reason, request.payload)))
    return try await delegate.application(application, didReceive: request)
  }

  func applicationWillTerminate(_ application: Application) async {
    recorder.add(.applicationWillTerminate)
    await delegate.applicationWillTerminate(application)
  }

  func application(
    _ application: Application, configurationForConnecting session: SceneSession, options: ConnectionOptions
  ) async -> SceneConfiguration {
    recorder.add(.configurationForConnecting(recorder.number(session), CallContent(options)))
    let configuration = await delegate.application(
      application, configurationForConnecting: session, options: options)
    return SceneConfiguration(name: configuration.name) { [recorder] in
      RecordingSceneDelegate(delegate: await configuration.makeDelegate(), recorder: recorder)
    }
  }

  func application(_ application: Application, didDiscardSceneSessions sessions: [SceneSession]) async {
    recorder.add(.didDiscardSceneSessions(sessions.map(recorder.number)))
    await delegate.application(application, didDiscardSceneSessions: sessions)
  }
}
