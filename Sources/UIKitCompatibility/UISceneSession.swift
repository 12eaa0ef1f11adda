// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Scenes

/// The persistent identity of a scene.
@MainActor public final class UISceneSession: UIObject {
  let backing: SceneSession?

  init(_ session: SceneSession?) { backing = session }

  /// The identifier, which is constant for the life of the session.
  public var persistentIdentifier: String { backing?.persistentIdentifier ?? "" }
  /// The role: every scene is a window.
  public var role: Role { .windowApplication }
  /// The connected scene.
  public var scene: UIScene? { backing.flatMap(UIApplication.shared.scene) }
  /// The configuration with which the session was last connected.
  public var configuration: UISceneConfiguration {
    UISceneConfiguration(name: backing?.configurationName, sessionRole: role)
  }
  /// The activity that restores the scene, which its delegate returned.
  public var stateRestorationActivity: NSUserActivity? {
    backing?.delegateRestorationActivity.map { NSUserActivity($0) }
  }
  /// The data that is stored with the session, of types that a property list has.
  public var userInfo: [String: Any]? {
    get { backing?.userInfo.mapValues(\.foundation) }
    set { backing?.userInfo = (newValue ?? [:]).compactMapValues { PropertyList(foundation: $0) } }
  }

  /// The role of a session.
  public struct Role: RawRepresentable, Hashable, Sendable {
    /// The name of the role.
    public let rawValue: String
    /// Creates a role from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A window of the application.
    public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
  }
}

/// The configuration of a scene.
@MainActor public final class UISceneConfiguration {
  /// The name, which is stored with the session.
  public let name: String?
  /// The role.
  public let role: UISceneSession.Role
  /// The class of the scene's delegate, a subclass of ``UIResponder``; by default that of the application.
  public var delegateClass: AnyClass?
  /// The class of the scene, which is always a window scene.
  public var sceneClass: AnyClass?

  /// Creates a configuration.
  public init(name: String?, sessionRole: UISceneSession.Role) {
    self.name = name
    role = sessionRole
  }
}
