/// Why a program is started or signalled; an open set, of which `url` is the first.
///
/// `desktop/org.usher.Application1.xml` says what the payload of each is.
public struct LaunchReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The word in the envelope.
  public let rawValue: String
  /// A reason by its word.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A URL was opened; what an envelope without `reason` means.
  public static let url = LaunchReason(rawValue: "url")
  /// The application was asked to start or to come to the front; no URL.
  public static let activate = LaunchReason(rawValue: "activate")
  /// One of the application's quick actions was chosen: its payload, or a desktop action, says which.
  public static let shortcutItem = LaunchReason(rawValue: "shortcut-item")
  /// A person continues here what was begun elsewhere.
  public static let userActivity = LaunchReason(rawValue: "user-activity")
  /// A server pushed something, or a person acted on what it pushed.
  public static let remoteNotification = LaunchReason(rawValue: "remote-notification")
  /// A notification of the application's own is due, or a person acted on it.
  public static let localNotification = LaunchReason(rawValue: "local-notification")
  /// The place changed that the application watches.
  public static let location = LaunchReason(rawValue: "location")
  /// Something came for the application's Bluetooth centrals.
  public static let bluetoothCentrals = LaunchReason(rawValue: "bluetooth-centrals")
  /// Something came for the application's Bluetooth peripherals.
  public static let bluetoothPeripherals = LaunchReason(rawValue: "bluetooth-peripherals")
  /// Downloads of the application have ended.
  public static let newsstandDownloads = LaunchReason(rawValue: "newsstand-downloads")
  /// A person accepted an invitation to share.
  public static let cloudKitShare = LaunchReason(rawValue: "cloudkit-share")
  /// The word in the envelope.
  public var description: String { rawValue }
}
