// SPDX-License-Identifier: Apache-2.0
/// The form in which http and https links arrive.
public enum WebLinkDelivery: Hashable, Sendable {
  /// As URLs, like links of every other scheme: one kind of link, one method.
  case urls
  /// As activities of the type ``UserActivity/browsingWeb``, as UIKit delivers universal links.
  ///
  /// They arrive in `application(_:continue:)`, `scene(_:continue:)` and ``ConnectionOptions/userActivities``, each
  /// alone. ``UserActivity/webpageURL`` is the URL, byte for byte.
  case userActivities

  /// Returns the activity of a request with one web link; `nil` if it arrives as a URL.
  func activity(of request: SceneRequest) -> UserActivity? {
    guard self == .userActivities, request.urlStrings.count == 1 else { return nil }
    let url = request.urlString
    let scheme = url.prefix { $0 != ":" }.lowercased()
    guard scheme == "https" || scheme == "http" else { return nil }
    return UserActivity(
      activityType: UserActivity.browsingWeb, webpageURL: url,
      targetContentIdentifier: request.targetContentID)
  }
}

extension SceneRequest {
  /// The request as one for each URL, if one of its several URLs arrives as an activity; otherwise `nil`.
  func separateWebLinks(_ application: Application) -> [SceneRequest]? {
    guard reason == .url, desktopAction == nil, urlStrings.count > 1 else { return nil }
    let parts = urlStrings.map { only([$0]) }
    return parts.contains { application.webLinks.activity(of: $0) != nil } ? parts : nil
  }
}
