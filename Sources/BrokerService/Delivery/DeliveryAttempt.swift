// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Launching

/// The result of one attempt to deliver a request.
enum DeliveryAttempt: Sendable {
  /// Ready to be sent as an envelope to this object, in the same turn of the event loop.
  case ready(RemoteObject)
  /// Finished, with the event and the delivery to report.
  case finished(RequestEvent, Delivery)
  /// Sent; the reply is handled later, and the next request may follow.
  case sent
  /// Certainly not delivered: the next strategy may be tried.
  case notDelivered(String)
  /// The bus was disconnected.
  case busDisconnected
  /// Not sent, because earlier requests have returned to the queue in the meantime, and precede it.
  case overtaking
  /// The request could not be stored as sent, which is required before it is sent.
  case cannotStore
  /// The target cannot be started on the display of a session, which applies to all requests that wait for a start there; without a session
  /// to all that wait for the target.
  case cannotStart(String, on: CallerSession?)

  /// Creates the result for a job that could not be sent, or was not because the broker is stopping.
  @BrokerActor
  init(notSent job: DeliveryJob) { self = job.life.isWaiting ? .cannotStore : .sent }
}

/// The cause of a failed delivery call.
enum DeliveryFailure: Equatable {
  /// Nothing was delivered.
  case notDelivered
  /// Nothing was delivered, because the target has no such object, interface or method.
  case notServed
  /// The target replied that it is exiting. Nothing was delivered if it has released its name; otherwise it passes on the error of a call of its own.
  case exiting
  /// The target exited, so the outcome is unknown.
  case exited
  /// The bus was disconnected, so the outcome is unknown.
  case busDisconnected
  /// There was no reply in time, so the outcome is unknown.
  case timedOut
  /// The target does not handle the request any more, because it was cancelled.
  case withdrawn
  /// The target cannot know whether the request had its effect, for example because it crashed twice during it.
  case outcomeUnknown
  /// The target waited for the request to be handled elsewhere, and lost the connection, so the outcome is unknown.
  case lost
  /// The target replied, and its reply cannot be read, so the outcome is unknown.
  case unreadable
  /// The target itself replied with an error.
  case refused

  /// Classifies the error of a call that carried a request.
  ///
  /// - Parameter servesEnvelopes: Whether the target serves `Application1`, so that it replies `NameHasNoOwner` to what it has not accepted.
  init(_ error: BusError, servesEnvelopes: Bool) {
    self =
      switch error.busFailure {
      case _ where error.isOfUnreadableReply: .unreadable
      case .serviceUnknown, .nameHasNoOwner, .notStarted, .exitedAtStart, .startTimedOut, .notSent:
        .notDelivered
      case .noReply: .exited
      case .disconnected: .busDisconnected
      case .timeout, .cancelled: .timedOut
      case nil: Self(reply: error, servesEnvelopes: servesEnvelopes)
      }
  }

  /// Classifies an error that the target itself replied.
  private init(reply error: BusError, servesEnvelopes: Bool) {
    switch error.brokerError {
    case .cancelled: self = .withdrawn
    case .targetFailed: self = .outcomeUnknown
    case .timeout: self = .lost
    case _ where error.isOfMissingObject: self = .notServed
    case _ where error.name == .notSupported: self = .notDelivered
    case _ where error.name == .nameHasNoOwner && servesEnvelopes: self = .exiting
    default: self = .refused
    }
  }
}
