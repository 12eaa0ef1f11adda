// SPDX-License-Identifier: Apache-2.0
public import Freedesktop
public import RouteTables

/// A request to open URLs, as far as the decision needs it.
///
/// The message on the wire has another type, because the source is derived from the bus connection and never from the
/// message.
public struct OpenRequest: Hashable, Sendable {
  /// The URLs in the caller's order.
  ///
  /// The array is empty only if `reason` is not `urlReason`.
  public var urls: [URLString]
  /// The launch reason, as in the envelope.
  public var reason = urlReason
  /// The launch reason of a request that consists of its URLs.
  public static let urlReason = "url"
  /// A Boolean value that indicates whether only a dedicated application may open the URLs, and no browser.
  ///
  /// A dedicated application is one to which a route or its own entry assigns the URLs.
  public var isUniversalLinksOnly = false
  /// The application that the caller names; `nil` to let the broker choose.
  public var target: ApplicationID?
  /// The number of hops that the request has made already.
  public var hops: UInt32
  /// The action of the application's desktop entry that the caller requests.
  public var desktopAction: String?
  /// The caller, with its source application.
  public var caller: CallerIdentity
  /// The user's answers to the questions about the request.
  public var answers = UserAnswers()
  /// The state of the system at the time of the request.
  public var system = DesktopSnapshot()
  /// The state of the decision in progress.
  var state = DecisionState()

  /// Creates a request to open `urls`.
  public init(
    urls: [URLString], source: SourceApplication = .unknown, target: ApplicationID? = nil, hops: UInt32 = 0
  ) {
    self.urls = urls
    self.target = target
    self.hops = hops
    caller = CallerIdentity(source: source)
  }

  /// The request whose routes disregard the unverified claims of a sandboxed caller; `nil` if it has none, or disregards them already.
  var withoutUnverifiedClaims: OpenRequest? {
    guard !state.ignoresClaims, caller.hasUnverifiedClaims else { return nil }
    var request = self
    request.state.ignoresClaims = true
    return request
  }

  /// The hop count of a request that is derived from this one.
  ///
  /// It does not overflow.
  public var nextHop: UInt32 { hops == .max ? .max : hops + 1 }

  /// The maximum number of hops.
  public static let maximumHops: UInt32 = 8
}
