public import BusInterfaces

/// A quick action that a person chose: UIKit's `UIApplicationShortcutItem`, and an action of the desktop entry.
public struct ShortcutItem: Hashable, Sendable {
  /// `type`: which action; of the desktop entry's, its name.
  public var type: String
  /// `title`: what a person sees.
  public var localizedTitle: String?
  /// `subtitle`.
  public var localizedSubtitle: String?
  /// `user-info`: what the action needs.
  public var userInfo: [String: PropertyList]
  /// `target-content-identifier`: the content it is about.
  public var targetContentIdentifier: String?
  /// What the desktop's action was called with, where it was.
  public var parameter: PropertyList?
  /// The URLs that the action is to be performed on: a route may say so.
  public var urlStrings: [String]

  /// An action of a type.
  public init(
    type: String, localizedTitle: String? = nil, localizedSubtitle: String? = nil,
    userInfo: [String: PropertyList] = [:], targetContentIdentifier: String? = nil,
    parameter: PropertyList? = nil, urlStrings: [String] = []
  ) {
    self.type = type
    self.localizedTitle = localizedTitle
    self.localizedSubtitle = localizedSubtitle
    self.userInfo = userInfo
    self.targetContentIdentifier = targetContentIdentifier
    self.parameter = parameter
    self.urlStrings = urlStrings
  }

  /// The item of a request, `nil` where it names none.
  init?(_ request: SceneRequest) {
    if let action = request.desktopAction {
      self.init(type: action, parameter: request.payload, urlStrings: request.urlStrings)
    } else {
      guard request.reason == .shortcutItem, let type = request.payload?["type"]?.string else { return nil }
      self.init(
        type: type, localizedTitle: request.payload?["title"]?.string,
        localizedSubtitle: request.payload?["subtitle"]?.string,
        userInfo: request.payload?["user-info"]?.dictionary ?? [:], urlStrings: request.urlStrings)
    }
    targetContentIdentifier = request.targetContentID
  }
}
