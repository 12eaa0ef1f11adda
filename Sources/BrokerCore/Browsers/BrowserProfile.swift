// SPDX-License-Identifier: Apache-2.0
/// A profile of a browser.
public struct BrowserProfile: Hashable, Sendable {
  /// The name that the browser shows.
  public let name: String
  /// The name under which the browser stores the profile, which does not change when the user renames it.
  ///
  /// It is unique among the profiles of a browser. For Firefox it is the name in `profiles.ini`, or the directory of a profile that only
  /// a profile group lists; for Chromium it is the name of the directory, such as `Profile 1`.
  public let key: String
  /// The arguments that select the profile, from `BrowserFamily.arguments(ofProfileNamed:)` or `BrowserFamily.arguments(ofProfileAt:)`.
  ///
  /// They are empty for a profile that cannot be selected.
  public let arguments: [String]
  /// A Boolean value that indicates whether the browser uses the profile if no profile is selected.
  public let isDefault: Bool

  /// Creates a profile.
  public init(name: String, key: String, arguments: [String], isDefault: Bool = false) {
    self.name = name
    self.key = key
    self.arguments = arguments
    self.isDefault = isDefault
  }
}
