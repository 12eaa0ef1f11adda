// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces

/// The delegate of one scene: UIKit's `UISceneDelegate`, with its names and its order of calls.
///
/// A new scene receives its URLs in `scene(_:willConnectTo:options:)`, a connected scene in
/// `scene(_:openURLContexts:)`. If a scene does not implement the former, it receives them in the latter, too. Each
/// of these methods has one form without a result, which means `handled`, and one that returns a ``SceneResult`` for
/// the caller. Implement one of the two. The caller receives the errors that they throw.
///
/// ```swift
/// @MainActor final class NoteScene: SceneDelegate {
///   func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) {
///     for context in options.urlContexts { show(context.urlString) }
///   }
///   func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) -> SceneResult { … }
/// }
/// ```
/// The methods run with the isolation of the implementing type: the main actor, another global actor, or an actor. If
/// a connected scene returns `notHandled`, the next candidate scene receives the request.
public protocol SceneDelegate: Sendable {
  /// Connects the scene: creates its window, and shows the content of `options`.
  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) async throws
  /// Connects the scene, and returns a result for the caller.
  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
  ) async throws -> SceneResult

  /// Opens URLs in a connected scene, in the caller's order.
  func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws
  /// Opens URLs in a connected scene, with UIKit's signature, which has no order.
  func scene(_ scene: Scene, openURLContexts contexts: Set<OpenURLContext>) async throws
  /// Opens URLs in a connected scene, and returns a result for the caller.
  func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws -> SceneResult

  /// Announces an activity that the user continues from another device; the activity itself may arrive later.
  func scene(_ scene: Scene, willContinueUserActivityWithType type: String) async
  /// Continues an activity.
  func scene(_ scene: Scene, continue activity: UserActivity) async throws
  /// Continues an activity, and returns a result for the caller.
  func scene(_ scene: Scene, continue activity: UserActivity) async throws -> SceneResult
  /// Reports that an announced activity did not arrive.
  func scene(_ scene: Scene, didFailToContinueUserActivityWithType type: String, error: any Error) async

  /// Performs a shortcut item or desktop action in a connected scene, like UIKit's `windowScene(_:performActionFor:)`.
  func scene(_ scene: Scene, performActionFor item: ShortcutItem) async throws -> Bool
  /// Performs a shortcut item or desktop action, and returns a result for the caller.
  func scene(_ scene: Scene, performActionFor item: ShortcutItem) async throws -> SceneResult

  /// Performs a shortcut item with UIKit's signature.
  ///
  /// The first call of the handler counts, on any thread. If the handler is released without a call, the item was not
  /// performed.
  func windowScene(
    _ scene: Scene, performActionFor item: ShortcutItem,
    completionHandler: @escaping @Sendable (Bool) -> Void) async throws
  /// Performs a shortcut item with the asynchronous form of UIKit's signature.
  func windowScene(_ scene: Scene, performActionFor item: ShortcutItem) async throws -> Bool

  /// Receives the user's response to a notification, like UIKit's `userNotificationCenter(_:didReceive:)`.
  ///
  /// It is called for a scene that is connected for the response, too, after `scene(_:willConnectTo:options:)`.
  func scene(_ scene: Scene, didReceive response: NotificationResponse) async throws
  /// Receives the user's response to a notification, and returns a result for the caller.
  func scene(_ scene: Scene, didReceive response: NotificationResponse) async throws -> SceneResult

  /// Accepts a share invitation, with UIKit's signature.
  func windowScene(_ scene: Scene, userDidAcceptCloudKitShareWith metadata: PropertyList) async throws
  /// Accepts a share invitation, and returns a result for the caller.
  func scene(_ scene: Scene, userDidAcceptCloudKitShareWith metadata: PropertyList) async throws
    -> SceneResult

  /// Reports that the window becomes visible.
  func sceneWillEnterForeground(_ scene: Scene) async
  /// Reports that the window receives user input.
  func sceneDidBecomeActive(_ scene: Scene) async
  /// Reports that the window no longer receives user input.
  func sceneWillResignActive(_ scene: Scene) async
  /// Reports that the window is no longer visible.
  func sceneDidEnterBackground(_ scene: Scene) async
  /// Reports that the scene is disconnected; its session may be connected again.
  func sceneDidDisconnect(_ scene: Scene) async

  /// Returns the activity that restores the scene when its session is connected again; `nil` to restore its last URL.
  ///
  /// After it has returned an activity, `nil` means that there is nothing to restore.
  func stateRestorationActivity(for scene: Scene) async -> UserActivity?
}

