// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import FoundationEssentials

/// The reason why the program was started: UIKit's dictionary of launch options, with a type for each value.
///
/// ```swift
/// launchOptions?[.url]                  // URL?
/// launchOptions?[.annotation]?["page"]  // PropertyList?
/// ```
/// All fourteen keys of `UIApplication.LaunchOptionsKey` are supported. The options are `nil` for a launch without a
/// reason, and for every launch of an application with scenes, whose ``ConnectionOptions`` contain the reason.
public struct LaunchOptions: Hashable, Sendable {
  /// The request for which the program was started.
  public let request: SceneRequest
  package let content: RequestContent

  /// Creates the options of a request; `nil` for a plain start without a reason.
  init?(_ request: SceneRequest, _ content: RequestContent) {
    guard content != .activate else { return nil }
    self.request = request
    self.content = content
  }

  /// A key of UIKit's dictionary, with the type of its value.
  public typealias Key<Value> = OptionKey<LaunchOptions, Value>

  /// Returns the value of a key; `nil` if it is absent.
  public subscript<Value>(key: Key<Value>) -> Value? { key.read(self) }

  /// The first URL, byte for byte as the caller sent it.
  public var urlString: String? { contexts.first?.urlString }

  fileprivate var contexts: [OpenURLContext] {
    if case .urls(let contexts) = content { contexts } else { [] }
  }

  fileprivate func notification(remote: Bool) -> UserNotification? {
    switch content {
    case .notification(let notification) where notification.isRemote == remote: notification
    case .notificationResponse(let response) where response.notification.isRemote == remote:
      response.notification
    default: nil
    }
  }

  fileprivate func identifiers(_ reason: LaunchReason) -> [String]? {
    guard request.reason == reason else { return nil }
    let identifiers = request.payload?.array ?? request.payload?["identifiers"]?.array
    return identifiers?.compactMap(\.string) ?? []
  }
}

extension OptionKey where Options == LaunchOptions, Value == URL {
  /// The first URL to open.
  public static var url: Self { Self { $0.contexts.first?.url } }
}

extension OptionKey where Options == LaunchOptions, Value == String {
  /// The source application of the URL.
  public static var sourceApplication: Self { Self { $0.contexts.first?.options.sourceApplication } }
  /// The type of the activity to continue; UIKit has it inside ``userActivityDictionary``.
  public static var userActivityType: Self {
    Self {
      switch $0.content {
      case .userActivity(let activity): activity.activityType
      case .handoff(let type), .handoffFailed(let type, _): type
      default: nil
      }
    }
  }
}

extension OptionKey where Options == LaunchOptions, Value == PropertyList {
  /// The caller's annotation of the URL.
  public static var annotation: Self { Self { $0.contexts.first?.options.annotation } }
  /// The event attribution of a measured link.
  public static var eventAttribution: Self { Self { $0.contexts.first?.options.eventAttribution } }
  /// The metadata of the share invitation that the user accepted.
  public static var cloudKitShareMetadata: Self {
    Self { if case .cloudKitShare(let metadata) = $0.content { metadata } else { nil } }
  }
}

extension OptionKey where Options == LaunchOptions, Value == UserNotification {
  /// The notification that a server pushed.
  public static var remoteNotification: Self { Self { $0.notification(remote: true) } }
  /// The local notification of the application.
  public static var localNotification: Self { Self { $0.notification(remote: false) } }
}

extension OptionKey where Options == LaunchOptions, Value == Bool {
  /// `true` if the application was launched because a location that it monitors changed; otherwise `nil`.
  public static var location: Self { Self { $0.request.reason == .location ? true : nil } }
}

extension OptionKey where Options == LaunchOptions, Value == [String] {
  /// The identifiers of the Bluetooth centrals with an event.
  public static var bluetoothCentrals: Self { Self { $0.identifiers(.bluetoothCentrals) } }
  /// The identifiers of the Bluetooth peripherals with an event.
  public static var bluetoothPeripherals: Self { Self { $0.identifiers(.bluetoothPeripherals) } }
  /// The identifiers of the finished downloads.
  public static var newsstandDownloads: Self { Self { $0.identifiers(.newsstandDownloads) } }
}

extension OptionKey where Options == LaunchOptions, Value == [String: PropertyList] {
  /// The dictionary of the activity to continue, possibly only with its type.
  public static var userActivityDictionary: Self {
    Self {
      switch $0.content {
      case .userActivity(let activity): ($0.request.payload ?? activity.payload).dictionary
      case .handoff, .handoffFailed: $0.request.payload?.dictionary
      default: nil
      }
    }
  }
}

extension OptionKey where Options == LaunchOptions, Value == ShortcutItem {
  /// The shortcut item that the user chose.
  public static var shortcutItem: Self {
    Self { if case .shortcutItem(let item) = $0.content { item } else { nil } }
  }
}
