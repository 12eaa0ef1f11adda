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

  /// Posted after `application(_:didFinishLaunchingWithOptions:)` with the launch options as `userInfo`.
  nonisolated public static let didFinishLaunchingNotification = Notification.Name(
    "UIApplicationDidFinishLaunchingNotification")
  /// Posted after `applicationDidBecomeActive(_:)`.
  nonisolated public static let didBecomeActiveNotification = Notification.Name(
    "UIApplicationDidBecomeActiveNotification")
  /// Posted after `applicationWillResignActive(_:)`.
  nonisolated public static let willResignActiveNotification = Notification.Name(
    "UIApplicationWillResignActiveNotification")
  /// Posted after `applicationDidEnterBackground(_:)`.
  nonisolated public static let didEnterBackgroundNotification = Notification.Name(
    "UIApplicationDidEnterBackgroundNotification")
  /// Posted after `applicationWillEnterForeground(_:)`.
  nonisolated public static let willEnterForegroundNotification = Notification.Name(
    "UIApplicationWillEnterForegroundNotification")
  /// Posted after `applicationWillTerminate(_:)`.
  nonisolated public static let willTerminateNotification = Notification.Name(
    "UIApplicationWillTerminateNotification")

  func post(_ name: Notification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
    NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
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
    return entries
  }
}
