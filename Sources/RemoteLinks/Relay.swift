// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus
import Logging
import RemoteProtocol
import Systemd

/// A relay: it receives requests of another machine at a stream socket, and sends them to the broker in the name of that machine.
///
/// Everything that connects to the socket counts as the machine, so that it never has more rights than that.
@BrokerActor
final class Relay {
  let machine: RemoteMachine
  let bus: BusConnection
  let log: Logger
  private var listener: StreamListener?
  private var clients: [ObjectIdentifier: RelayedClient] = [:]
  /// The clients that wait for progress, by the ID of their request for the broker.
  private var waiting: [String: (client: RelayedClient, id: String)] = [:]

  init(of machine: RemoteMachine, on bus: BusConnection, log: Logger) {
    self.machine = machine
    self.bus = bus
    self.log = log
  }

  /// Starts to listen at a path.
  func start(at path: String) async throws {
    let reports = try await bus.signals(
      BrokerInterface.handling, from: BrokerInterface.broker.name, at: BrokerInterface.path)
    bus.loop.start {
      for await report in reports {
        let (id, application, entries) = report.values
        guard let (client, clientID) = self.waiting[id], let progress = try? RequestProgress(entries),
          let text = progress.text
        else { continue }
        client.report("\(application): \(text)", of: clientID)
      }
    }
    listener = try StreamListener(at: path, on: bus.loop) { [weak self] connection in
      EventLoop.shared.start { await self?.take(connection) }
    }
  }

  /// Stops listening, and disconnects all clients.
  func end() {
    listener?.end()
    listener = nil
    for client in clients.values { client.disconnect() }
  }

  private func take(_ connection: StreamConnection) {
    connection.send(RemoteStream.greeting)
    guard clients.count < RelayLimits.connections else {
      let reason = "\(RelayLimits.connections) programs of \(machine) are connected; try again later"
      if let bytes = RemoteMessage(.rejection, ["error": reason]).bytes { connection.send(bytes) }
      return connection.closeWhenSent()
    }
    let client = RelayedClient(connection, of: self)
    clients[ObjectIdentifier(client)] = client
    client.start()
  }

  /// Forgets a client that has disconnected.
  func forget(_ client: RelayedClient) { clients[ObjectIdentifier(client)] = nil }

  /// Sends a request to the broker, and returns the result.
  func open(_ request: RemoteRequest, for client: RelayedClient) async -> OpenResult {
    let id = request.options.requestID ?? request.id
    waiting[id] = (client, request.id)
    defer { waiting[id] = nil }
    do throws(BusError) {
      let entries = try await bus.call(
        BrokerInterface.open, at: BrokerInterface.broker, request.urls, request.options.entries,
        timeout: request.options.timeout + RelayLimits.grace)
      do throws(MessageError) {
        return OpenResult(try Receipt(entries), waitingFor: request.options.wait, by: .broker)
      } catch {
        return OpenResult(
          BusError(.noReply, "the broker's receipt cannot be read: \(error)"), of: id, by: .broker)
      }
    } catch {
      return OpenResult(error, of: id, by: .broker)
    }
  }

  /// Withdraws a request of a client.
  func cancel(_ id: String) async {
    // The request may have ended already.
    try? await bus.call(
      BrokerInterface.cancel, at: BrokerInterface.broker, RemoteRequest.brokerID(of: id, from: machine))
  }
}
