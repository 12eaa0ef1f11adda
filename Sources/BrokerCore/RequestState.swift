// SPDX-License-Identifier: Apache-2.0
/// The method of a delivery, on which its guarantees depend.
public enum DeliveryMethod: String, CaseIterable, Hashable, Sendable {
  /// An envelope, sent with `org.usher.Application1.Deliver`.
  ///
  /// The application detects repeated requests by their IDs.
  case application1
  /// A call of `org.freedesktop.Application`.
  case standard
  /// The start of a program.
  case program
  /// The start of a program for whose exit the broker waits.
  case awaitedProgram
}

/// The traces of earlier attempts to deliver a request.
///
/// The raw value is the stored form.
public enum EarlierAttempts: Int, CaseIterable, Hashable, Sendable {
  /// Nothing: no attempt can have reached the target.
  case none = 0
  /// The target has crashed once while it had the request.
  case crashed = 1
  /// An attempt of an earlier broker, or over a bus that was lost, may have reached the target.
  ///
  /// The target may still have the request, and may have handled it.
  case sent = 2

  /// The attempts after one that may have reached the target.
  var afterSending: EarlierAttempts { self == .crashed ? .crashed : .sent }
}

/// The state of a delivery, which is the part of a request for one target.
public enum RequestState: Hashable, Sendable {
  /// Decided, but neither stored nor acknowledged to the caller.
  case received(earlier: EarlierAttempts)
  /// Stored and queued.
  case queued(earlier: EarlierAttempts)
  /// Queued but not stored, because storing failed; it waits as long as its caller does.
  case unpersisted(earlier: EarlierAttempts)
  /// The record of its sending is being stored.
  case markingSent(DeliveryMethod, earlier: EarlierAttempts)
  /// Sent, without a reply so far.
  case sent(DeliveryMethod, stored: Bool, earlier: EarlierAttempts)
  /// Sent, and the caller received the outcome `unknown` after its timeout.
  case timedOut(DeliveryMethod, stored: Bool, earlier: EarlierAttempts)
  /// Sent as an envelope, and then cancelled by the caller, who waits until the application has the cancellation.
  case cancelling(stored: Bool, earlier: EarlierAttempts)
  /// Sent, and then cancelled by the caller, who received the outcome `unknown`.
  case cancelledInFlight(DeliveryMethod, earlier: EarlierAttempts)
  /// The program was started; its exit status is not known yet.
  case delivered
  /// Finished.
  case ended(RequestOutcome)

  /// The name of the state in the table of `docs/delivery.md`.
  public var name: String {
    switch self {
    case .received: "received"
    case .queued: "queued"
    case .unpersisted: "unpersisted"
    case .markingSent: "marking-sent"
    case .sent: "sent"
    case .timedOut: "timed-out"
    case .cancelling: "cancelling"
    case .cancelledInFlight: "cancelled-in-flight"
    case .delivered: "delivered"
    case .ended: "ended"
    }
  }
}

/// The outcome of a delivery.
public enum RequestOutcome: String, CaseIterable, Hashable, Sendable {
  /// The target handled it.
  case handled
  /// The target received it.
  case delivered
  /// The target declined it.
  case notHandled
  /// The target reported that it failed.
  case failed
  /// Certainly not delivered: no delivery method succeeded.
  case notDelivered
  /// Cancelled or expired before it was sent, or cancelled before the target had handled it.
  case withdrawn
  /// It may have had its effect: sent, and the outcome cannot be determined, or the target exited twice while it had it.
  case unknown
  /// Never stored, and lost with the broker that had it; the bus reports that to the caller.
  case forgotten
}

/// An event in the life of a delivery.
public enum RequestEvent: Hashable, Sendable {
  /// The requested write to disk succeeded.
  case stored
  /// The requested write to disk failed.
  case cannotBeStored
  /// The target owns its bus name.
  case nameAcquired
  /// The instance that had the request, or would have received it, exited, or there is no instance.
  case nameLost
  /// The target's instance exited while it handled an earlier request.
  case interrupted
  /// No delivery strategy is left.
  case startFailed
  /// A program exited, with success or not.
  case processExits(success: Bool)
  /// The delivery is first in the queue and is sent by this method.
  case sending(DeliveryMethod)
  /// The error of the attempt proves that nothing arrived.
  case provenNotDelivered
  /// The target replied without a result, or the program was started.
  case arrived
  /// The target reports that it handled the request.
  case replyHandled
  /// The target declines the request.
  case replyNotHandled
  /// The target reports that it failed.
  case replyFailed
  /// The target reports that it does not handle the request any more, because it was cancelled.
  case replyCancelled
  /// The target has received the cancellation, and has not answered the request before.
  case cancelForwarded
  /// The call timed out, the outcome of a program start cannot be determined, the target replied that it has crashed twice
  /// while it handled the request or cannot know its effect, or its reply is invalid.
  case noReply
  /// The caller's timeout expired.
  case callerTimedOut
  /// The caller's timeout expired while the target is still starting: the request stays queued, and the caller learns that.
  case callerLeaves
  /// The caller cancels the request.
  case cancelled
  /// The broker stops.
  case brokerStops
  /// A new broker has loaded the stored state.
  case brokerRestarts
  /// The connection to the bus is lost.
  case busDisconnected
  /// The request exceeds its maximum age.
  case expired
}

/// An effect of a transition; effects are performed in order.
///
/// The first three report their result with the event `stored` or `cannotBeStored`, and are always the last of a
/// transition.
public enum RequestEffect: Hashable, Sendable {
  /// Stores the request as queued.
  case store
  /// Stores the request as sent.
  case storeSent
  /// Marks the stored request as being sent.
  case mark
  /// Marks the stored request as queued again.
  case markQueued
  /// Marks the stored request as delivered.
  case markDelivered
  /// Stores the outcome, so that the caller can query it from a later broker.
  case storeEnd(RequestOutcome)
  /// Acknowledges the request to the caller.
  case accept
  /// Warns the caller that the outcome may become unknown.
  case warn
  /// Sends the request to the target.
  case send
  /// Continues the delivery of the request in its turn.
  case handOver
  /// Reports the outcome to the caller.
  case answer(RequestOutcome)
  /// Reports to the caller after its timeout that the broker has the request and delivers it later.
  case answerAccepted
  /// Notifies the target that the caller no longer waits.
  case tellTarget
  /// Records an outcome that came too late for the caller.
  case record(RequestOutcome)
}
