public import BusInterfaces

/// Why a scene is connected: UIKit's `UIScene.ConnectionOptions`.
///
/// The activity of the scene's earlier life is not here, it is ``SceneSession/stateRestorationActivity``.
public struct ConnectionOptions: Hashable, Sendable {
  /// The URLs to open, in the caller's order.
  public internal(set) var urlContexts: [OpenURLContext] = []
  /// Who asked for them; the same as in each context.
  public internal(set) var sourceApplication: String?
  /// What to go on with, but for what comes from another device.
  public internal(set) var userActivities: [UserActivity] = []
  /// The type of what comes from another device, and follows by `scene(_:continue:)`.
  public internal(set) var handoffUserActivityType: String?
  /// What a person did with a notification.
  public internal(set) var notificationResponse: NotificationResponse?
  /// The quick action that a person chose.
  public internal(set) var shortcutItem: ShortcutItem?
  /// The invitation that a person accepted.
  public internal(set) var cloudKitShareMetadata: PropertyList?
  /// Allows the application to come to the front, once; UIKit has no need of it.
  public internal(set) var activationToken: String?

  /// No reason: a person started the program.
  public init() {}

  init(_ content: RequestContent, _ request: SceneRequest) {
    activationToken = request.activationToken
    switch content {
    case .urls(let contexts):
      urlContexts = contexts
      sourceApplication = contexts.first?.options.sourceApplication
    case .userActivity(let activity): userActivities = [activity]
    case .handoff(let type), .handoffFailed(let type, _): handoffUserActivityType = type
    case .notificationResponse(let response): notificationResponse = response
    case .shortcutItem(let item): shortcutItem = item
    case .cloudKitShare(let metadata): cloudKitShareMetadata = metadata
    case .activate, .notification, .other: break
    }
  }
}
