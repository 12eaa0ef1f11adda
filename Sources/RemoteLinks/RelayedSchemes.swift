// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus
import Logging
import RemoteProtocol
import Systemd

/// The schemes that the programs on a machine have registered through a relay.
///
/// The relay owns a bus name for each, so that the broker and the desktop know when it has ended, however it ends.
@BrokerActor
final class RelayedSchemes {
  private let machine: RemoteMachine
  private let bus: BusConnection
  private let pause: RefusalPause
  private let requireBroker: @BrokerActor (BusName) async throws(BusError) -> Void
  private var schemes: [String: RelayedScheme] = [:]
  private var rates = RateLimiter(
    maximum: RelayLimits.registrations, interval: RelayLimits.registrationInterval)

  /// Creates the schemes of a machine.
  ///
  /// - Parameters:
  ///   - pause: The pause after a question that the user has not allowed.
  ///   - requireBroker: Throws if a caller is not the broker.
  init(
    of machine: RemoteMachine, on bus: BusConnection, pause: RefusalPause,
    _ requireBroker: @escaping @BrokerActor (BusName) async throws(BusError) -> Void
  ) {
    self.machine = machine
    self.bus = bus
    self.pause = pause
    self.requireBroker = requireBroker
  }

  /// Registers the scheme of a message, and informs the client of the result.
  ///
  /// The registration exists when this function returns, so that the client can withdraw it, and ends it by disconnecting.
  func register(_ message: RemoteMessage, for client: RelayedClient) {
    let id = message["id"] ?? ""
    do throws(BusError) {
      guard RequestID.isValid(id) else {
        throw BusError(.invalidRequest, "id: write \(RequestID.rule)")
      }
      guard let registration = SchemeRegistration(of: message["scheme"] ?? "", for: machine) else {
        throw BusError(.invalidRequest, "scheme: write a scheme without a colon, such as com.example.tool")
      }
      let requested = message["timeout"].flatMap { Int64($0) }.map { Duration.microseconds($0) }
      let timeout = min(max(requested ?? RelayLimits.userAnswer, .seconds(1)), .seconds(86_400))
      let new = RelayedScheme(id, registration, for: client)
      try admit(new)
      EventLoop.shared.start { await self.register(new, timeout: timeout) }
    } catch {
      client.send(RemoteMessage(OpenResult(error, of: id, by: .broker), of: id))
    }
  }

  private func register(_ new: RelayedScheme, timeout: Duration) async {
    do throws(BusError) {
      try await acquireName(of: new)
      try await askUser(about: new, timeout: timeout)
      new.decide(isAllowed: true)
      new.client.send(
        RemoteMessage(.registered, ["id": new.id, "scheme": new.registration.schemeName]))
    } catch {
      await giveUp(new, because: error)
      new.client.send(RemoteMessage(OpenResult(error, of: new.id, by: .broker), of: new.id))
    }
  }

  private func admit(_ new: RelayedScheme) throws(BusError) {
    let name = new.registration.busName
    if let obstacle = pause.obstacle(for: machine) { throw obstacle }
    // A bus name that gets or loses its owner wakes every program that watches the bus, and the broker reads the policy.
    if let refusal = new.registration.refusal { throw BusError(.denied, refusal) }
    guard rates.take(machine.name, at: .now) else {
      throw BusError(
        .tooMany,
        "\(machine.shortTitle) has requested more than \(RelayLimits.registrations) registrations within \(RelayLimits.registrationInterval.components.seconds) s; try again later"
      )
    }
    guard schemes[name] == nil else {
      throw BusError(.denied, "another program of this machine has registered it")
    }
    guard schemes.values.allSatisfy({ $0.client !== new.client || $0.id != new.id }) else {
      throw BusError(.invalidRequest, "id: a registration with this ID is in progress")
    }
    guard schemes.count < SchemeRegistration.maximumCount else {
      throw BusError(
        .tooMany,
        "\(machine) has registered \(schemes.count) schemes; end one of the programs that wait for links")
    }
    schemes[name] = new
  }

  /// Acquires the bus name of a scheme, and serves its object.
  private func acquireName(of new: RelayedScheme) async throws(BusError) {
    guard let busName = BusName(new.registration.busName), let object = new.object(requireBroker) else {
      throw BusError(.invalidRequest, "the scheme cannot be registered")
    }
    guard try await bus.requestName(busName) == .owned else {
      throw BusError(.denied, "another connection of this machine has registered it")
    }
    guard !new.hasEnded else { throw BusError(.cancelled, "the program has disconnected") }
    try await bus.export(object)
  }

  private func askUser(about new: RelayedScheme, timeout: Duration) async throws(BusError) {
    let reminder = new.client.remind(of: new.id, "the desktop asks its user about this registration")
    defer { reminder.cancel() }
    _ = try await bus.call(
      BrokerInterface.registerScheme, at: BrokerInterface.broker, new.registration.schemeName,
      [
        "remote": .string(machine.name),
        "timeout": .uint64(UInt64(timeout / .microseconds(1))),
      ], timeout: timeout + RelayLimits.grace)
    guard schemes[new.registration.busName] === new else {
      throw BusError(.cancelled, "the program has disconnected")
    }
  }

  /// Ends a scheme that could not be registered; a pause begins if the user has not allowed it.
  private func giveUp(_ new: RelayedScheme, because error: BusError) async {
    let isWithdrawn = schemes[new.registration.busName] !== new
    if error.details["asked"] == .boolean(true) {
      pause.begin()
    } else if error.brokerError == .cancelled, isWithdrawn {
      pause.noteWithdrawal()
    }
    if !isWithdrawn { await end(new) }
  }

  /// Receives the report of a client about links.
  func finish(_ message: RemoteMessage, for client: RelayedClient) {
    schemes.values.first { $0.client === client && $0.id == message["id"] }?.finish(message)
  }

  /// Ends the registrations of a client that has disconnected, or that withdraws the one with this ID.
  func end(of client: RelayedClient, id: String? = nil) {
    for scheme in schemes.values where scheme.client === client && (id ?? scheme.id) == scheme.id {
      EventLoop.shared.start { await self.end(scheme) }
    }
  }

  /// Ends the registration of a scheme, and informs its program.
  func endAsUserRequests(_ scheme: String) {
    guard let former = schemes.values.first(where: { $0.registration.schemeName == scheme }) else { return }
    // The program could ask the user again at once.
    pause.begin()
    let reason = "the user has ended the registration of \(scheme)"
    former.client.send(
      RemoteMessage(OpenResult(BusError(.denied, reason), of: former.id, by: .broker), of: former.id))
    EventLoop.shared.start { await self.end(former, because: reason) }
  }

  private func end(_ former: RelayedScheme, because reason: String? = nil) async {
    let name = former.registration.busName
    guard schemes[name] === former, !former.hasEnded else { return }
    former.end(because: reason ?? "the connection to \(machine) was lost")
    if let path = ObjectPath(former.registration.objectPath) { await bus.unexport(path) }
    // The name is released before another program can register the scheme.
    if let busName = BusName(name) { try? await bus.releaseName(busName) }
    schemes[name] = nil
  }
}
