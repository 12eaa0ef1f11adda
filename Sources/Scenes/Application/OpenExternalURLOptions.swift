public import BusInterfaces

/// How an application opens a URL: UIKit's `UIApplication.OpenExternalURLOptionsKey`, and what it lacks.
public struct OpenExternalURLOptions: Hashable, Sendable {
  /// Open it only where an application is told by a route, or by its own entry, to take this very link; no browser otherwise.
  public var universalLinksOnly = false
  /// What a measured link carries.
  public var eventAttribution: PropertyList?
  /// What the target is to get along with it.
  public var annotation: PropertyList?
  /// Whom this is for, where it is another than the application itself: a claim.
  public var sourceApplication: String?
  /// Lets the target come to the front, once; take it from the event of the click.
  public var activationToken: String?
  /// The application to open it with, by desktop-file ID.
  public var target: String?
  /// Whether a file may be changed where it is.
  public var openInPlace: Bool?
  /// The content it is about, by which the target chooses a scene.
  public var targetContentIdentifier: String?
  /// What is opened when it is certain that nothing arrived.
  public var fallback: String?
  /// How far it must get before ``Application/open(_:options:progress:)`` returns.
  public var wait = OpenOptions.Wait.delivered
  /// How long is waited for that: a millisecond to a day.
  public var timeout = OpenOptions.defaultTimeout

  /// Nothing but the URL.
  public init() {}

  /// The broker's options for a request that an application makes while it handles another, or none.
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
