// SPDX-License-Identifier: Apache-2.0
/// The reason why a browser cannot open a URL as requested.
public enum BrowserError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A property that not all families have.
  public enum Property: String, Sendable {
    /// A profile.
    case profile = "profiles"
    /// A private window.
    case privateWindow = "private windows"
    /// A new window.
    case newWindow = "new windows"
  }

  /// The family has no argument for this.
  case unsupported(BrowserFamily, Property)
  /// The profile cannot be selected.
  case invalidProfile(String, reason: String)
  /// The Exec line of the browser's entry does not allow arguments to be added.
  case invalidExec(String, reason: String)

  /// The sentence for the user.
  public var description: String {
    switch self {
    case .unsupported(let family, let property):
      "\(family.title) has no command-line option for \(property.rawValue)"
    case .invalidProfile(let name, let reason): "the profile “\(name)” cannot be selected: \(reason)"
    case .invalidExec(let line, let reason):
      "its Exec line “\(line)” takes no arguments for a profile or window: \(reason)"
    }
  }
}
