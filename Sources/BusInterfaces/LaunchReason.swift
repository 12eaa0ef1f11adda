// SPDX-License-Identifier: Apache-2.0
/// The reason for a request: `url`, or one of an open set of others.
///
/// `desktop/org.usher.Application1.xml` defines the payload of each.
public struct LaunchReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The text in the envelope.
  public let rawValue: String
  /// Creates a reason from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A URL was opened; the meaning of an envelope without `reason`.
  public static let url = LaunchReason(rawValue: "url")
  /// The application is to start or to come to the front, without a URL.
  public static let activate = LaunchReason(rawValue: "activate")
  /// The user chose a quick action of the application, which its payload or a desktop action identifies.
  public static let shortcutItem = LaunchReason(rawValue: "shortcut-item")
  /// The user continues an activity from another device.
  public static let userActivity = LaunchReason(rawValue: "user-activity")
  /// A server pushed a notification, or the user acted on one.
  public static let remoteNotification = LaunchReason(rawValue: "remote-notification")
  /// A notification of the application itself is due, or the user acted on it.
  public static let localNotification = LaunchReason(rawValue: "local-notification")
  /// The geographic location that the application monitors has changed.
  public static let location = LaunchReason(rawValue: "location")
  /// There is an event for the application's Bluetooth centrals.
  public static let bluetoothCentrals = LaunchReason(rawValue: "bluetooth-centrals")
  /// There is an event for the application's Bluetooth peripherals.
  public static let bluetoothPeripherals = LaunchReason(rawValue: "bluetooth-peripherals")
  /// Downloads of the application have finished.
  public static let newsstandDownloads = LaunchReason(rawValue: "newsstand-downloads")
  /// The user accepted an invitation to share.
  public static let cloudKitShare = LaunchReason(rawValue: "cloudkit-share")
  /// The text in the envelope.
  public var description: String { rawValue }
}
