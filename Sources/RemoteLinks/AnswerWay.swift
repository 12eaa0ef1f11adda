// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus
import RemoteProtocol

/// The way of the answer of a sign-in from the browser to the program on the machine.
@BrokerActor
enum AnswerWay {
  /// The command that holds the connection to the machine carries it.
  case command
  /// The client in a container that has begun the sign-in carries it, in the network of the container; with the ID of the request.
  case client(RelayedClient, id: String)
  /// The program receives it itself, because its container has the network of the desktop.
  case direct

  /// Creates the way for a request of a client.
  init(of request: RemoteRequest, from client: RelayedClient, on machine: RemoteMachine) {
    if machine.container == nil {
      self = .command
    } else if client.sharesNetwork {
      self = .direct
    } else {
      self = .client(client, id: request.id)
    }
  }

  /// Returns the error for a sign-in whose client cannot carry its answer; `nil` if it can, or need not.
  func obstacle(to request: RemoteRequest, at port: UInt16, on machine: RemoteMachine) -> BusError? {
    guard case .client = self, !request.canCarry else { return nil }
    return BusError(
      .denied,
      "the client of Usher \(machine.location) is too old to carry the answer of a sign-in, which the browser here sends to port \(port); "
        + "replace it with that of this desktop (with Podman or Docker: usher remote setup --container), or open this yourself where that port leads to the container:\n"
        + request.urls.map { "  \($0)" }.joined(separator: "\n"))
  }
}
