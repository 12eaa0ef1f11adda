// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces

/// An activity of the user that can be continued: the transferable part of Foundation's `NSUserActivity`.
public struct UserActivity: Hashable, Sendable {
  /// The type of an activity that views a web page: `NSUserActivityTypeBrowsingWeb`.
  public static let browsingWeb = "NSUserActivityTypeBrowsingWeb"

  /// The type of the activity (`type`), such as `org.example.Notes.editing`.
  public var activityType: String
  /// The displayed title (`title`).
  public var title: String?
  /// The URL of the equivalent web page (`webpage-url`).
  public var webpageURL: String?
  /// The data that the application needs to continue (`user-info`).
  public var userInfo: [String: PropertyList]
  /// The identifier of the content (`target-content-identifier`).
  public var targetContentIdentifier: String?

  /// Creates an activity of a type.
  public init(
    activityType: String, title: String? = nil, webpageURL: String? = nil,
    userInfo: [String: PropertyList] = [:], targetContentIdentifier: String? = nil
  ) {
    self.activityType = activityType
    self.title = title
    self.webpageURL = webpageURL
    self.userInfo = userInfo
    self.targetContentIdentifier = targetContentIdentifier
  }

  /// Creates an activity from its ``payload``; `nil` if that has no type.
  public init?(_ payload: PropertyList) {
    guard let type = payload["type"]?.string else { return nil }
    self.init(
      activityType: type, title: payload["title"]?.string, webpageURL: payload["webpage-url"]?.string,
      userInfo: payload["user-info"]?.dictionary ?? [:],
      targetContentIdentifier: payload["target-content-identifier"]?.string)
  }

  /// The payload for the launch reason `user-activity`.
  public var payload: PropertyList {
    var entries: [String: PropertyList] = ["type": .string(activityType)]
    entries["title"] = title.map(PropertyList.string)
    entries["webpage-url"] = webpageURL.map(PropertyList.string)
    entries["user-info"] = userInfo.isEmpty ? nil : .dictionary(userInfo)
    entries["target-content-identifier"] = targetContentIdentifier.map(PropertyList.string)
    return .dictionary(entries)
  }
}
