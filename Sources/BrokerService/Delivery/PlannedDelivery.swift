import BrokerCore
import BusInterfaces
import DBus
import State

/// The delivery of one group of a request's URLs, as it is planned, stored and charged before it starts.
struct PlannedDelivery: Sendable {
  let group: RequestGroup
  /// The index of the delivery in the receipt.
  let index: Int
  let isFallback: Bool
  var envelope: Envelope
  let quota: QuotaShare
  /// The outcome of a group that is not delivered at all; otherwise `nil`.
  var finished: Delivery?

  /// The target's desktop-file ID; `nil` for a program that a route runs.
  var application: String? { group.application }

  /// The stored form.
  var pending: PendingRequest.Part {
    PendingRequest.Part(
      place: index, target: application, content: finished == nil ? envelope.json : "",
      progress: finished == nil ? .queued : .ended,
      result: finished.map { JSONText.line($0.entries) }, isFallback: isFallback)
  }
}
