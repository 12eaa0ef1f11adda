// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import Logging
import RemoteProtocol
import Systemd

/// A sign-in that the user has allowed: the relay listens at the port of its redirect, and carries the answer to the machine.
@BrokerActor
final class SignIn {
  let redirect: ExpectedRedirect
  /// The ID of the request, for the broker.
  let requestID: String
  private let machine: RemoteMachine
  private let log: Logger
  private let carrier: any SignInCarrier
  /// Reports that nothing is left; `nil` after the call.
  private var released: ((SignIn) -> Void)?

  private var state = SignInState.waiting(rejections: 0)
  private var listeners: [LoopbackListener] = []
  private var clients: [ObjectIdentifier: Client] = [:]
  /// The client whose request is carried.
  private var answerer: ObjectIdentifier?
  /// The host of the issuer that the answer names, if it is not that of the site.
  private var otherIssuer: String?
  /// The end of the time for the current state.
  private var timer: LoopTimer?

  /// A connection to the port.
  private struct Client {
    let connection: StreamConnection
    var bytes: [UInt8] = []
    /// A Boolean value that indicates whether the request has arrived; later bytes are dropped.
    var hasAsked = false
    /// The end of the client's time.
    var timer: LoopTimer?
  }

  /// Creates a sign-in.
  ///
  /// - Parameters:
  ///   - carrier: The carrier of the answer, which reports the result with ``apply(_:)``.
  ///   - released: Called once, when nothing is left of the sign-in.
  init(
    _ redirect: ExpectedRedirect, requestID: String, of machine: RemoteMachine, log: Logger,
    by carrier: any SignInCarrier, released: @escaping (SignIn) -> Void
  ) {
    self.redirect = redirect
    self.requestID = requestID
    self.machine = machine
    self.log = log
    self.carrier = carrier
    self.released = released
  }

  /// A Boolean value that indicates whether the client that would carry the answer has disconnected.
  private(set) var isAbandoned = false

  /// A Boolean value that indicates whether the sign-in occupies its port, or carries its answer.
  var isActive: Bool { if case .finished = state { false } else { true } }

  /// Starts to listen at the addresses of the redirect.
  ///
  /// - Throws: `SystemdError` if a program uses the port, or the machine has no such address.
  func start() throws(SystemdError) {
    for address in LoopbackListener.Address.allCases where redirect.host.includes(address) {
      do throws(SystemdError) {
        listeners.append(
          try LoopbackListener(port: redirect.port, of: address, on: .shared) { [weak self] connection in
            EventLoop.shared.start { await self?.accept(connection) }
          })
      } catch  where error.isAddressMissing && redirect.host == .name {
        // The machine has no IPv6, so that the name stands for the other address.
      } catch {
        stopListening()
        throw error
      }
    }
    limit(to: RelayLimits.signIn)
    log.info("waiting at port \(redirect.port) for the answer of \(redirect.site) for \(machine)")
  }

  /// Records that the client has disconnected.
  ///
  /// A sign-in that waits continues, so that the browser shows that the answer cannot be carried.
  func abandon() {
    isAbandoned = true
    apply(.notCarried)
  }

  /// Applies an event that does not come from a client.
  func apply(_ event: SignInState.Event) { apply(event, of: nil) }

  private func apply(_ event: SignInState.Event, of client: ObjectIdentifier?) {
    for effect in state.apply(event) {
      switch effect {
      case .reject(let mismatch):
        log.debug("a request at port \(redirect.port) is not the answer of the sign-in: \(mismatch)")
        respond(SignInPage.response(to: mismatch), to: client)
      case .stopListening:
        stopListening()
        disconnect { $0 != client }
      case .carry(let request):
        answerer = client
        otherIssuer = redirect.otherIssuer(of: request)
        if let client { clients[client]?.timer?.cancel() }
        limit(to: RelayLimits.carrying)
        carrier.carry(request, of: self)
      case .show(let outcome):
        respond(
          SignInPage.response(to: outcome, at: redirect.site, from: otherIssuer, for: machine), to: answerer)
      case .release: release()
      }
    }
  }

  private func release() {
    if case .finished(let outcome) = state {
      log.info("the sign-in at \(redirect.site) for \(machine) has ended: \(outcome)")
    }
    timer?.cancel()
    stopListening()
    // The others read their responses first.
    disconnect { clients[$0]?.hasAsked == false }
    reportRelease()
  }

  private func limit(to time: Duration) {
    timer?.cancel()
    timer = LoopTimer(on: .shared, after: time) { [weak self] in self?.apply(.timeout) }
  }

  private func stopListening() {
    for listener in listeners { listener.end() }
    listeners = []
  }

  // MARK: Clients

  private func accept(_ connection: StreamConnection) {
    guard case .waiting = state, clients.count < RelayLimits.signInClients else { return connection.close() }
    let id = ObjectIdentifier(connection)
    clients[id] = Client(connection: connection)
    limit(id, to: RelayLimits.requestHead)
    connection.start { [weak self] bytes in
      self?.receive(bytes, from: id)
    } ended: { [weak self] in
      self?.forget(id)
    }
  }

  private func receive(_ bytes: [UInt8], from id: ObjectIdentifier) {
    guard clients[id]?.hasAsked == false else { return }
    clients[id]?.bytes += bytes
    do throws(HTTPRequestHead.Failure) {
      guard let head = try HTTPRequestHead.read(clients[id]?.bytes ?? []) else { return }
      clients[id]?.hasAsked = true
      apply(.request(redirect.request(for: head)), of: id)
    } catch {
      clients[id]?.hasAsked = true
      apply(.request(.failure(error == .tooLong ? .tooLong : .malformed)), of: id)
    }
  }

  private func respond(_ response: [UInt8], to id: ObjectIdentifier?) {
    guard let id, let client = clients[id] else { return }
    limit(id, to: RelayLimits.response)
    client.connection.send(response)
    client.connection.endOutputWhenSent()
  }

  private func limit(_ id: ObjectIdentifier, to time: Duration) {
    clients[id]?.timer?.cancel()
    clients[id]?.timer = LoopTimer(on: .shared, after: time) { [weak self] in
      self?.clients[id]?.connection.close()
    }
  }

  private func disconnect(where condition: (ObjectIdentifier) -> Bool) {
    for id in clients.keys.filter(condition) { clients[id]?.connection.close() }
  }

  private func forget(_ id: ObjectIdentifier) {
    clients.removeValue(forKey: id)?.timer?.cancel()
    reportRelease()
  }

  private func reportRelease() {
    guard !isActive, clients.isEmpty, let released else { return }
    self.released = nil
    carrier.forget(self)
    released(self)
  }
}

extension LoopbackHost {
  /// Returns whether browsers connect to an address for this host.
  fileprivate func includes(_ address: LoopbackListener.Address) -> Bool {
    switch (self, address) {
    case (.name, _), (.ipv4, .ipv4), (.ipv6, .ipv6): true
    case (.ipv4, .ipv6), (.ipv6, .ipv4): false
    }
  }
}
