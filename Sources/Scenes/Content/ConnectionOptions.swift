// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces

/// The reason why a scene is connected, corresponding to UIKit's `UIScene.ConnectionOptions`.
///
/// The activity that restores an earlier scene is not included; see ``SceneSession/stateRestorationActivity``.
public struct ConnectionOptions: Hashable, Sendable {
  /// The URLs to open, in the caller's order.
  public internal(set) var urlContexts: [OpenURLContext] = []
  /// The source application of the URLs; equal to that in each context.
  public internal(set) var sourceApplication: String?
  /// The activities to continue, except those from another device.
  public internal(set) var userActivities: [UserActivity] = []
  /// The type of an activity from another device, which arrives later in `scene(_:continue:)`.
  public internal(set) var handoffUserActivityType: String?
  /// The user's response to a notification.
  public internal(set) var notificationResponse: NotificationResponse?
  /// The shortcut item that the user chose.
  public internal(set) var shortcutItem: ShortcutItem?
  /// The metadata of the share invitation that the user accepted.
  public internal(set) var cloudKitShareMetadata: PropertyList?
  /// The token that allows the application to bring its window to the front once; UIKit has no equivalent.
  public internal(set) var activationToken: String?

  /// Creates options without a reason, as when the user starts the program directly.
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
