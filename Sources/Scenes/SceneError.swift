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
  /// The preparation threw.
  case unprepared(any Error)

  /// The sentence a person reads.
  public var description: String {
    switch self {
    case .invalidApplicationID(let id):
      "\(id) is no application ID; use a name like org.example.Notes"
    case .noBus(let error): "this application needs a user bus: \(error)"
    case .bus(let error): "the bus does not let this application work: \(error)"
    case .nameLost(let name): "while the bus was away another program took the name \(name)"
    case .notForwarded(let error): "the running instance did not take the URLs: \(error)"
    case .unprepared(let error): "the application could not get ready: \(error)"
    }
  }
}
