// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces

/// An action that the user chose: UIKit's `UIApplicationShortcutItem`, or an action of the desktop entry.
public struct ShortcutItem: Hashable, Sendable {
  /// The `type` of the action; for an action of the desktop entry, its name.
  public var type: String
  /// The displayed title (`title`).
  public var localizedTitle: String?
  /// The displayed subtitle (`subtitle`).
  public var localizedSubtitle: String?
  /// The data that the action needs (`user-info`).
  public var userInfo: [String: PropertyList]
  /// The identifier of the content (`target-content-identifier`).
  public var targetContentIdentifier: String?
  /// The parameter of the desktop action, if it has one.
  public var parameter: PropertyList?
  /// The URLs on which the action is performed, as a route can specify.
  public var urlStrings: [String]

  /// Creates a shortcut item of a type.
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

  /// Creates the item of a request; `nil` if the request has none.
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
