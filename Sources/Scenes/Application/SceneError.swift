public import BusInterfaces
public import DBus

/// Why an application cannot receive requests.
public enum SceneError: Error, Sendable, CustomStringConvertible {
  /// The ID is no valid well-known bus name.
  case invalidApplicationID(String)
  /// There is no user bus, or it does not let us in.
  case noBus(BusError)
  /// The bus refused what an application needs.
  case bus(BusError)
  /// The name was somebody else's when the bus came back.
  case nameLost(BusName)
  /// Another instance is running, and it could not be handed the URLs.
  case notForwarded(BusError)
  /// The broker did not open a URL.
  case notOpened(BusError)
  /// The URL cannot take callbacks: it has some.
  case noCallback(MessageError)
  /// Foundation cannot read the URL; `application(_:open:)` with an ``OpenURLContext`` gets it as it came.
  case unreadableURL
  /// There is no scene of this session.
  case noSuchScene(String)
  /// The preparation threw.
  case unprepared(any Error)

  /// Which of the broker's errors it is, `nil` where it is none.
  public var brokerError: BrokerErrorName? {
    if case .notOpened(let error) = self { error.brokerError } else { nil }
  }

  /// What the broker says when it does not open a URL; a test answers with it.
  public static func notOpened(_ name: BrokerErrorName, _ message: String) -> SceneError {
    .notOpened(BusError(name, message))
  }

  /// The sentence a person reads.
  public var description: String {
    switch self {
    case .invalidApplicationID(let id):
      "\(id) is no application ID; use a name like org.example.Notes"
    case .noBus(let error): "this application needs a user bus: \(error)"
    case .bus(let error): "the bus does not let this application work: \(error)"
    case .nameLost(let name): "while the bus was away another program took the name \(name)"
    case .notForwarded(let error): "the running instance did not take the URLs: \(error)"
    case .notOpened(let error): error.message
    case .noCallback(let error): "the URL has callbacks already: \(error)"
    case .unreadableURL: "Foundation cannot read the URL; take it from the context, as the text that came"
    case .noSuchScene(let session): "there is no session \(session); it was destroyed"
    case .unprepared(let error): "the application could not get ready: \(error)"
    }
  }
}
