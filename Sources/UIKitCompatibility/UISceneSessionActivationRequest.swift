// SPDX-License-Identifier: Apache-2.0
import Scenes

/// A request for a scene: that of a session, or a new one.
@MainActor public struct UISceneSessionActivationRequest {
  /// The session whose scene is connected; `nil` for a new session.
  public let session: UISceneSession?
  /// The role of a new session.
  public let role: UISceneSession.Role
  /// The activity for the scene.
  public var userActivity: NSUserActivity?
  /// The options of the request.
  public var options: UIScene.ActivationRequestOptions?

  /// Creates a request for a new session.
  public init(
    role: UISceneSession.Role = .windowApplication, userActivity: NSUserActivity? = nil,
    options: UIScene.ActivationRequestOptions? = nil
  ) {
    session = nil
    self.role = role
    self.userActivity = userActivity
    self.options = options
  }

  /// Creates a request for the scene of a session.
  public init(
    session: UISceneSession, userActivity: NSUserActivity? = nil,
    options: UIScene.ActivationRequestOptions? = nil
  ) {
    self.session = session
    role = session.role
    self.userActivity = userActivity
    self.options = options
  }
}

/// The options of a request to destroy a session.
@MainActor open class UISceneDestructionRequestOptions {
  /// Creates the default options.
  public init() {}
}

/// The options of a request to destroy a session with a window.
@MainActor open class UIWindowSceneDestructionRequestOptions: UISceneDestructionRequestOptions {
  /// The animation with which the window is closed, which the desktop chooses.
  open var windowDismissalAnimation = UIWindowScene.DismissalAnimation.standard
}

extension UIWindowScene {
  /// The animation with which a window is closed.
  public enum DismissalAnimation: Int, Sendable {
    /// The default.
    case standard = 1
    /// The user's input is saved.
    case commit
    /// The user's input is discarded.
    case decline
  }
}
