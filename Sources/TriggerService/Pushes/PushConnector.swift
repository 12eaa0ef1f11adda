// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Logging
import State
import Triggers
import WebPush

/// The object of `org.unifiedpush.Connector2` and `Connector1`, which receives messages for applications that may not run.
///
/// A message is stored before the reply, because the distributor then reports to its server that it has arrived.
@BrokerActor
final class PushConnector {
  private let bus: BusConnection
  private let registrations: PushRegistrations
  private let presenter: Presenter
  private let pushes: BackgroundPushes
  private let identification: SourceIdentification
  private let clock: TriggerClock
  private let log: Logger
  private let gate: CallGate

  init(
    on bus: BusConnection, registrations: PushRegistrations, presenter: Presenter, pushes: BackgroundPushes,
    identification: SourceIdentification, clock: TriggerClock, log: Logger,
    gate: CallGate
  ) {
    self.bus = bus
    self.registrations = registrations
    self.presenter = presenter
    self.pushes = pushes
    self.identification = identification
    self.clock = clock
    self.log = log
    self.gate = gate
  }

  /// Serves the object.
  func export() async throws(BusError) {
    typealias Connector = UnifiedPush.Connector
    try await bus.export(
      BusObject(
        UnifiedPush.connectorPath,
        [
          .method(Connector.message) { call, arguments async throws(BusError) in
            guard case .bytes(let message)? = arguments["message"] else {
              throw BusError(.invalidArgs, "“message” ay is missing")
            }
            let id = arguments["id"]?.string ?? ""
            try await self.serve(call, for: arguments["token"]?.string, mayHaveExited: true) {
              registration async throws(BusError) in
              try await self.receive(message, id: id, for: registration)
            }
            return id.isEmpty ? [:] : ["id": .string(id)]
          },
          .method(Connector.newEndpoint) { call, arguments async throws(BusError) in
            try await self.serve(call, for: arguments["token"]?.string) {
              registration async throws(BusError) in
              try await self.registrations.setEndpoint(
                arguments["endpoint"]?.string ?? "", of: registration)
            }
            return [:]
          },
          .method(Connector.unregistered) { call, arguments async throws(BusError) in
            try await self.serve(call, for: arguments["token"]?.string) {
              registration async throws(BusError) in
              try await self.registrations.end(registration)
            }
            return [:]
          },
          .method(Connector.message1) { call, token, message, id async throws(BusError) in
            try await self.serve(call, for: token, mayHaveExited: true) {
              registration async throws(BusError) in
              try await self.receive(message, id: id, for: registration)
            }
          },
          .method(Connector.newEndpoint1) { call, token, endpoint async throws(BusError) in
            try await self.serve(call, for: token) { registration async throws(BusError) in
              try await self.registrations.setEndpoint(endpoint, of: registration)
            }
          },
          .method(Connector.unregistered1) { call, token async throws(BusError) in
            try await self.serve(call, for: token) { registration async throws(BusError) in
              try await self.registrations.end(registration)
            }
          },
        ]))
  }

  /// Runs a call of the distributor for the registration with `token`; a call for an unknown token has no effect.
  ///
  /// - Parameter mayHaveExited: Whether the call counts if no distributor owns the name any more: its content proves where it is from.
  private func serve(
    _ call: BusCall, for token: String?, mayHaveExited: Bool = false,
    _ body: (StoredRegistration) async throws(BusError) -> Void
  ) async throws(BusError) {
    try await gate.serve { () async throws(BusError) in
      guard let token, let registration = registrations.registration(token: token) else { return }
      try await requireDistributor(call.sender, of: registration, mayHaveExited: mayHaveExited)
      // It may have changed in the meantime.
      guard let current = registrations.registration(token: token) else { return }
      try await body(current)
    }
  }

  /// Requires that the caller is the distributor of the registration.
  private func requireDistributor(
    _ sender: BusName, of registration: StoredRegistration, mayHaveExited: Bool
  ) async throws(BusError) {
    guard let name = BusName(registration.distributor) else { return }
    let owner = try await bus.owner(of: name)
    if owner == sender || owner == nil && mayHaveExited { return }
    throw BusError(.accessDenied, "the registration belongs to \(registration.distributor)")
  }

  /// Stores a message, shows its alert, and has the application started for it if that is necessary.
  private func receive(
    _ message: [UInt8], id: String, for registration: StoredRegistration
  ) async throws(BusError) {
    let application = registration.application
    guard id.utf8.count <= NotificationLimits.identifier else {
      throw BusError(
        .invalidArgs, "“id” has more than \(NotificationLimits.identifier) bytes")
    }
    guard let applicationID = ApplicationID(rawValue: application),
      await identification.isInstalled(applicationID)
    else {
      log.notice("a push message for \(application) is dropped, because the application is not installed")
      return
    }
    // The registration may have ended meanwhile, or the user has registered the application.
    guard let registration = registrations.registration(token: registration.token) else { return }
    let decrypted: [UInt8]
    do throws(WebPushError) {
      let keys = try PushKeys(
        privateKey: registration.privateKey, publicKey: registration.publicKey,
        authenticationSecret: registration.authenticationSecret)
      decrypted = try keys.decrypt(message)
    } catch {
      // The distributor would send it again after an error, with the same result.
      log.warning("a push message for \(application) is dropped: \(error)")
      return
    }
    let notification = RemoteNotification(message: decrypted)
    let pushID = RequestID.random()
    let push = StoredPush(
      id: pushID, application: application, token: registration.token,
      message: id.isEmpty ? pushID : id,
      content: notification.isForBackground ? notification.payload.json : nil,
      date: clock.now.milliseconds)
    let request = notification.content.map { content in
      NotificationRequest(
        identifier: "push-\(pushID)", content: content, remotePayload: notification.payload)
    }
    guard try presenter.receive(push, showing: request, isOfUser: registration.isOfUser) else {
      log.notice(
        "a push message for \(application) is dropped, because a message with its ID was received before")
      return
    }
    if notification.isForBackground { pushes.send(push) }
  }
}
