// SPDX-License-Identifier: Apache-2.0
public import Freedesktop

/// A browser that is installed, with its profiles.
public struct InstalledBrowser: Hashable, Sendable {
  /// The packaging of a browser.
  public enum Packaging: String, Sendable {
    /// A program of the system or of the user.
    case plain
    /// A Flatpak application.
    case flatpak
    /// A snap.
    case snap
  }

  /// The profiles, or the reason why they cannot be read.
  public enum Profiles: Hashable, Sendable {
    /// The profiles in the browser's order; empty if the browser was never started.
    case known([BrowserProfile])
    /// The browser has profiles, but they cannot be read.
    case unreadable(reason: String)
    /// The family has no profiles that can be selected.
    case none
  }

  /// The desktop-file ID.
  public let id: ApplicationID
  /// The family.
  public let family: BrowserFamily
  /// The title of the browser's desktop entry.
  public let title: String
  /// The packaging.
  public let packaging: Packaging
  /// The profiles.
  public let profiles: Profiles

  /// Creates the description of an installed browser.
  public init(
    id: ApplicationID, family: BrowserFamily, title: String, packaging: Packaging = .plain,
    profiles: Profiles = .none
  ) {
    self.id = id
    self.family = family
    self.title = title
    self.packaging = packaging
    self.profiles = profiles
  }

  /// The profiles; empty if they cannot be read.
  public var knownProfiles: [BrowserProfile] {
    if case .known(let profiles) = profiles { profiles } else { [] }
  }
}
