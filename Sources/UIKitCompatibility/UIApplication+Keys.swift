// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Scenes

extension UIApplication {
  /// A key of the launch options.
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    /// The name of the key, that of UIKit's constant.
    public let rawValue: String
    /// Creates a key from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The first URL, a `URL`.
    public static let url = Self(rawValue: "UIApplicationLaunchOptionsURLKey")
    /// The source application of the URL, a `String`.
    public static let sourceApplication = Self(rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
    /// The annotation of the URL.
    public static let annotation = Self(rawValue: "UIApplicationLaunchOptionsAnnotationKey")
    /// The payload of a remote notification, a dictionary.
    public static let remoteNotification = Self(rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
    /// The payload of a local notification, a dictionary.
    public static let localNotification = Self(rawValue: "UIApplicationLaunchOptionsLocalNotificationKey")
    /// `true` for a change of the location.
    public static let location = Self(rawValue: "UIApplicationLaunchOptionsLocationKey")
    /// The quick action, a ``UIApplicationShortcutItem``.
    public static let shortcutItem = Self(rawValue: "UIApplicationLaunchOptionsShortcutItemKey")
    /// The activity, a dictionary with ``userActivityType``.
    public static let userActivityDictionary = Self(
      rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey")
    /// The type of the activity, in ``userActivityDictionary``.
    public static let userActivityType = Self(rawValue: "UIApplicationLaunchOptionsUserActivityTypeKey")
    /// The identifiers of the Bluetooth centrals.
    public static let bluetoothCentrals = Self(rawValue: "UIApplicationLaunchOptionsBluetoothCentralsKey")
    /// The identifiers of the Bluetooth peripherals.
    public static let bluetoothPeripherals = Self(
      rawValue: "UIApplicationLaunchOptionsBluetoothPeripheralsKey")
    /// The identifiers of the finished downloads.
    public static let newsstandDownloads = Self(
      rawValue: "UIApplicationLaunchOptionsNewsstandDownloadsKey")
    /// The metadata of the share invitation that the user accepted, a dictionary.
    public static let cloudKitShareMetadata = Self(
      rawValue: "UIApplicationLaunchOptionsCloudKitShareMetadataKey")
    /// The event attribution of a measured link, a dictionary.
    public static let eventAttribution = Self(rawValue: "UIApplicationLaunchOptionsEventAttributionKey")
  }

  /// A key of the options of a URL to open.
  public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
    /// The name of the key.
    public let rawValue: String
    /// Creates a key from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The source application, a `String`.
    public static let sourceApplication = Self(rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
    /// The annotation.
    public static let annotation = Self(rawValue: "UIApplicationOpenURLOptionsAnnotationKey")
    /// `true` if the document may be changed in place.
    public static let openInPlace = Self(rawValue: "UIApplicationOpenURLOptionsOpenInPlaceKey")
    /// The event attribution of a measured link, a dictionary.
    public static let eventAttribution = Self(rawValue: "UIApplicationOpenURLOptionsEventAttributionKey")
  }

  /// A key of the options for opening a URL.
  public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
    /// The name of the key.
    public let rawValue: String
    /// Creates a key from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Opens the URL only in an application that is responsible for it, a `Bool`.
    public static let universalLinksOnly = Self(rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
  }
}

extension LaunchOptions {
  /// The options as UIKit's dictionary.
  var dictionary: [UIApplication.LaunchOptionsKey: Any] {
    var entries: [UIApplication.LaunchOptionsKey: Any] = [:]
    entries[.url] = self[.url]
    entries[.sourceApplication] = self[.sourceApplication]
    entries[.annotation] = self[.annotation]?.foundation
    entries[.remoteNotification] = self[.remoteNotification]?.payload.foundation
    entries[.localNotification] = self[.localNotification]?.payload.foundation
    entries[.location] = self[.location]
    entries[.shortcutItem] = self[.shortcutItem].map { UIApplicationShortcutItem($0) }
    entries[.bluetoothCentrals] = self[.bluetoothCentrals]
    entries[.bluetoothPeripherals] = self[.bluetoothPeripherals]
    entries[.newsstandDownloads] = self[.newsstandDownloads]
    entries[.cloudKitShareMetadata] = self[.cloudKitShareMetadata]?.foundation
    entries[.eventAttribution] = self[.eventAttribution]?.foundation
    if let type = self[.userActivityType] {
      entries[.userActivityDictionary] = [UIApplication.LaunchOptionsKey.userActivityType: type]
    }
    return entries
  }
}

extension OpenURLOptions {
  /// The options as UIKit's dictionary.
  var dictionary: [UIApplication.OpenURLOptionsKey: Any] {
    var entries: [UIApplication.OpenURLOptionsKey: Any] = [.openInPlace: openInPlace]
    entries[.sourceApplication] = sourceApplication
    entries[.annotation] = annotation?.foundation
    entries[.eventAttribution] = eventAttribution?.foundation
    return entries
  }
}
