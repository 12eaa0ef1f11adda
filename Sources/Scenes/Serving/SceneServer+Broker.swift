// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// Authentication of the broker: only the current owner of its bus name is accepted.
extension SceneServer {
  /// Starts to follow the owner of the broker's name.
  func watchBroker(on bus: BusConnection) async throws(BusError) {
    let owners = try await bus.owners(of: BrokerInterface.busName)
    Task { [weak self] in
      for await owner in owners { await self?.brokerChanged(to: owner) }
    }
  }

  /// Records the owner of the broker's name; `nil` if it has none or if it is no longer valid.
  func brokerChanged(to owner: BusName?) { broker = owner }

  /// Waits for all requests that the broker sent before it learned that the application's name was released.
  ///
  /// The broker sends to the owner that it knows. The bus delivers the NameOwnerChanged signal to the broker before
  /// this ping.
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

  /// Returns `true` if the caller currently owns the broker's name.
  ///
  /// Asks the bus only if the recorded owner is not the caller. While one query is pending, every call asks, so that
  /// no request overtakes another: the bus answers in order.
  func isBroker(_ call: BusCall) async throws(BusError) -> Bool {
    guard asking > 0 || call.sender != broker else { return true }
    asking += 1
    defer { asking -= 1 }
    let owner = try await call.connection.owner(of: BrokerInterface.busName)
    broker = owner
    return owner == call.sender
  }
}
