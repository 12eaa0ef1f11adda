// SPDX-License-Identifier: Apache-2.0
public import Freedesktop
import PercentEncoding

/// The ID of a browser with a profile or a kind of window, which is accepted wherever an application's ID is.
///
/// It is the browser's desktop-file ID, `@`, the key of the profile, and the flags after `?`, separated by `&`:
///
/// ```swift
/// BrowserTargetID(ApplicationID("firefox-esr")!, profile: "Work").text                  // "firefox-esr@Work"
/// BrowserTargetID(ApplicationID("chromium")!, profile: "Profile 1").text                // "chromium@Profile%201"
/// BrowserTargetID(ApplicationID("firefox-esr")!, profile: nil, isPrivate: true).text    // "firefox-esr@?private"
/// ```
///
/// Each byte of the key that is not an ASCII letter, digit, `.`, `_` or `-` is percent-encoded (RFC 3986), so that the ID is one word in
/// shells, lists and logs. No bus name contains `@`.
public struct BrowserTargetID: Hashable, Sendable {
  /// The desktop-file ID of the browser.
  public let browser: ApplicationID
  /// The key of the profile; `nil` for the profile that the browser chooses.
  public let profile: String?
  /// A Boolean value that indicates whether the window is private.
  public let isPrivate: Bool
  /// A Boolean value that indicates whether the window is new.
  public let opensNewWindow: Bool

  /// Creates the ID of these values.
  public init(
    _ browser: ApplicationID, profile: String?, isPrivate: Bool = false, opensNewWindow: Bool = false
  ) {
    self.browser = browser
    self.profile = profile
    self.isPrivate = isPrivate
    self.opensNewWindow = opensNewWindow
  }

  /// Parses the canonical form of an ID; `nil` for every other text, and for the ID of a browser without profile and flags.
  public init?(_ text: String) {
    // The ID of a browser may contain `@`; the parts behind the last one do not.
    guard let sign = text.utf8.lastIndex(of: UInt8(ascii: "@")),
      let browser = ApplicationID(rawValue: String(text[..<sign]))
    else { return nil }
    let parts = text[text.utf8.index(after: sign)...].split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let key = parts.first.flatMap({ PercentEncoding.decode($0) }) else { return nil }
    let flags = parts.dropFirst().first?.split(separator: "&", omittingEmptySubsequences: false) ?? []
    self.init(
      browser, profile: key.isEmpty ? nil : key, isPrivate: flags.contains("private"),
      opensNewWindow: flags.contains("new-window"))
    // A second spelling would be a second application for grants and queues.
    guard self.text == text, !isPlain, !key.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      return nil
    }
  }

  /// A Boolean value that indicates whether the ID names the browser only.
  public var isPlain: Bool { profile == nil && !isPrivate && !opensNewWindow }

  /// The ID as text; the browser's own ID if nothing else is selected.
  public var text: String {
    guard !isPlain else { return browser.rawValue }
    let flags = [isPrivate ? "private" : nil, opensNewWindow ? "new-window" : nil].compactMap(\.self)
    // `~` is unreserved in RFC 3986 but has a meaning in shells.
    let key = PercentEncoding.encode(profile ?? "").replacing("~", with: "%7E")
    return "\(browser)@\(key)\(flags.isEmpty ? "" : "?")\(flags.joined(separator: "&"))"
  }

  /// The ID as the ID of an application.
  public var applicationID: ApplicationID { ApplicationID(rawValue: text) ?? browser }
}
