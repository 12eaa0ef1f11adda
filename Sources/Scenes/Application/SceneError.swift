// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import DBus

/// The reason why an application cannot receive requests or open a URL.
public enum SceneError: Error, Sendable, CustomStringConvertible {
  /// The ID is not a valid well-known bus name.
  case invalidApplicationID(String)
  /// The user bus does not exist, or it rejects the connection.
  case noBus(BusError)
  /// The bus rejected a call that the application needs.
  case bus(BusError)
  /// Another program owned the name when the bus was reconnected.
  case nameLost(BusName)
  /// Another instance is running, and the URLs could not be forwarded to it.
  case notForwarded(BusError)
  /// The broker did not open a URL.
  case notOpened(BusError)
  /// `usher-triggers` rejected a call for a notification, or it does not run.
  case notificationsFailed(BusError)
  /// `usher-triggers` rejected a call for the location, or it does not run.
  case locationFailed(BusError)
  /// `usher-triggers` rejected a call for a download, or it does not run.
  case downloadsFailed(BusError)
  /// `usher-triggers` rejected a call for Bluetooth, or it does not run.
  case bluetoothFailed(BusError)
  /// The URL already has callbacks.
  case alreadyHasCallbacks(MessageError)
  /// Foundation cannot parse the URL; `application(_:open:)` with an ``OpenURLContext`` receives it unchanged.
  case unparsableURL
  /// The session does not exist; in a test also, it has no connected scene.
  case noSuchScene(String)
  /// The closure `preparing` or the launch threw an error.
  case preparationFailed(any Error)

  /// The broker's error; `nil` if the error is not one of the broker's.
  public var brokerError: BrokerErrorName? {
    switch self {
    case .notOpened(let error), .notificationsFailed(let error), .locationFailed(let error),
      .downloadsFailed(let error), .bluetoothFailed(let error):
      error.brokerError
    default: nil
    }
  }

  /// Creates the error of a URL that the broker did not open, for tests.
  public static func notOpened(_ name: BrokerErrorName, _ message: String) -> SceneError {
    .notOpened(BusError(name, message))
  }

  /// The error message for the user.
  public var description: String {
    switch self {
    case .invalidApplicationID(let id):
      "\(id) is not an application ID; use a name like org.example.Notes"
    case .noBus(let error): "this application needs a user bus: \(error)"
    case .bus(let error): "the bus rejected a call of this application: \(error)"
    case .nameLost(let name):
      "while the bus was disconnected, another program acquired the name \(name); close that program, and start this one again"
    case .notForwarded(let error): "the running instance did not accept the URLs: \(error)"
    case .notOpened(let error), .notificationsFailed(let error), .locationFailed(let error),
      .downloadsFailed(let error), .bluetoothFailed(let error):
      error.message
    case .alreadyHasCallbacks(let error): "the URL already has callbacks: \(error)"
    case .unparsableURL:
      "Foundation cannot parse the URL; use OpenURLContext.urlString in application(_:open:)"
    case .noSuchScene(let session): "the session \(session) does not exist; it may have been destroyed"
    case .preparationFailed(let error): "the preparation of the application failed: \(error)"
    }
  }
}
