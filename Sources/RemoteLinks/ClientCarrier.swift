// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus
import RemoteProtocol

/// A client in a container, as the carrier of the answers of the sign-ins that its requests have begun, in the network of the container.
///
/// The client stays for that when it has the result of the request.
@BrokerActor
final class ClientCarrier: SignInCarrier {
  /// A sign-in whose answer the client carries.
  private struct Expected {
    let signIn: SignIn
    /// A Boolean value that indicates whether the client has the result of the request.
    var hasResult = false
    /// The answer, if it has arrived before the result of the request.
    var answer: CarriedRequest?
  }

  private let machine: RemoteMachine
  private let send: (RemoteMessage) -> Void
  /// The sign-ins by the IDs of the requests that have begun them.
  private var expected: [String: Expected] = [:]
  private(set) var isConnected = true

  /// Creates the carrier of a client of a machine.
  ///
  /// - Parameter send: Sends a message to the client.
  init(of machine: RemoteMachine, send: @escaping (RemoteMessage) -> Void) {
    self.machine = machine
    self.send = send
  }

  func obstacle(to request: RemoteRequest, at port: UInt16) -> BusError? {
    guard !request.canCarry else { return nil }
    guard !request.isOfRegistration else {
      return BusError(
        .denied,
        "usher remote register --open carries no answer to a port, and the browser here sends the answer of this sign-in to port \(port); "
          + "open this with usher open \(machine.location), without --open")
    }
    return BusError(
      .denied,
      "the client of Usher \(machine.location) is too old to carry the answer of a sign-in, which the browser here sends to port \(port); "
        + "replace it with that of this desktop (with Podman or Docker: usher remote setup --container), or open this yourself where that port leads to the container"
    )
  }

  func expect(_ signIn: SignIn, for id: String) { expected[id] = Expected(signIn: signIn) }

  func carry(_ request: CarriedRequest, of signIn: SignIn) {
    guard isConnected, let id = id(of: signIn) else { return signIn.apply(.notCarried) }
    if expected[id]?.hasResult == true {
      send(request.message(for: id))
    } else {
      expected[id]?.answer = request
    }
  }

  func forget(_ signIn: SignIn) {
    guard let id = id(of: signIn), expected.removeValue(forKey: id)?.hasResult == true else { return }
    // The client need not stay.
    send(RemoteMessage(.ended, ["id": id]))
  }

  /// Sends the result of a request, and the answer of its sign-in if that has arrived.
  func send(_ result: OpenResult, of id: String) {
    let stay = expected[id]?.signIn.isActive == true ? RelayLimits.stay : nil
    send(RemoteMessage(result, of: id, stay: stay))
    expected[id]?.hasResult = true
    guard let answer = expected[id]?.answer else { return }
    expected[id]?.answer = nil
    send(answer.message(for: id))
  }

  /// Receives the report of the client about an answer.
  func receive(_ message: RemoteMessage) {
    guard let signIn = message["id"].flatMap({ expected[$0]?.signIn }) else { return }
    let status = message["status"].flatMap { Int($0) }.flatMap { (100...999).contains($0) ? $0 : nil }
    signIn.apply(status.map { .carried(status: $0) } ?? .notCarried)
  }

  /// Records that the client has disconnected; it cannot reconnect to carry an answer.
  func disconnect() {
    isConnected = false
    for entry in expected.values { entry.signIn.abandon() }
  }

  private func id(of signIn: SignIn) -> String? { expected.first { $0.value.signIn === signIn }?.key }
}
