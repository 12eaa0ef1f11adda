// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus
import RemoteProtocol

/// A scheme that a client has registered: the application, for the broker, that receives its links.
@BrokerActor
final class RelayedScheme {
  /// The ID that the client has chosen.
  let id: String
  /// The scheme and the machine.
  let registration: SchemeRegistration
  /// The client that receives the links.
  let client: RelayedClient
  /// The decision of the user, `true` if the registration is allowed.
  private let decision = Promise<Bool>()
  /// A Boolean value that indicates whether the registration has ended.
  private(set) var hasEnded = false
  private var deliveries = LinkDeliveries()
  /// The outcomes that the broker waits for, by the ID of the delivery.
  private var outcomes: [String: Promise<LinkDeliveries.Outcome>] = [:]

  init(_ id: String, _ registration: SchemeRegistration, for client: RelayedClient) {
    self.id = id
    self.registration = registration
    self.client = client
  }

  /// Returns the object that the broker calls.
  ///
  /// - Parameter requireBroker: Throws if a caller is not the broker.
  func object(
    _ requireBroker: @escaping @BrokerActor (BusName) async throws(BusError) -> Void
  ) -> BusObject? {
    guard let path = ObjectPath(registration.objectPath) else { return nil }
    return BusObject(
      path,
      [
        .method(Application1Interface.deliver, limit: RequestSize.limit) {
          call, entries async throws(BusError) in
          try await requireBroker(call.sender)
          let envelope = try decoded(Envelope(entries))
          return try await self.deliver(envelope).entries
        },
        .method(Application1Interface.cancel) { call, _ async throws(BusError) in
          // The program may have accepted the link, so that it cannot be withdrawn.
          try await requireBroker(call.sender)
        },
      ])
  }

  /// Sets whether the user has allowed the registration.
  func decide(isAllowed: Bool) { decision.fulfil(isAllowed) }

  /// Receives the report of the client about a delivery.
  func finish(_ message: RemoteMessage) {
    if let number = message["delivery"].flatMap({ UInt64($0) }) {
      finish(number, LinkDeliveries.Outcome(reportedBy: message))
    }
  }

  private func finish(_ number: UInt64, _ outcome: LinkDeliveries.Outcome) {
    if let requestID = deliveries.finish(number, outcome) { fulfil(requestID, outcome) }
  }

  /// Ends the registration: the outcome of links that the client has not answered is unknown.
  ///
  /// - Parameter reason: The reason of the end, as a clause.
  func end(because reason: String) {
    hasEnded = true
    decision.fulfil(false)
    let outcome = LinkDeliveries.Outcome.unknown("\(reason) before the program there answered")
    for requestID in deliveries.finishAll(outcome) { fulfil(requestID, outcome) }
  }

  private func fulfil(_ requestID: String, _ outcome: LinkDeliveries.Outcome) {
    outcomes.removeValue(forKey: requestID)?.fulfil(outcome)
  }

  private func deliver(_ envelope: Envelope) async throws(BusError) -> Reply {
    // The broker may be faster than its own reply to the relay.
    guard await decision.value else {
      throw BusError(.notSupported, "the machine has registered no scheme here")
    }
    guard envelope.reason == .url, !envelope.urls.isEmpty,
      envelope.urls.allSatisfy(registration.covers)
    else {
      return Reply(handled: false)
    }
    switch deliveries.begin(
      envelope.requestID, mayHaveBeenSent: envelope.isRedelivered || envelope.isRepeated)
    {
    case .tooMany:
      throw BusError(
        .tooMany,
        "\(LinkDeliveries.maximumWaiting) links wait for the program \(registration.machine.location)")
    case .finished(let outcome): return try Self.reply(outcome)
    case .wait: break
    case .send(let number):
      outcomes[envelope.requestID] = Promise()
      var message = RemoteMessage(
        .link, ["id": id, "delivery": "\(number)", "hops": "\(envelope.hops)"])
      message.fields += envelope.urls.map { RemoteMessage.Field("url", $0) }
      if !client.send(message) {
        let outcome = LinkDeliveries.Outcome.failed("the links are too long for the connection")
        finish(number, outcome)
        return try Self.reply(outcome)
      }
    }
    guard let outcome = outcomes[envelope.requestID] else {
      throw BusError(.targetFailed, "the delivery has ended")
    }
    return try Self.reply(await outcome.value)
  }

  private static func reply(_ outcome: LinkDeliveries.Outcome) throws(BusError) -> Reply {
    switch outcome {
    case .handled: return Reply(handled: true)
    case .failed(let reason): return Reply(handled: false, error: reason)
    case .unknown(let reason): throw BusError(.timeout, reason)
    }
  }
}
