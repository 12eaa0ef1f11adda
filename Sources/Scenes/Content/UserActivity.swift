public import BusInterfaces

/// What a person was doing, to be gone on with: Foundation's `NSUserActivity`, as far as it travels.
public struct UserActivity: Hashable, Sendable {
  /// The type of a web page that is looked at, as `NSUserActivityTypeBrowsingWeb`.
  public static let browsingWeb = "NSUserActivityTypeBrowsingWeb"

  /// `type`: what kind of activity it is, as `org.example.Notes.editing`.
  public var activityType: String
  /// `title`: what a person calls it.
  public var title: String?
  /// `webpage-url`: the same on the web.
  public var webpageURL: String?
  /// `user-info`: what the application needs to go on.
  public var userInfo: [String: PropertyList]
  /// `target-content-identifier`: the content it is about.
  public var targetContentIdentifier: String?

  /// An activity of a type.
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

  /// Reads ``payload``; `nil` where there is no type.
  public init?(_ payload: PropertyList) {
    guard let type = payload["type"]?.string else { return nil }
    self.init(
      activityType: type, title: payload["title"]?.string, webpageURL: payload["webpage-url"]?.string,
      userInfo: payload["user-info"]?.dictionary ?? [:],
      targetContentIdentifier: payload["target-content-identifier"]?.string)
  }

  /// The payload of the reason `user-activity`.
  public var payload: PropertyList {
    var entries: [String: PropertyList] = ["type": .string(activityType)]
    entries["title"] = title.map(PropertyList.string)
    entries["webpage-url"] = webpageURL.map(PropertyList.string)
    entries["user-info"] = userInfo.isEmpty ? nil : .dictionary(userInfo)
    entries["target-content-identifier"] = targetContentIdentifier.map(PropertyList.string)
    return .dictionary(entries)
  }
}
