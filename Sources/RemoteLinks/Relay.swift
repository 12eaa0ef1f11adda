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
  private let pause = RefusalPause()
  private let signIns: SignIns
  private let command: CommandCarrier
  /// The schemes that programs on the machine have registered.
  private(set) lazy var schemes = RelayedSchemes(of: machine, on: bus, pause: pause) {
    [bus] sender async throws(BusError) in try await Self.requireBroker(sender, on: bus)
  }
  private var listener: StreamListener?
  private var clients: [ObjectIdentifier: RelayedClient] = [:]
  /// The requests in progress, by their ID for the broker.
  private var requests: [String: RelayedRequest] = [:]

  /// Creates a relay.
  ///
  /// - Parameter send: Sends a line to the command that holds the connection to the machine.
  init(
    of machine: RemoteMachine, on bus: BusConnection, log: Logger,
    send: @escaping @Sendable (RelayLine) -> Void
  ) {
    self.machine = machine
    self.bus = bus
    self.log = log
    signIns = SignIns(of: machine, log: log)
    command = CommandCarrier(send: send)
  }

  /// Receives a line of the command that holds the connection to the machine.
  func receive(_ line: RelayLine) { command.receive(line) }

  /// Starts to listen at a path.
  func start(at path: String) async throws {
    try await bus.export(
      BusObject(
        RelayInterface.path,
        [
          .method(RelayInterface.admitSignIn) { call, id, port async throws(BusError) in
            try await Self.requireBroker(call.sender, on: self.bus)
            guard let port = UInt16(exactly: port), port >= CarriedRequest.lowestPort else {
              throw BusError(.invalidRequest, "the redirect is invalid")
            }
            try await self.admitSignIn(at: port, for: id)
          },
          .method(RelayInterface.expectRedirect) {
            call, id, site, host, port, path, state async throws(BusError) in
            try await Self.requireBroker(call.sender, on: self.bus)
            guard let host = LoopbackHost(rawValue: host), let port = UInt16(exactly: port),
              port >= CarriedRequest.lowestPort, path.utf8.first == UInt8(ascii: "/"), !state.isEmpty
            else { throw BusError(.invalidRequest, "the redirect is invalid") }
            try await self.expect(
              ExpectedRedirect(site: site, host: host, port: port, path: path, state: state), for: id)
          },
          .method(RelayInterface.endRegistration) { call, scheme async throws(BusError) in
            try await Self.requireBroker(call.sender, on: self.bus)
            await self.schemes.endAsUserRequests(scheme)
          },
        ]))
    let reports = try await bus.signals(
      BrokerInterface.handling, from: BrokerInterface.broker.name, at: BrokerInterface.path)
    bus.loop.start {
      for await report in reports {
        let (id, application, entries) = report.values
        guard let request = self.requests[id], let progress = try? RequestProgress(entries),
          let text = progress.text
        else { continue }
        request.report("\(application): \(text)")
      }
    }
    listener = try StreamListener(at: path, on: bus.loop) { [weak self] connection in
      EventLoop.shared.start { await self?.accept(connection) }
    }
  }

  /// Stops listening, and disconnects all clients.
  func close() {
    listener?.end()
    listener = nil
    signIns.stop()
    for client in clients.values { client.disconnect() }
  }

  private func accept(_ connection: StreamConnection) {
    guard clients.count < RelayLimits.connections else {
      let reason =
        "\(RelayLimits.connections) programs of \(machine.shortTitle) are connected; try again later"
      connection.send(RemoteStream.greeting + (RemoteMessage(.rejection, ["error": reason]).bytes ?? []))
      return connection.closeWhenSent(within: RelayLimits.rejection)
    }
    let client = RelayedClient(connection, of: self)
    clients[ObjectIdentifier(client)] = client
    client.start()
  }

  /// Forgets a client that has disconnected.
  func forget(_ client: RelayedClient) {
    clients[ObjectIdentifier(client)] = nil
    schemes.end(of: client)
  }

  /// Sends a request to the broker, and returns the result.
  func open(_ request: RemoteRequest, for client: RelayedClient) async -> OpenResult {
    let id = request.options.requestID ?? request.id
    let waiter = RelayedRequest.Waiter(client: client, request: request, carrier: carrier(for: client))
    // The user is not asked in vain, and not again for the repetition of a sign-in in progress.
    if requests[id]?.signIn.isKnown != true, let port = request.signIn?.port {
      if let obstacle = waiter.carrier?.obstacle(to: request, at: port) {
        return OpenResult(obstacle.naming(request.urls), of: id, by: .broker)
      }
      if let obstacle = obstacle(to: waiter, at: port) { return OpenResult(obstacle, of: id, by: .broker) }
    }
    let relayed = requests[id] ?? RelayedRequest()
    requests[id] = relayed
    relayed.add(waiter)
    let result = await call(request, id)
    relayed.remove(client)
    if relayed.isFinished { requests[id] = nil }
    for consequence in relayed.consequences(of: result) {
      switch consequence {
      case .pause: pause.begin()
      case .withdrawal: pause.noteWithdrawal()
      case .cancel: signIns.cancel(id)
      }
    }
    return result
  }

  private func call(_ request: RemoteRequest, _ id: String) async -> OpenResult {
    var options = request.options
    options.signInWaits = signIns.isWaiting || requests.contains { $0.key != id && $0.value.signIn.isKnown }
    do throws(BusError) {
      let entries = try await bus.call(
        BrokerInterface.open, at: BrokerInterface.broker, request.urls, options.entries,
        timeout: options.timeout + RelayLimits.grace)
      do throws(MessageError) {
        return OpenResult(try Receipt(entries), waitingFor: options.wait, by: .broker)
      } catch {
        return OpenResult(
          BusError(.noReply, "the broker's receipt cannot be read: \(error)"), of: id, by: .broker)
      }
    } catch {
      return OpenResult(error, of: id, by: .broker)
    }
  }

  /// Returns the carrier of the answers of sign-ins of a client; `nil` if its programs receive them themselves.
  private func carrier(for client: RelayedClient) -> (any SignInCarrier)? {
    guard machine.container != nil else { return command }
    return client.sharesNetwork ? nil : client.carrier
  }

  /// Returns the error for a sign-in that could not be carried out even if the user allowed it; `nil` if there is no obstacle.
  private func obstacle(to waiter: RelayedRequest.Waiter, at port: UInt16) -> BusError? {
    guard let carrier = waiter.carrier else { return pause.obstacle(for: machine) }
    return carrier.obstacle(to: waiter.request, at: port) ?? pause.obstacle(for: machine)
      ?? signIns.obstacle(at: port)
  }

  /// Records that the broker asks the user about a sign-in of a request in progress.
  ///
  /// - Throws: The reason why its answer could not be carried.
  private func admitSignIn(at port: UInt16, for id: String) throws(BusError) {
    guard let relayed = requests[id], let waiter = relayed.answerer else { throw Self.notInProgress }
    if let obstacle = obstacle(to: waiter, at: port) { throw obstacle }
    relayed.admitSignIn()
  }

  private static let notInProgress = BusError(.invalidRequest, "the request is not in progress any more")

  /// Waits for the answer of a sign-in that the user has allowed, of a request in progress.
  private func expect(_ redirect: ExpectedRedirect, for id: String) throws(BusError) {
    guard let relayed = requests[id] else { throw Self.notInProgress }
    relayed.allowSignIn()
    guard let waiter = relayed.answerer else { throw Self.notInProgress }
    // Without a carrier, the program waits at the port itself.
    guard let carrier = waiter.carrier else { return }
    let signIn = try signIns.start(redirect, for: id, by: carrier)
    carrier.expect(signIn, for: waiter.request.id)
  }

  /// Requires that the caller is the broker, because the user has allowed the call there.
  private static func requireBroker(_ sender: BusName, on bus: BusConnection) async throws(BusError) {
    guard try await bus.owner(of: BrokerInterface.busName) == sender else {
      throw BusError(.accessDenied, "only the broker may call a relay")
    }
  }

  /// Withdraws a request of a client that has disconnected, if it begins a sign-in whose answer only this client could carry.
  func cancelSignIn(_ id: String) async {
    let relayed = requests[RemoteRequest.brokerID(of: id, from: machine)]
    guard let relayed, relayed.signIn.isKnown, relayed.answerer == nil else { return }
    await cancel(id)
  }

  /// Withdraws a request of a client.
  func cancel(_ id: String) async {
    // The request may have ended already.
    try? await bus.call(
      BrokerInterface.cancel, at: BrokerInterface.broker, RemoteRequest.brokerID(of: id, from: machine))
  }
}

extension BusError {
  /// Returns the error with links at the end of its message, for a client that has sent them.
  fileprivate func naming(_ urls: [String]) -> BusError {
    let lines = urls.map { "  \($0)" }.joined(separator: "\n")
    return BusError(name, "\(message):\n\(lines)", details: details)
  }
}
