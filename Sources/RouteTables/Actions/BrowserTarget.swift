// SPDX-License-Identifier: Apache-2.0
/// A browser that a route names, with the profile and the window in which it opens the URL.
public struct BrowserTarget: Hashable, Sendable {
  /// The name of a family of browsers, such as `firefox`, or the desktop-file ID of a browser.
  public var browser: String
  /// The name or the key of a profile; `nil` for the profile that the browser chooses.
  public var profile: String?
  /// A Boolean value that indicates whether the browser opens the URL in a private window.
  public var isPrivate: Bool
  /// A Boolean value that indicates whether the browser opens the URL in a new window.
  public var opensNewWindow: Bool

  /// Creates the target of these values.
  public init(
    _ browser: String, profile: String? = nil, isPrivate: Bool = false, opensNewWindow: Bool = false
  ) {
    self.browser = browser
    self.profile = profile
    self.isPrivate = isPrivate
    self.opensNewWindow = opensNewWindow
  }

  /// A Boolean value that indicates whether the profile has the name by which a browser calls a private window, so that such a window
  /// may be meant.
  package var mayMeanPrivateWindow: Bool {
    profile.map { ["private", "incognito", "inprivate"].contains($0.lowercased()) } ?? false
  }
}

extension BrowserTarget: CustomStringConvertible {
  /// The target for messages, such as `firefox, profile “Work”, private window`.
  public var description: String {
    let parts = [
      browser, profile.map { "profile “\($0)”" }, isPrivate ? "private window" : nil,
      opensNewWindow ? "new window" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension RouteAction.Choice: CustomStringConvertible {
  /// The choice for messages.
  public var description: String {
    switch self {
    case .application(let id): id
    case .browser(let target): target.description
    case .browsers: "all browsers"
    }
  }
}
