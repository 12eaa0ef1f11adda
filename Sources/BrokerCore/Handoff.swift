// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

extension SourceApplication {
  /// The applications that open what the user sends from another device: the daemon of KDE Connect, by its desktop entry.
  private static let handoffApplications = ["org.kde.kdeconnect.daemon"]

  /// A Boolean value that indicates whether the request certainly comes from another device of the user.
  ///
  /// A mere claim does not count, because any program may claim to be the daemon of KDE Connect.
  var isHandoff: Bool {
    assurance >= .executable && id.map { Self.handoffApplications.contains($0.rawValue) } == true
  }
}

extension TargetApplication {
  /// The activity of a web page, as UIKit names it.
  public static let browsingWeb = "NSUserActivityTypeBrowsingWeb"

  /// A Boolean value that indicates whether the entry requests web pages from other devices as user activities.
  ///
  /// Only an envelope can carry an activity.
  var continuesWebPages: Bool {
    takesEnvelopes && entry.userActivityTypes.contains(Self.browsingWeb)
  }
}

extension RequestGroup {
  /// Returns the URL of the web page that the target continues as a user activity; `nil` if the URLs arrive as URLs.
  ///
  /// An activity has one page, and only http and https URLs are pages.
  public func continuedWebPage(of request: OpenRequest) -> String? {
    guard request.reason == OpenRequest.urlReason, request.caller.source.isHandoff, links.count == 1,
      case .deliver(let target) = verdict, target.desktopAction == nil, target.continuesWebPages,
      ["http", "https"].contains(links[0].url.scheme)
    else { return nil }
    return links[0].url.text
  }
}
