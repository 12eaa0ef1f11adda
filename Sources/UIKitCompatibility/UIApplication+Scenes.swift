// SPDX-License-Identifier: Apache-2.0
import Scenes

/// Requests for scenes.
extension UIApplication {
  /// Connects and activates the scene of a session, or a new one.
  ///
  /// - Parameter errorHandler: receives, on the main actor, `SceneError.noSuchScene` if the session does not exist, or another error if
  ///   the application has no scenes.
  public func activateSceneSession(
    for request: UISceneSessionActivationRequest,
    errorHandler: (@MainActor @Sendable (any Error) -> Void)? = nil
  ) {
    requestSceneSessionActivation(
      request.session, userActivity: request.userActivity, options: request.options,
      errorHandler: errorHandler)
  }

  /// Connects and activates the scene of a session, or a new one.
  ///
  /// - Parameter errorHandler: As for `activateSceneSession(for:errorHandler:)`.
  public func requestSceneSessionActivation(
    _ sceneSession: UISceneSession?, userActivity: NSUserActivity?,
    options: UIScene.ActivationRequestOptions?,
    errorHandler: (@MainActor @Sendable (any Error) -> Void)? = nil
  ) {
    backing?.requestSceneSessionActivation(
      sceneSession?.backing, userActivity: userActivity?.activity, errorHandler: Self.onMain(errorHandler))
  }

  /// Destroys a session whose window the user closed permanently.
  ///
  /// - Parameter errorHandler: As for `activateSceneSession(for:errorHandler:)`.
  public func requestSceneSessionDestruction(
    _ sceneSession: UISceneSession, options: UISceneDestructionRequestOptions?,
    errorHandler: (@MainActor @Sendable (any Error) -> Void)? = nil
  ) {
    guard let session = sceneSession.backing else { return }
    backing?.requestSceneSessionDestruction(session, errorHandler: Self.onMain(errorHandler))
  }

  /// Stores a session whose state changed.
  public func requestSceneSessionRefresh(_ sceneSession: UISceneSession) {
    guard let session = sceneSession.backing else { return }
    backing?.requestSceneSessionRefresh(session)
  }

  private static func onMain(
    _ handler: (@MainActor @Sendable (any Error) -> Void)?
  ) -> (@Sendable (any Error) -> Void)? {
    guard let handler else { return nil }
    return { error in
      Task { await handler(error) }
    }
  }
}
