// SPDX-License-Identifier: Apache-2.0
/// A call that an application received; tests compare the recorded calls in order.
///
/// ```swift
/// #expect(app.calls == [
///   .willFinishLaunching(nil), .didFinishLaunching(nil),
///   .configurationForConnecting(1, "notes://note/7"), .sceneWillConnect(1, "notes://note/7"),
///   .sceneWillEnterForeground(1), .sceneDidBecomeActive(1),
/// ])
/// ```
/// The calls are those that Usher makes: a scene that implements only `scene(_:openURLContexts:)` receives the URLs of
/// its launch through ``sceneWillConnect(_:_:)``, and that call is recorded. Scenes are numbered from 1, in the order of
/// the first appearance of their sessions.
public enum RecordedCall: Hashable, Sendable {
  /// The closure of an application without a delegate.
  case handler(CallContent?)

  /// `application(_:willFinishLaunchingWithOptions:)`.
  case willFinishLaunching(CallContent?)
  /// `application(_:didFinishLaunchingWithOptions:)`.
  case didFinishLaunching(CallContent?)
  /// `application(_:open:options:)`, or `application(_:open:)` with an `OpenURLContext`.
  case open(CallContent)
  /// `application(_:willContinueUserActivityWithType:)`.
  case willContinueUserActivity(String)
  /// `application(_:continue:)`, with the type of the activity.
  case continueUserActivity(String)
  /// `application(_:didFailToContinueUserActivityWithType:error:)`.
  case didFailToContinueUserActivity(String)
  /// `application(_:performActionFor:)`, with the type of the item.
  case performAction(String)
  /// `application(_:willPresent:)`.
  case willPresent(CallContent)
  /// `application(_:didReceive:)` with a local notification.
  case didReceiveLocalNotification(CallContent)
  /// `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`, with the endpoint of the token.
  case didRegisterForRemoteNotifications(String)
  /// `application(_:didFailToRegisterForRemoteNotificationsWithError:)`, with the message.
  case didFailToRegisterForRemoteNotifications(String)
  /// `application(_:didReceiveRemoteNotification:)`.
  case didReceiveRemoteNotification(CallContent)
  /// `application(_:handleActionWithIdentifier:for:)`.
  case handleAction(CallContent)
  /// `application(_:userDidAcceptCloudKitShareWith:)`.
  case userDidAcceptCloudKitShare(CallContent)
  /// `application(_:didFinish:)`, with the identifier and the outcome of the download.
  case didFinishDownload(String, FinishedDownload.Outcome)
  /// `application(_:didReceive:)` with a request that has another launch reason.
  case didReceiveRequest(CallContent)
  /// `applicationWillEnterForeground(_:)`.
  case applicationWillEnterForeground
  /// `applicationDidBecomeActive(_:)`.
  case applicationDidBecomeActive
  /// `applicationWillResignActive(_:)`.
  case applicationWillResignActive
  /// `applicationDidEnterBackground(_:)`.
  case applicationDidEnterBackground
  /// `applicationWillTerminate(_:)`.
  case applicationWillTerminate
  /// `application(_:configurationForConnecting:options:)`.
  case configurationForConnecting(Int, CallContent?)
  /// `application(_:didDiscardSceneSessions:)`.
  case didDiscardSceneSessions([Int])

  /// `scene(_:willConnectTo:options:)`.
  case sceneWillConnect(Int, CallContent?)
  /// `scene(_:openURLContexts:)`.
  case sceneOpenURLContexts(Int, CallContent)
  /// `scene(_:willContinueUserActivityWithType:)`.
  case sceneWillContinueUserActivity(Int, String)
  /// `scene(_:continue:)`, with the type of the activity.
  case sceneContinueUserActivity(Int, String)
  /// `scene(_:didFailToContinueUserActivityWithType:error:)`.
  case sceneDidFailToContinueUserActivity(Int, String)
  /// `scene(_:performActionFor:)`, with the type of the item.
  case scenePerformAction(Int, String)
  /// `scene(_:didReceive:)`.
  case sceneDidReceiveNotificationResponse(Int, CallContent)
  /// `scene(_:userDidAcceptCloudKitShareWith:)`.
  case sceneUserDidAcceptCloudKitShare(Int, CallContent)
  /// `sceneWillEnterForeground(_:)`.
  case sceneWillEnterForeground(Int)
  /// `sceneDidBecomeActive(_:)`.
  case sceneDidBecomeActive(Int)
  /// `sceneWillResignActive(_:)`.
  case sceneWillResignActive(Int)
  /// `sceneDidEnterBackground(_:)`.
  case sceneDidEnterBackground(Int)
  /// `sceneDidDisconnect(_:)`.
  case sceneDidDisconnect(Int)

  /// The content of the call; `nil` if the call has none or only a type.
  public var content: CallContent? {
    switch self {
    case .handler(let content), .willFinishLaunching(let content), .didFinishLaunching(let content),
      .configurationForConnecting(_, let content), .sceneWillConnect(_, let content):
      content
    case .open(let content), .willPresent(let content), .didReceiveLocalNotification(let content),
      .didReceiveRemoteNotification(let content), .handleAction(let content),
      .userDidAcceptCloudKitShare(let content), .didReceiveRequest(let content),
      .sceneOpenURLContexts(_, let content), .sceneDidReceiveNotificationResponse(_, let content),
      .sceneUserDidAcceptCloudKitShare(_, let content):
      content
    default: nil
    }
  }
}
