// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
public import Scenes

/// A connected scene.
@MainActor open class UIScene: UIResponder {
  /// The backing scene; `nil` in an object that an application created.
  var backing: Scene?
  /// The scene of `Scenes`, whose window the toolkit displays; `nil` in an object that an application created.
  ///
  /// The code for the toolkit reports the state of the window with `setActivationState(_:of:)` of the scene's application, and its closing
  /// with `requestSceneDisconnection(_:)`.
  public var scene: Scene? { backing }
  private var connectedSession: UISceneSession?

  /// Creates a scene that is not connected.
  public required init() {}

  /// The session of the scene.
  public var session: UISceneSession { connectedSession ?? UISceneSession(nil) }

  /// The delegate of the scene.
  open weak var delegate: (any UISceneDelegate)?

  /// The activation state.
  public var activationState: ActivationState {
    switch backing?.activationState {
    case .foregroundActive: .foregroundActive
    case .foregroundInactive: .foregroundInactive
    case .background: .background
    case .unattached, nil: .unattached
    }
  }

  /// The displayed title.
  open var title: String? {
    get { backing?.title ?? "" }
    set { backing?.title = newValue ?? "" }
  }

  /// The conditions for the content of the scene.
  open var activationConditions: UISceneActivationConditions {
    get {
      let conditions = UISceneActivationConditions(
        backing?.activationConditions ?? SceneActivationConditions())
      conditions.scene = backing
      return conditions
    }
    set { backing?.activationConditions = newValue.conditions }
  }

  /// Opens a URL; the completion handler receives `true` if it was delivered.
  open func open(
    _ url: URL, options: OpenExternalURLOptions?,
    completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
  ) {
    var values: [UIApplication.OpenExternalURLOptionsKey: Any] = [:]
    if let options { values[.universalLinksOnly] = options.universalLinksOnly }
    UIApplication.shared.open(url, options: values, completionHandler: completion)
  }

  func connect(_ scene: Scene, _ session: UISceneSession) {
    backing = scene
    connectedSession = session
  }

  /// The activation state of a scene.
  public enum ActivationState: Int, Sendable {
    /// Not connected.
    case unattached = -1
    /// Visible, with user input.
    case foregroundActive
    /// Visible, without user input.
    case foregroundInactive
    /// Not visible.
    case background
  }

  /// The reason why a scene is connected.
  @MainActor public final class ConnectionOptions {
    /// The URLs to open.
    public let urlContexts: Set<UIOpenURLContext>
    /// The source application of the URLs.
    public let sourceApplication: String?
    /// The activities to continue.
    public let userActivities: Set<NSUserActivity>
    /// The type of an activity that arrives later.
    public let handoffUserActivityType: String?
    /// The user's response to a notification.
    public let notificationResponse: UNNotificationResponse?
    /// The quick action that the user chose.
    public let shortcutItem: UIApplicationShortcutItem?

    /// Creates options without the URLs that Foundation cannot parse.
    init(_ options: Scenes.ConnectionOptions) {
      urlContexts = UIOpenURLContext.contexts(options.urlContexts)
      sourceApplication = options.sourceApplication
      userActivities = Set(options.userActivities.filter(\.isParsable).map { NSUserActivity($0) })
      handoffUserActivityType = options.handoffUserActivityType
      notificationResponse = options.notificationResponse.map(UNNotificationResponse.of)
      shortcutItem = options.shortcutItem.map { UIApplicationShortcutItem($0) }
    }
  }

  /// The options of a URL to open.
  public struct OpenURLOptions {
    /// The source application, as far as the policy permits.
    public let sourceApplication: String?
    /// The caller's annotation.
    public let annotation: Any?
    /// A Boolean value that is `true` if the document may be changed in place.
    public let openInPlace: Bool
    /// The event attribution of a measured link, a dictionary.
    public let eventAttribution: Any?

    init(_ options: Scenes.OpenURLOptions) {
      sourceApplication = options.sourceApplication
      annotation = options.annotation?.foundation
      openInPlace = options.openInPlace
      eventAttribution = options.eventAttribution?.foundation
    }
  }

  /// The options for opening a URL.
  public final class OpenExternalURLOptions {
    /// Opens the URL only in an application to which a route or a desktop entry assigns it; the browser opens it only if a route names it.
    public var universalLinksOnly = false
    /// Creates the default options.
    public init() {}
  }

  /// The options of a request for a scene.
  public final class ActivationRequestOptions {
    /// The scene that requests another one.
    public weak var requestingScene: UIScene?
    /// Creates the default options.
    public init() {}
  }
}

/// The conditions for the content that a scene accepts.
///
/// UIKit has predicates of Foundation here, which Foundation cannot parse on Linux; the identifiers of the content are listed.
@MainActor public final class UISceneActivationConditions {
  private(set) var conditions: SceneActivationConditions {
    didSet { scene?.activationConditions = conditions }
  }
  /// The scene whose conditions these are.
  var scene: Scene?

  init(_ conditions: SceneActivationConditions) { self.conditions = conditions }

  /// Creates conditions that accept any content and prefer none.
  public convenience init() { self.init(SceneActivationConditions()) }

  /// Prefers content with one of these identifiers, and accepts other content that no scene prefers.
  public func prefer(_ identifiers: [String]) {
    conditions.prefersToActivateForTargetContentIdentifier = .or(identifiers.map { .equals($0) })
  }

  /// Accepts only content with one of these identifiers.
  public func acceptOnly(_ identifiers: [String]) {
    conditions.canActivateForTargetContentIdentifier = .or(identifiers.map { .equals($0) })
  }
}
