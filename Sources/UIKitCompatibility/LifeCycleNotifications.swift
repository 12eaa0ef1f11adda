// SPDX-License-Identifier: Apache-2.0
import Scenes

/// The notifications of an application, which are posted with and without scenes.
extension UIApplication {
  /// Posted after `application(_:didFinishLaunchingWithOptions:)` with the launch options as `userInfo`.
  nonisolated public static let didFinishLaunchingNotification = Notification.Name(
    "UIApplicationDidFinishLaunchingNotification")
  /// Posted when the first scene becomes active, and after `applicationDidBecomeActive(_:)`.
  nonisolated public static let didBecomeActiveNotification = Notification.Name(
    "UIApplicationDidBecomeActiveNotification")
  /// Posted when the last active scene resigns, and after `applicationWillResignActive(_:)`.
  nonisolated public static let willResignActiveNotification = Notification.Name(
    "UIApplicationWillResignActiveNotification")
  /// Posted when the last visible scene is hidden, and after `applicationDidEnterBackground(_:)`.
  nonisolated public static let didEnterBackgroundNotification = Notification.Name(
    "UIApplicationDidEnterBackgroundNotification")
  /// Posted when the first scene becomes visible, and after `applicationWillEnterForeground(_:)`.
  nonisolated public static let willEnterForegroundNotification = Notification.Name(
    "UIApplicationWillEnterForegroundNotification")
  /// Posted after `applicationWillTerminate(_:)`.
  nonisolated public static let willTerminateNotification = Notification.Name(
    "UIApplicationWillTerminateNotification")

  func post(_ name: Notification.Name, userInfo: [AnyHashable: Any]? = nil) {
    NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
  }
}

/// The notifications of a scene, whose object is the ``UIScene``.
extension UIScene {
  /// Posted after `scene(_:willConnectTo:options:)`.
  nonisolated public static let willConnectNotification = Notification.Name("UISceneWillConnectNotification")
  /// Posted after `sceneDidDisconnect(_:)`.
  nonisolated public static let didDisconnectNotification = Notification.Name(
    "UISceneDidDisconnectNotification")
  /// Posted after `sceneDidBecomeActive(_:)`.
  nonisolated public static let didActivateNotification = Notification.Name("UISceneDidActivateNotification")
  /// Posted after `sceneWillResignActive(_:)`.
  nonisolated public static let willDeactivateNotification = Notification.Name(
    "UISceneWillDeactivateNotification")
  /// Posted after `sceneWillEnterForeground(_:)`.
  nonisolated public static let willEnterForegroundNotification = Notification.Name(
    "UISceneWillEnterForegroundNotification")
  /// Posted after `sceneDidEnterBackground(_:)`.
  nonisolated public static let didEnterBackgroundNotification = Notification.Name(
    "UISceneDidEnterBackgroundNotification")

  func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }
}

/// A change of a scene's state, and the change of the application that it is if no other scene prevents it.
@MainActor struct SceneChange {
  private let ofScene: Notification.Name
  private let ofApplication: Notification.Name
  /// The states of another scene in which the application does not change.
  private let preventing: Set<ActivationState>

  private init(
    _ ofScene: Notification.Name, _ ofApplication: Notification.Name, unless preventing: Set<ActivationState>
  ) {
    (self.ofScene, self.ofApplication, self.preventing) = (ofScene, ofApplication, preventing)
  }

  private static let visible: Set<ActivationState> = [.foregroundActive, .foregroundInactive]

  /// The window becomes visible.
  static let willEnterForeground = SceneChange(
    UIScene.willEnterForegroundNotification, UIApplication.willEnterForegroundNotification, unless: visible)
  /// The window receives user input.
  static let didActivate = SceneChange(
    UIScene.didActivateNotification, UIApplication.didBecomeActiveNotification, unless: [.foregroundActive])
  /// The window no longer receives user input.
  static let willDeactivate = SceneChange(
    UIScene.willDeactivateNotification, UIApplication.willResignActiveNotification,
    unless: [.foregroundActive])
  /// The window is no longer visible.
  static let didEnterBackground = SceneChange(
    UIScene.didEnterBackgroundNotification, UIApplication.didEnterBackgroundNotification, unless: visible)

  /// Posts the notifications about a scene.
  func post(about scene: Scene) {
    scene.object.post(ofScene)
    let others = scene.application.connectedScenes.filter { $0 !== scene }
    guard !others.contains(where: { preventing.contains($0.nextActivationState) }) else { return }
    UIApplication.of(scene.application).post(ofApplication)
  }
}
