// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus
import Logging
import RemoteProtocol
import Systemd

/// A connection of a remote client.
@BrokerActor
final class RelayedClient {
  private let connection: StreamConnection
  private unowned let relay: Relay
  private var stream = RemoteStream()
  /// The IDs of the requests in progress.
  private var requests: Set<String> = []
  private var silence: Task<Void, Never>?
  /// A Boolean value that indicates whether the client is rejected, so that nothing that it sends is read any more.
  private var isRejected = false
  /// The part that carries the answers of sign-ins.
  let carrier: ClientCarrier
  /// A Boolean value that indicates whether the client has the network of the desktop, as far as the kernel knows.
  var sharesNetwork: Bool { connection.hasOwnNetwork }

  init(_ connection: StreamConnection, of relay: Relay) {
    self.connection = connection
    self.relay = relay
    carrier = ClientCarrier(of: relay.machine) { connection.send($0) }
  }

  /// Introduces the relay, and starts to read.
  func start() {
    // In one packet of ssh.
    let ready = RemoteMessage(
      .ready,
      [
        "machine": relay.machine.name, "version": UsherVersion.text,
        "accepts": RemoteMessage.Kind.open.rawValue, "accepts": RemoteMessage.Kind.register.rawValue,
      ])
    connection.send(RemoteStream.greeting + (ready.bytes ?? []))
    connection.start { [weak self] bytes in
      self?.receive(bytes)
    } ended: { [weak self] in
      self?.finish()
    }
    silence = EventLoop.shared.start { [weak self] in
      guard (try? await EventLoop.shared.sleep(for: RelayLimits.silence)) != nil else { return }
      self?.reject("no request has arrived within \(RelayLimits.silence.components.seconds) s")
    }
  }

  /// Sends a line about the progress of a request.
  func report(_ text: String, of id: String) { send(RemoteMessage(.progress, ["id": id, "text": text])) }

  /// Closes the connection.
  func disconnect() { connection.close() }

  private func finish() {
    silence?.cancel()
    carrier.disconnect()
    // A request that the broker has continues: the client may reconnect, and ask for its outcome. It cannot reconnect to carry an answer.
    for id in requests { EventLoop.shared.start { [self] in await relay.cancelSignIn(id) } }
    relay.forget(self)
  }

  /// Sends a message; returns `false` if it is too long.
  @discardableResult
  func send(_ message: RemoteMessage) -> Bool { connection.send(message) }

  private func reject(_ reason: String) {
    guard !isRejected else { return }
    isRejected = true
    relay.log.info("a client of \(relay.machine) is disconnected: \(reason)")
    send(RemoteMessage(.rejection, ["error": reason]))
    connection.closeWhenSent(within: RelayLimits.rejection)
  }

  private func receive(_ bytes: [UInt8]) {
    guard !isRejected else { return }
    stream.append(bytes)
    do throws(RemoteStream.Failure) {
      // A reply may end the connection, and nothing would end what a later message begins.
      while carrier.isConnected, let message = try stream.next() { handle(message) }
    } catch {
      reject("\(error)")
    }
  }

  private func handle(_ message: RemoteMessage) {
    switch message.kind {
    case .open:
      silence?.cancel()
      open(message)
    case .register:
      silence?.cancel()
      relay.schemes.register(message, for: self)
    case .handled: relay.schemes.finish(message, for: self)
    case .carried: carrier.receive(message)
    case .cancel:
      guard let id = message["id"] else { return }
      relay.schemes.end(of: self, id: id)
      guard requests.contains(id) else { return }
      EventLoop.shared.start { await self.relay.cancel(id) }
    case nil:
      guard let id = message["id"] else { return }
      let error = BusError(
        .invalidRequest,
        "Usher \(UsherVersion.text) on the desktop knows no request of the kind “\(message.kindName.shortened(toBytes: 40))”; install a newer version there"
      )
      send(RemoteMessage(OpenResult(error, of: id, by: .broker), of: id))
    case .ready, .progress, .result, .rejection, .registered, .link, .carry, .ended: break
    }
  }

  /// Reports again and again that a request waits for the user.
  func remind(of id: String, _ text: String) -> Task<Void, Never> {
    Reminder.start { [weak self] in self?.report(text, of: id) }
  }

  private func open(_ message: RemoteMessage) {
    let id = message["id"] ?? ""
    do throws(BusError) {
      let request = try RemoteRequest(message, from: relay.machine)
      guard !requests.contains(request.id) else {
        throw BusError(.invalidRequest, "id: a request with this ID is in progress")
      }
      guard requests.count < RelayLimits.requests, requests.insert(request.id).inserted else {
        throw BusError(
          .tooMany,
          "\(requests.count) requests of this connection are in progress; wait until some are answered")
      }
      EventLoop.shared.start { [self] in
        let result = await relay.open(request, for: self)
        requests.remove(request.id)
        carrier.send(result, of: request.id)
      }
    } catch {
      send(RemoteMessage(OpenResult(error, of: id, by: .broker), of: id))
    }
  }
}

extension StreamConnection {
  /// Sends a message; returns `false` if it is too long.
  @discardableResult
  fileprivate func send(_ message: RemoteMessage) -> Bool {
    guard let bytes = message.bytes else { return false }
    send(bytes)
    return true
  }
}

extension RemoteMessage {
  /// Creates the message with the result of a request; if it is too long for the connection, without the values and the receipt.
  ///
  /// - Parameter stay: The time for which the client stays to carry the answer of a sign-in; `nil` if it need not.
  init(_ result: OpenResult, of id: String, stay: Duration? = nil) {
    self.init(
      .result,
      ["id": id, "status": "\(result.exitStatus)", "xdg-status": "\(XDGOpenStatus(result).rawValue)"])
    if let stay { fields.append(Field("stay", "\(stay.components.seconds)")) }
    let head = fields
    if let failure = result.failure {
      fields.append(Field("error", "the desktop reports: \(failure.message)"))
    }
    for delivery in result.deliveries where delivery.outcome != .failed {
      let value = delivery.value.map { ": \($0.json)" } ?? ""
      fields.append(Field("line", "\(delivery.application ?? "a program") \(delivery.progressText)\(value)"))
      if let value = delivery.value { fields.append(Field("value", value.json)) }
    }
    fields.append(Field("json", result.json))
    guard bytes == nil else { return }
    // Without a result, the client would wait for its timeout, and report an unknown outcome.
    let omission = "the rest of the result is left out, because it exceeds the limit of \(Self.limit) bytes"
    fields = head
    if let failure = result.failure {
      let message = "\(failure.message.shortened(toBytes: Delivery.maximumText)); \(omission)"
      fields.append(Field("error", "the desktop reports: \(message)"))
      fields.append(Field("json", result.json(saying: message)))
    } else {
      fields.append(Field("line", omission))
      fields.append(Field("json", result.json(saying: omission)))
    }
  }
}

extension OpenResult {
  /// Returns the JSON object without the deliveries, and with this message.
  fileprivate func json(saying message: String) -> String {
    var entries = reported.filter { ["request-id", "outcome", "error"].contains($0.key) }
    entries["deliveries"] = .array(of: "a{sv}", [])
    entries["message"] = .string(message)
    return JSONText.line(entries)
  }
}
