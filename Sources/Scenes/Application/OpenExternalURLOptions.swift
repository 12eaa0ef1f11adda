// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces

/// Options for opening a URL: those of UIKit's `UIApplication.OpenExternalURLOptionsKey`, and more.
public struct OpenExternalURLOptions: Hashable, Sendable {
  /// Opens the URL only in an application to which a route or a desktop entry assigns it; the browser opens it only if a route names it.
  public var universalLinksOnly = false
  /// The event attribution of a measured link.
  public var eventAttribution: PropertyList?
  /// A property list that the target receives with the URL.
  public var annotation: PropertyList?
  /// The ID of the application on whose behalf this application opens the URL; `nil` for this application itself.
  ///
  /// The target receives it with the assurance `claimed`.
  public var sourceApplication: String?
  /// The token that allows the target to bring its window to the front once; obtain it from the event of the click.
  public var activationToken: String?
  /// The desktop-file ID of the application that opens the URL.
  public var target: String?
  /// Permits the target to modify a file in place.
  public var openInPlace: Bool?
  /// The identifier of the content, by which the target chooses a scene.
  public var targetContentIdentifier: String?
  /// The URL to open if the target was not reached, declined the first one or reported an error.
  public var fallback: String?
  /// The outcome that the request must reach before ``Application/open(_:options:progress:)`` returns.
  public var wait = OpenOptions.Wait.delivered
  /// The longest time to wait for that outcome, from a millisecond to a day.
  public var timeout = OpenOptions.defaultTimeout

  /// Creates the default options.
  public init() {}

  /// Returns the broker's options for a request, which continues the request `current` unless that is `nil`.
  func options(of application: String, handling current: SceneRequest?) -> OpenOptions {
    var options = OpenOptions()
    options.requestID = RequestID.random()
    options.universalLinksOnly = universalLinksOnly
    options.payload = eventAttribution.map { ["event-attribution": $0] }
    options.annotation = annotation
    options.sourceApplication = sourceApplication ?? application
    options.activationToken = activationToken
    options.target = target
    options.openInPlace = openInPlace
    options.targetContentID = targetContentIdentifier
    options.fallback = fallback
    options.wait = wait
    options.timeout = timeout
    if let hops = current?.envelope.hops { options.hops = hops == .max ? .max : hops + 1 }
    return options
  }
}
