public import BusInterfaces
public import FoundationEssentials

/// Why the program was started: UIKit's dictionary of launch options, each with its type.
///
/// ```swift
/// launchOptions?[.url]                  // URL?
/// launchOptions?[.annotation]?["page"]  // PropertyList?
/// ```
/// All fourteen keys of `UIApplication.LaunchOptionsKey` are here. A launch without a reason has no options, `nil`; so has
/// every launch of an application with scenes, whose ``ConnectionOptions`` say it.
public struct LaunchOptions: Hashable, Sendable {
  /// The request that the program was started for.
  public let request: SceneRequest
  package let content: RequestContent

  /// `nil` for a request that is no reason: a mere start.
  init?(_ request: SceneRequest, _ content: RequestContent) {
    guard content != .activate else { return nil }
    self.request = request
    self.content = content
  }

  /// A key of UIKit's dictionary, with the type of its value.
  public typealias Key<Value> = OptionKey<LaunchOptions, Value>

  /// The value of a key, `nil` where it is absent.
  public subscript<Value>(key: Key<Value>) -> Value? { key.read(self) }

  /// The first URL as the bytes that came.
  public var urlString: String? { contexts.first?.urlString }

  fileprivate var contexts: [OpenURLContext] {
    if case .urls(let contexts) = content { contexts } else { [] }
  }

  fileprivate func notification(remote: Bool) -> NotificationContent? {
    switch content {
    case .notification(let notification) where notification.isRemote == remote: notification
    case .notificationResponse(let response) where response.notification.isRemote == remote:
      response.notification
    default: nil
    }
  }

  fileprivate func identifiers(_ reason: LaunchReason) -> [String]? {
    guard request.reason == reason else { return nil }
    return request.payload?.array?.compactMap(\.string) ?? []
  }
}

extension OptionKey where Options == LaunchOptions, Value == URL {
  /// The first URL to open.
  public static var url: Self { Self { $0.contexts.first?.url } }
}

extension OptionKey where Options == LaunchOptions, Value == String {
  /// Who asked for the URL.
  public static var sourceApplication: Self { Self { $0.contexts.first?.options.sourceApplication } }
  /// The type of the activity to go on with; in UIKit it stands inside ``userActivityDictionary``.
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
  /// What the caller of the URL attached.
  public static var annotation: Self { Self { $0.contexts.first?.options.annotation } }
  /// What a measured link carries.
  public static var eventAttribution: Self { Self { $0.contexts.first?.options.eventAttribution } }
  /// The invitation that a person accepted.
  public static var cloudKitShareMetadata: Self {
    Self { if case .cloudKitShare(let metadata) = $0.content { metadata } else { nil } }
  }
}

extension OptionKey where Options == LaunchOptions, Value == NotificationContent {
  /// What a server pushed.
  public static var remoteNotification: Self { Self { $0.notification(remote: true) } }
  /// The application's own notification.
  public static var localNotification: Self { Self { $0.notification(remote: false) } }
}

extension OptionKey where Options == LaunchOptions, Value == Bool {
  /// Whether the place changed that the application watches.
  public static var location: Self { Self { $0.request.reason == .location ? true : nil } }
}

extension OptionKey where Options == LaunchOptions, Value == [String] {
  /// The centrals that something came for.
  public static var bluetoothCentrals: Self { Self { $0.identifiers(.bluetoothCentrals) } }
  /// The peripherals that something came for.
  public static var bluetoothPeripherals: Self { Self { $0.identifiers(.bluetoothPeripherals) } }
  /// The downloads that have ended.
  public static var newsstandDownloads: Self { Self { $0.identifiers(.newsstandDownloads) } }
}

extension OptionKey where Options == LaunchOptions, Value == [String: PropertyList] {
  /// The activity to go on with, as far as it is here.
  public static var userActivityDictionary: Self {
    Self {
      switch $0.content {
      case .userActivity, .handoff, .handoffFailed: $0.request.payload?.dictionary
      default: nil
      }
    }
  }
}

extension OptionKey where Options == LaunchOptions, Value == ShortcutItem {
  /// The quick action that a person chose.
  public static var shortcutItem: Self {
    Self { if case .shortcutItem(let item) = $0.content { item } else { nil } }
  }
}
