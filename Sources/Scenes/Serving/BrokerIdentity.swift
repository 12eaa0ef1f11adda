// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// Authentication of the broker: only the current owner of its bus name is accepted.
///
/// The functions run on the actor that owns the object.
final class BrokerIdentity {
  /// The owner of the broker's name, as last reported by the bus.
  private var owner: BusName?
  /// The number of pending queries for the owner.
  private var queries = 0

  /// Records the owner of the broker's name; `nil` if it has none or if it is no longer valid.
  func ownerChanged(to owner: BusName?) { self.owner = owner }

  /// Throws `AccessDenied` unless the caller is the broker.
  nonisolated(nonsending) func admit(_ call: BusCall) async throws(BusError) {
    guard try await isCaller(of: call) else {
      throw BusError(.accessDenied, "only the owner of \(BrokerInterface.busName) may call this")
    }
  }

  /// Returns `true` if the caller currently owns the broker's name.
  ///
  /// Asks the bus only if the recorded owner is not the caller. While one query is pending, every call asks, so that
  /// no request overtakes another: the bus answers in order.
  nonisolated(nonsending) func isCaller(of call: BusCall) async throws(BusError) -> Bool {
    guard queries > 0 || call.sender != owner else { return true }
    queries += 1
    defer { queries -= 1 }
    let owner = try await call.connection.owner(of: BrokerInterface.busName)
    self.owner = owner
    return owner == call.sender
  }

  /// Waits for all requests that the broker sent before it learned that the application's name was released.
  ///
  /// The broker sends to the owner that it knows. The bus delivers the NameOwnerChanged signal to the broker before
  /// this ping.
  nonisolated(nonsending) func drain(on bus: BusConnection, timeout: Duration) async {
    guard let owner else { return }
    let object = RemoteObject(owner, BrokerInterface.path)
    try? await bus.call(BusPeer.ping, at: object, timeout: timeout, autoStart: false)
  }
}
