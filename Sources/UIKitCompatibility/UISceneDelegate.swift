// SPDX-License-Identifier: Apache-2.0
public import Scenes

/// The delegate of a scene, with the signatures of UIKit.
///
/// Each method is optional. A scene that does not implement `scene(_:willConnectTo:options:)` receives the content of
/// its connection options in the methods of a connected scene.
@MainActor public protocol UISceneDelegate: SceneDelegate, AnyObject {
  /// Connects the scene.
  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) throws
  /// Opens URLs in a connected scene.
  func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) throws
  /// Announces an activity.
  func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String)
  /// Continues an activity, or opens a universal link.
  func scene(_ scene: UIScene, continue userActivity: NSUserActivity) throws
  /// Reports that an announced activity did not arrive.
  func scene(
    _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)
  /// Reports that the window becomes visible.
  func sceneWillEnterForeground(_ scene: UIScene)
  /// Reports that the window receives user input.
  func sceneDidBecomeActive(_ scene: UIScene)
  /// Reports that the window no longer receives user input.
  func sceneWillResignActive(_ scene: UIScene)
  /// Reports that the window is no longer visible.
  func sceneDidEnterBackground(_ scene: UIScene)
  /// Reports that the scene is disconnected.
  func sceneDidDisconnect(_ scene: UIScene)
  /// Returns the activity that restores the scene.
  func stateRestorationActivity(for scene: UIScene) -> NSUserActivity?
  /// Restores the state of a new scene's session.
  func scene(_ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity)

  /// Performs a quick action, and passes to the handler whether it did.
  func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void) throws
  /// Performs a quick action, and returns whether it did.
  func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem
  ) async throws -> Bool
}

/// The delegate of a scene with a window, which every scene here has.
@MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {}

// The defaults: a method that throws is not implemented.
extension UISceneDelegate {
  /// Makes the method count as not implemented.
  public func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) throws { throw NotImplemented() }

  /// Makes the method count as not implemented.
  public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) throws {
    throw NotImplemented()
  }

  /// Does nothing.
  public func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {}

  /// Makes the method count as not implemented.
  public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) throws { throw NotImplemented() }

  /// Does nothing.
  public func scene(
    _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
  ) {}

  /// Does nothing.
  public func sceneWillEnterForeground(_ scene: UIScene) {}
  /// Does nothing.
  public func sceneDidBecomeActive(_ scene: UIScene) {}
  /// Does nothing.
  public func sceneWillResignActive(_ scene: UIScene) {}
  /// Does nothing.
  public func sceneDidEnterBackground(_ scene: UIScene) {}
  /// Does nothing.
  public func sceneDidDisconnect(_ scene: UIScene) {}
  /// Returns `nil`.
  public func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? { nil }
  /// Does nothing.
  public func scene(_ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity) {}

  /// Makes the method count as not implemented.
  public func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) throws { throw NotImplemented() }

  /// Makes the method count as not implemented.
  public func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem
  ) async throws -> Bool { throw NotImplemented() }
}

// The requirements of `SceneDelegate`, which call those of UIKit.
extension UISceneDelegate {
  /// Calls UIKit's method.
  public func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
  ) async throws {
    let (app, object) = (UIApplication.of(scene.application), scene.object)
    object.delegate = self
    // The method is optional, and what follows it is not.
    defer {
      object.post(UIScene.willConnectNotification)
      if let activity = object.session.stateRestorationActivity {
        self.scene(object, restoreInteractionStateWith: activity)
      }
    }
    try self.scene(object, willConnectTo: app.session(session), options: UIScene.ConnectionOptions(options))
    // After the call, because the scene is activated in any case, and needs its window then.
    try options.checkURLs()
  }

  /// Calls UIKit's method with the URLs that Foundation can parse; the error for the others follows.
  public func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws {
    let readable = UIOpenURLContext.contexts(contexts)
    if !readable.isEmpty { try self.scene(scene.object, openURLContexts: readable) }
    guard readable.count == contexts.count else { throw SceneError.unparsableURL }
  }

  /// Calls UIKit's method.
  public func scene(_ scene: Scene, willContinueUserActivityWithType type: String) async {
    self.scene(scene.object, willContinueUserActivityWithType: type)
  }

  /// Calls UIKit's method.
  public func scene(_ scene: Scene, continue activity: UserActivity) async throws {
    guard activity.isParsable else { throw SceneError.unparsableURL }
    try self.scene(scene.object, continue: NSUserActivity(activity))
  }

  /// Calls UIKit's method.
  public func scene(
    _ scene: Scene, didFailToContinueUserActivityWithType type: String, error: any Error
  ) async {
    self.scene(scene.object, didFailToContinueUserActivityWithType: type, error: error)
  }

  /// Makes the method count as not implemented.
  public func scene(_ scene: Scene, performActionFor item: ShortcutItem) async throws -> Bool {
    guard let windowScene = scene.object as? UIWindowScene else { throw NotImplemented() }
    let item = UIApplicationShortcutItem(item)
    do {
      return try await Completion.waitOnMain(orReleased: false) { handler in
        try self.windowScene(windowScene, performActionFor: item, completionHandler: handler)
      }
    } catch is NotImplemented {
      return try await self.windowScene(windowScene, performActionFor: item)
    }
  }

  /// Calls UIKit's method.
  public func scene(_ scene: Scene, didReceive response: NotificationResponse) async throws {
    _ = scene.object
    try await UNUserNotificationCenter.current().receive(response)
  }

  /// Calls UIKit's method, and posts its notification.
  public func sceneWillEnterForeground(_ scene: Scene) async {
    sceneWillEnterForeground(scene.object)
    SceneChange.willEnterForeground.post(about: scene)
  }

  /// Calls UIKit's method, and posts its notification.
  public func sceneDidBecomeActive(_ scene: Scene) async {
    sceneDidBecomeActive(scene.object)
    SceneChange.didActivate.post(about: scene)
  }

  /// Calls UIKit's method, and posts its notification.
  public func sceneWillResignActive(_ scene: Scene) async {
    sceneWillResignActive(scene.object)
    SceneChange.willDeactivate.post(about: scene)
  }

  /// Calls UIKit's method, and posts its notification.
  public func sceneDidEnterBackground(_ scene: Scene) async {
    sceneDidEnterBackground(scene.object)
    SceneChange.didEnterBackground.post(about: scene)
  }

  /// Calls UIKit's method.
  public func sceneDidDisconnect(_ scene: Scene) async {
    sceneDidDisconnect(scene.object)
    scene.object.post(UIScene.didDisconnectNotification)
    UIApplication.of(scene.application).disconnected(scene)
  }

  /// Calls UIKit's method.
  public func stateRestorationActivity(for scene: Scene) async -> UserActivity? {
    stateRestorationActivity(for: scene.object)?.activity
  }
}

extension Scene {
  /// The object of UIKit's type, one for each scene.
  @MainActor var object: UIScene { UIApplication.of(application).scene(self) }
}
