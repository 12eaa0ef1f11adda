public import BusInterfaces
public import FoundationEssentials

/// One URL to open, with what is known about it: UIKit's `UIOpenURLContext`.
public struct OpenURLContext: Hashable, Sendable {
  /// The URL as the bytes that came; decide by it.
  public let urlString: String
  /// What came along.
  public let options: OpenURLOptions
  /// The whole request that it is of, to tell how far its handling has come.
  public let request: SceneRequest

  init(_ urlString: String, _ request: SceneRequest, _ policy: SourceApplicationPolicy) {
    self.urlString = urlString
    self.request = request
    options = OpenURLOptions(request, policy)
  }

  /// The URL as Foundation sees it, or `nil` where it cannot.
  public var url: URL? { URL(string: urlString) }
}

/// What comes along with a URL: UIKit's `UIScene.OpenURLOptions` and `UIApplication.OpenURLOptionsKey` in one.
///
/// ```swift
/// options.sourceApplication     // as UIKit's scenes have it
/// options[.sourceApplication]   // as its application delegates do
/// ```
public struct OpenURLOptions: Hashable, Sendable {
  /// Who asked, as far as the application's ``SceneApplication/sourceApplicationPolicy`` tells it.
  public let sourceApplication: String?
  /// How surely it is known who asked, whatever of it is told.
  public let assurance: Assurance
  /// What the caller attached.
  public let annotation: PropertyList?
  /// Whether the file may be changed where it is; copy it first otherwise.
  public let openInPlace: Bool
  /// What a measured link carries.
  public let eventAttribution: PropertyList?
  /// Allows the application to come to the front, once.
  public let activationToken: String?

  init(_ request: SceneRequest, _ policy: SourceApplicationPolicy) {
    sourceApplication = policy.name(of: request)
    assurance = request.assurance
    annotation = request.annotation
    openInPlace = request.openInPlace
    eventAttribution = request.reason == .url ? request.payload?["event-attribution"] : nil
    activationToken = request.activationToken
  }

  /// A key of UIKit's dictionary, with the type of its value.
  public typealias Key<Value> = OptionKey<OpenURLOptions, Value>

  /// The value of a key, `nil` where it is absent.
  public subscript<Value>(key: Key<Value>) -> Value? { key.read(self) }
}

/// The name of an option, with the type of its value.
public struct OptionKey<Options, Value>: Sendable {
  let read: @Sendable (Options) -> Value?
}

extension OptionKey where Options == OpenURLOptions, Value == String {
  /// Who asked.
  public static var sourceApplication: Self { Self(read: \.sourceApplication) }
}

extension OptionKey where Options == OpenURLOptions, Value == PropertyList {
  /// What the caller attached.
  public static var annotation: Self { Self(read: \.annotation) }
  /// What a measured link carries.
  public static var eventAttribution: Self { Self(read: \.eventAttribution) }
}

extension OptionKey where Options == OpenURLOptions, Value == Bool {
  /// Whether the file may be changed where it is.
  public static var openInPlace: Self { Self(read: \.openInPlace) }
}