/// The error of a delegate method that is not implemented; the caller of the request receives `notHandled`.
package struct NotImplemented: Error {
  package init() {}
}

extension SceneDelegate {
  /// Throws ``NotImplemented``, so that the content of `options` is delivered as to a connected scene.
  public func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
  ) async throws {
    throw NotImplemented()
  }

  /// Calls the form without a result.
  public func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
  ) async throws -> SceneResult {
    do {
      let _: Void = try await self.scene(scene, willConnectTo: session, options: options)
      return .handled
    } catch is NotImplemented {
      scene.hasDeliveredOptions = true
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

  /// Calls the form with a set.
  public func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws {
    try await self.scene(scene, openURLContexts: Set(contexts))
  }

  /// Throws ``NotImplemented``.
  public func scene(_ scene: Scene, openURLContexts contexts: Set<OpenURLContext>) async throws {
    throw NotImplemented()
  }

  /// Calls the form without a result.
  public func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws -> SceneResult {
    let _: Void = try await self.scene(scene, openURLContexts: contexts)
    return .handled
  }

  /// Does nothing.
  public func scene(_ scene: Scene, willContinueUserActivityWithType type: String) async {}

  /// Throws ``NotImplemented``.
  public func scene(_ scene: Scene, continue activity: UserActivity) async throws { throw NotImplemented() }

  /// Calls the form without a result.
  public func scene(_ scene: Scene, continue activity: UserActivity) async throws -> SceneResult {
    let _: Void = try await self.scene(scene, continue: activity)
    return .handled
  }

  /// Does nothing.
  public func scene(
    _ scene: Scene, didFailToContinueUserActivityWithType type: String, error: any Error
  ) async {}

  /// Calls `windowScene(_:performActionFor:)`.
  public func scene(_ scene: Scene, performActionFor item: ShortcutItem) async throws -> Bool {
    try await windowScene(scene, performActionFor: item)
  }

  /// Calls the form with a completion handler, and returns the value that it receives.
  public func windowScene(_ scene: Scene, performActionFor item: ShortcutItem) async throws -> Bool {
    try await Completion.wait(orReleased: false) { handler in
      try await windowScene(scene, performActionFor: item, completionHandler: handler)
    }
  }

  /// Throws ``NotImplemented``.
  public func windowScene(
    _ scene: Scene, performActionFor item: ShortcutItem,
    completionHandler: @escaping @Sendable (Bool) -> Void
  ) async throws { throw NotImplemented() }

  /// Calls the form that returns a Boolean value.
  public func scene(_ scene: Scene, performActionFor item: ShortcutItem) async throws -> SceneResult {
    try await self.scene(scene, performActionFor: item) ? .handled : .notHandled
  }

  /// Throws ``NotImplemented``.
  public func scene(_ scene: Scene, didReceive response: NotificationResponse) async throws {
    throw NotImplemented()
  }

  /// Calls the form without a result.
  public func scene(_ scene: Scene, didReceive response: NotificationResponse) async throws -> SceneResult {
    let _: Void = try await self.scene(scene, didReceive: response)
    return .handled
  }

  /// Calls `windowScene(_:userDidAcceptCloudKitShareWith:)`.
  public func scene(
    _ scene: Scene, userDidAcceptCloudKitShareWith metadata: PropertyList
  ) async throws -> SceneResult {
    try await windowScene(scene, userDidAcceptCloudKitShareWith: metadata)
    return .handled
  }

  /// Throws ``NotImplemented``.
  public func windowScene(
    _ scene: Scene, userDidAcceptCloudKitShareWith metadata: PropertyList
  ) async throws { throw NotImplemented() }

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
  /// Returns `nil`, so that the last URL is restored.
  public func stateRestorationActivity(for scene: Scene) async -> UserActivity? { nil }
}
