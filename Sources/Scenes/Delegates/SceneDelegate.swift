public import BusInterfaces

/// What happens to one scene: UIKit's `UISceneDelegate`, under its names and in its order.
///
/// A cold scene gets its URLs in `scene(_:willConnectTo:options:)`, a live one in `scene(_:openURLContexts:)`; one that does
/// not implement the first gets them in the second, too. Each of these has a form that returns nothing, which says
/// `handled`, and one that returns a ``SceneResult`` for the caller. Implement one of the two. What is thrown, the caller is told.
///
/// ```swift
/// @MainActor final class NoteScene: SceneDelegate {
///   func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) {
///     for context in options.urlContexts { show(context.urlString) }
///   }
///   func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) -> SceneResult { … }
/// }
/// ```
/// The methods run isolated as the type that implements them says: the main actor, another global actor, or an actor.
/// `notHandled` of a live scene brings the request to the next one that can take it.
public protocol SceneDelegate: Sendable {
  /// The scene is connected: make its window, and show what `options` say.
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) async throws
  /// The same, with an answer for the caller.
  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
  ) async throws -> SceneResult

  /// URLs for a live scene, in the caller's order.
  func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws
  /// The same, with an answer for the caller.
  func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws -> SceneResult

  /// A person goes on here with what was begun elsewhere; what it is may come later.
  func scene(_ scene: Scene, willContinueUserActivityWithType type: String) async
  /// What to go on with.
  func scene(_ scene: Scene, continue activity: UserActivity) async throws
  /// The same, with an answer for the caller.
  func scene(_ scene: Scene, continue activity: UserActivity) async throws -> SceneResult
  /// What was to be gone on with did not come.
  func scene(_ scene: Scene, didFailToContinueUserActivityWithType type: String, error: any Error) async

  /// A quick action, or an action of the desktop entry, for a live scene: UIKit's `windowScene(_:performActionFor:)`.
  func scene(_ scene: Scene, performActionFor item: ShortcutItem) async throws -> Bool
  /// The same, with an answer for the caller.
  func scene(_ scene: Scene, performActionFor item: ShortcutItem) async throws -> SceneResult

  /// A person acted on a notification: UIKit's `userNotificationCenter(_:didReceive:)`.
  func scene(_ scene: Scene, didReceive response: NotificationResponse) async throws
  /// The same, with an answer for the caller.
  func scene(_ scene: Scene, didReceive response: NotificationResponse) async throws -> SceneResult

  /// A person accepted an invitation to share: UIKit's `windowScene(_:userDidAcceptCloudKitShareWith:)`.
  func scene(_ scene: Scene, userDidAcceptCloudKitShareWith metadata: PropertyList) async throws
    -> SceneResult

  /// The window is about to be seen.
  func sceneWillEnterForeground(_ scene: Scene) async
  /// The window gets a person's input.
  func sceneDidBecomeActive(_ scene: Scene) async
  /// The window no longer gets it.
  func sceneWillResignActive(_ scene: Scene) async
  /// The window is no longer seen.
  func sceneDidEnterBackground(_ scene: Scene) async
  /// The scene is gone; its session may be connected again.
  func sceneDidDisconnect(_ scene: Scene) async

  /// What the scene is showing, to be gone on with when its session is connected again; `nil` for its last URL.
  func stateRestorationActivity(for scene: Scene) async -> UserActivity?
}

/// Thrown by a method of a delegate that is not implemented.
struct NotImplemented: Error {}

extension SceneDelegate {
  /// Not implemented: what `options` bring goes the way of a live scene.
  public func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
  ) async throws {
    throw NotImplemented()
  }

  /// Calls the form without an answer.
  public func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
  ) async throws -> SceneResult {
    do {
      let _: Void = try await self.scene(scene, willConnectTo: session, options: options)
      return .handled
    } catch is NotImplemented {
      return try await deliver(options, to: scene)
    }
  }

  private func deliver(_ options: ConnectionOptions, to scene: Scene) async throws -> SceneResult {
    if !options.urlContexts.isEmpty {
      return try await self.scene(scene, openURLContexts: options.urlContexts)
    }
    if let activity = options.userActivities.first {
      return try await self.scene(scene, continue: activity)
    }
    if let item = options.shortcutItem { return try await self.scene(scene, performActionFor: item) }
    if let response = options.notificationResponse {
      return try await self.scene(scene, didReceive: response)
    }
    if let metadata = options.cloudKitShareMetadata {
      return try await self.scene(scene, userDidAcceptCloudKitShareWith: metadata)
    }
    return .handled
  }

  /// Not implemented.
  public func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws {
    throw NotImplemented()
  }

  /// Calls the form without an answer.
  public func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws -> SceneResult {
    try await SceneResult.ofVoid { try await self.scene(scene, openURLContexts: contexts) as Void }
  }

  /// Does nothing.
  public func scene(_ scene: Scene, willContinueUserActivityWithType type: String) async {}

  /// Not implemented.
  public func scene(_ scene: Scene, continue activity: UserActivity) async throws { throw NotImplemented() }

  /// Calls the form without an answer.
  public func scene(_ scene: Scene, continue activity: UserActivity) async throws -> SceneResult {
    try await SceneResult.ofVoid { try await self.scene(scene, continue: activity) as Void }
  }

  /// Does nothing.
  public func scene(
    _ scene: Scene, didFailToContinueUserActivityWithType type: String, error: any Error
  ) async {}

  /// Not implemented.
  public func scene(_ scene: Scene, performActionFor item: ShortcutItem) async throws -> Bool { false }

  /// Calls the form that says whether it did.
  public func scene(_ scene: Scene, performActionFor item: ShortcutItem) async throws -> SceneResult {
    try await self.scene(scene, performActionFor: item) ? .handled : .notHandled
  }

  /// Not implemented.
  public func scene(_ scene: Scene, didReceive response: NotificationResponse) async throws {
    throw NotImplemented()
  }

  /// Calls the form without an answer.
  public func scene(_ scene: Scene, didReceive response: NotificationResponse) async throws -> SceneResult {
    try await SceneResult.ofVoid { try await self.scene(scene, didReceive: response) as Void }
  }

  /// Not handled.
  public func scene(
    _ scene: Scene, userDidAcceptCloudKitShareWith metadata: PropertyList
  ) async throws -> SceneResult { .notHandled }

  /// Does nothing.
  public func sceneWillEnterForeground(_ scene: Scene) async {}
  /// Does nothing.
  public func sceneDidBecomeActive(_ scene: Scene) async {}
  /// Does nothing.
  public func sceneWillResignActive(_ scene: Scene) async {}
  /// Does nothing.
  public func sceneDidEnterBackground(_ scene: Scene) async {}
  /// Does nothing.
  public func sceneDidDisconnect(_ scene: Scene) async {}
  /// Nothing but the last URL.
  public func stateRestorationActivity(for scene: Scene) async -> UserActivity? { nil }
}

extension SceneResult {
  /// What a method that returns nothing has said: `handled`, or `notHandled` where it is not implemented.
  static func ofVoid(_ body: () async throws -> Void) async throws -> SceneResult {
    do {
      try await body()
      return .handled
    } catch is NotImplemented {
      return .notHandled
    }
  }
}
