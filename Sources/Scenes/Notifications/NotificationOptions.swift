// SPDX-License-Identifier: Apache-2.0

/// The ways in which an application notifies the user, corresponding to `UNAuthorizationOptions`.
public struct NotificationAuthorizationOptions: OptionSet, Hashable, Sendable {
  /// A number on the icon of the application.
  public static let badge = Self(rawValue: 1 << 0)
  /// A sound.
  public static let sound = Self(rawValue: 1 << 1)
  /// A text.
  public static let alert = Self(rawValue: 1 << 2)

  /// The bits of the options.
  public let rawValue: Int
  /// Creates options from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The texts of `org.usher.Triggers1.RequestAuthorization`.
  var names: [String] {
    [(Self.alert, "alert"), (.sound, "sound"), (.badge, "badge")].filter { contains($0.0) }.map(\.1)
  }
}

/// The ways in which a notification is shown while its application runs, corresponding to
/// `UNNotificationPresentationOptions`.
public struct NotificationPresentationOptions: OptionSet, Hashable, Sendable {
  /// The number on the icon of the application.
  public static let badge = Self(rawValue: 1 << 0)
  /// The sound.
  public static let sound = Self(rawValue: 1 << 1)
  /// An entry in the list of notifications.
  public static let list = Self(rawValue: 1 << 3)
  /// The text, for a short time.
  public static let banner = Self(rawValue: 1 << 4)

  /// The bits of the options.
  public let rawValue: Int
  /// Creates options from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  private static let names = [(Self.banner, "banner"), (.list, "list"), (.sound, "sound"), (.badge, "badge")]

  /// Creates the options from the texts of an answer; unknown ones are ignored.
  package init(names: [String]) {
    self = Self.names.reduce(into: []) { if names.contains($1.1) { $0.insert($1.0) } }
  }

  /// The texts of `presentation` in the answer to `usher-triggers`.
  var names: [String] { Self.names.filter { contains($0.0) }.map(\.1) }
}
