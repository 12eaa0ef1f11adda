// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import FoundationEssentials

/// One URL to open, with its options, corresponding to UIKit's `UIOpenURLContext`.
public struct OpenURLContext: Hashable, Sendable {
  /// The URL, byte for byte as the caller sent it; base decisions on this text.
  public let urlString: String
  /// The options of the request.
  public let options: OpenURLOptions
  /// The request that contains the URL, for example to report progress.
  public let request: SceneRequest
  /// The position in the request, so that a set contains a URL as often as the caller names it.
  private let index: Int

  init(_ urlString: String, request: SceneRequest, policy: SourceApplicationPolicy, index: Int = 0) {
    self.urlString = urlString
    self.request = request
    self.index = index
    options = OpenURLOptions(request, policy)
  }

  /// The URL as Foundation parses it; `nil` if Foundation cannot.
  public var url: URL? { URL(string: urlString) }
}

/// The options of a URL, combining UIKit's `UIScene.OpenURLOptions` and `UIApplication.OpenURLOptionsKey`.
///
/// ```swift
/// options.sourceApplication     // as UIKit's scenes have it
/// options[.sourceApplication]   // as its application delegates do
/// ```
public struct OpenURLOptions: Hashable, Sendable {
  /// The source application, as far as the application's ``SceneApplication/sourceApplicationPolicy`` permits.
  public let sourceApplication: String?
  /// The assurance of the source application, independent of the policy.
  public let assurance: Assurance
  /// The caller's annotation.
  public let annotation: PropertyList?
  /// A Boolean value that is `true` if the file may be modified in place; otherwise copy it first.
  public let openInPlace: Bool
  /// The event attribution of a measured link.
  public let eventAttribution: PropertyList?
  /// The token that allows the application to bring its window to the front once.
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

  /// Returns the value of a key; `nil` if it is absent.
  public subscript<Value>(key: Key<Value>) -> Value? { key.read(self) }
}

/// A key of an option, with the type of its value.
public struct OptionKey<Options, Value>: Sendable {
  let read: @Sendable (Options) -> Value?
}

extension OptionKey where Options == OpenURLOptions, Value == String {
  /// The source application.
  public static var sourceApplication: Self { Self(read: \.sourceApplication) }
}

extension OptionKey where Options == OpenURLOptions, Value == PropertyList {
  /// The caller's annotation.
  public static var annotation: Self { Self(read: \.annotation) }
  /// The event attribution of a measured link.
  public static var eventAttribution: Self { Self(read: \.eventAttribution) }
}

extension OptionKey where Options == OpenURLOptions, Value == Bool {
  /// Permits the application to modify a file in place.
  public static var openInPlace: Self { Self(read: \.openInPlace) }
}
