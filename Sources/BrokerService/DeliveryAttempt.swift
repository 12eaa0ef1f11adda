import BrokerCore
import BusInterfaces
import DBus

/// What one attempt to hand a request over came to.
enum DeliveryAttempt: Sendable {
  /// Finished, well or not: what happened, and what is told of it.
  case finished(RequestEvent, Delivery)
  /// On its way; it settles by itself, and the next request may follow.
  case sent
  /// Certainly not delivered: the next way may be tried.
  case notDelivered(String)
  /// The target went after the request was sent and before it replied.
  case died
  /// The bus went.
  case busWent
  /// It is not written down that it is sent, and must be.
  case noRoom
  /// The target cannot be started: the same is true of all that waits for it.
  case cannotStart(String)
}

/// What the error of a delivery call proves.
enum DeliveryFailure: Equatable {
  /// Nothing was delivered.
  case notDelivered
  /// The target went, and nobody can know.
  case died
  /// The bus went, and nobody can know.
  case busWent
  /// No reply in time, and nobody can know.
  case noReply
  /// The target said so itself.
  case refused

  /// Reads `error`, the outcome of a call that carried a request.
  init(_ error: BusError) {
    switch error.name {
    case .serviceUnknown, .nameHasNoOwner, .unknownMethod, .unknownInterface, .unknownObject, .notSupported:
      self = .notDelivered
    case .noReply: self = .died
    case .disconnected: self = .busWent
    case .timeout, .cancelled: self = .noReply
    default: self = error.name.rawValue.hasPrefix(Self.spawnErrors) ? .notDelivered : .refused
    }
  }

  static let spawnErrors = "org.freedesktop.DBus.Error.Spawn."
}
