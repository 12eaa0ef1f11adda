import BusInterfaces
import DBus

/// Who may speak for the broker: the current owner of its name, and nobody else.
extension SceneServer {
  /// Follows the owner of the broker's name from now on.
  func watchBroker(on bus: BusConnection) async throws(BusError) {
    let owners = try await bus.owners(of: BrokerInterface.busName)
    Task { [weak self] in
      for await owner in owners { await self?.brokerChanged(to: owner) }
    }
  }

  /// What the bus told, or `nil` when what it told no longer counts.
  func brokerChanged(to owner: BusName?) { broker = owner }

  /// Returns when all is here that the broker sent before it heard that our name is given back: it sends to the owner that it knows.
  ///
  /// The bus has told it of the name before it brings what we ask.
  func drainBroker(on bus: BusConnection, timeout: Duration) async {
    guard let broker else { return }
    let object = RemoteObject(broker, BrokerInterface.path)
    try? await bus.call(BusPeer.ping, at: object, timeout: timeout, autoStart: false)
  }

  /// Throws `AccessDenied` unless the caller is the broker.
  func admit(_ call: BusCall) async throws(BusError) {
    guard try await isBroker(call) else { throw Self.onlyTheBroker }
    isColdStart = false
  }

  static var onlyTheBroker: BusError {
    BusError(.accessDenied, "only the owner of \(BrokerInterface.busName) may call this")
  }

  /// Whether the caller owns the broker's name now.
  ///
  /// Asks the bus only when what is known says no. While somebody waits for that answer everybody asks, so
  /// that no request overtakes another: the bus answers in order.
  func isBroker(_ call: BusCall) async throws(BusError) -> Bool {
    guard asking > 0 || call.sender != broker else { return true }
    asking += 1
    defer { asking -= 1 }
    let owner = try await call.connection.owner(of: BrokerInterface.busName)
    broker = owner
    return owner == call.sender
  }
}
