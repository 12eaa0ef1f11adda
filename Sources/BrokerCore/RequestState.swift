/// How a request is, or was, handed over; what can be promised depends on it.
public enum DeliveryMethod: String, CaseIterable, Hashable, Sendable {
  /// As an envelope, by `org.usher.Application1.Deliver`: whoever takes it tells the same request from a new one.
  case application1
  /// By a call of `org.freedesktop.Application`.
  case standard
  /// By starting a program.
  case program
  /// By starting a program whose end is waited for.
  case awaitedProgram
}

/// How far one target's part of a request has come.
///
/// `again`: a crash of the target has cut it off once before.
public enum RequestState: Hashable, Sendable {
  /// Decided; not written down, and nobody was told.
  case received(again: Bool)
  /// Written down; waits for its turn, and can be withdrawn.
  case queued(again: Bool)
  /// Could not be written down; waits for its turn as long as its caller does.
  case unpersisted(again: Bool)
  /// Is being written down as sent.
  case markingSent(DeliveryMethod, again: Bool)
  /// Sent; no reply yet.
  case sent(DeliveryMethod, stored: Bool, again: Bool)
  /// Sent, and its caller was told that nobody can know.
  case timedOut(DeliveryMethod, stored: Bool, again: Bool)
  /// Sent, and its caller gave it up.
  case cancelledInFlight(DeliveryMethod)
  /// The program was started; its end is still open.
  case delivered
  /// Over.
  case ended(RequestOutcome)

  /// Its name in the table of `docs/delivery.md`.
  public var name: String {
    switch self {
    case .received: "received"
    case .queued: "queued"
    case .unpersisted: "carried"
    case .markingSent: "marking"
    case .sent: "sent"
    case .timedOut: "overdue"
    case .cancelledInFlight: "recalled"
    case .delivered: "delivered"
    case .ended: "ended"
    }
  }
}

/// How a request ended.
public enum RequestOutcome: String, CaseIterable, Hashable, Sendable {
  /// The target dealt with it.
  case handled
  /// The target has it.
  case delivered
  /// The target said that it is not for it.
  case notHandled
  /// The target failed, or ended twice while it had it.
  case failed
  /// No way leads to the target: certainly not delivered.
  case notDelivered
  /// Taken back before it was sent: certainly not delivered.
  case withdrawn
  /// Sent, and nobody can know.
  case unknown
  /// Never written down, and gone with the broker that had it; the bus tells its caller.
  case forgotten
}

/// What can happen to a request.
public enum RequestEvent: Hashable, Sendable {
  /// What was to be written down is.
  case stored
  /// It cannot be written down.
  case cannotBeStored
  /// The target can be signalled.
  case nameAcquired
  /// The instance that had it, or would have got it, went, or there is none.
  case nameLost
  /// The instance that had it went while it handled an earlier one.
  case interrupted
  /// No way is left to start or reach the target.
  case startFailed
  /// A program ended, well or not.
  case processExits(success: Bool)
  /// It is its turn, and this is the way.
  case sending(DeliveryMethod)
  /// The error of the attempt proves that nothing arrived.
  case provenNotDelivered
  /// The target's plain answer, or the start of the program, was seen.
  case arrived
  /// The target says that it dealt with it.
  case replyHandled
  /// The target says that it is not for it.
  case replyNotHandled
  /// The target says that it failed.
  case replyFailed
  /// The call's own time is over, or what became of a start cannot be known.
  case noReply
  /// Its caller waits no longer.
  case callerTimedOut
  /// Its caller waits no longer, and its target is still starting: it stays, and its caller is told so.
  case callerLeaves
  /// Its caller gives it up.
  case cancelled
  /// The broker is told to end.
  case brokerStops
  /// Another broker has read what was written down.
  case brokerRestarts
  /// The connection to the bus is lost.
  case busDisconnected
  /// It is back.
  case busReconnected
  /// It has become too old.
  case expired
}

/// What is to be done, in order, when something has happened.
///
/// The first three end with an event of their own, `stored` or `cannotBeStored`, and are always the last.
public enum RequestEffect: Hashable, Sendable {
  /// Write it down as one that waits.
  case store
  /// Write it down as one that was sent.
  case storeSent
  /// Note that it is being sent.
  case mark
  /// Note that it waits again.
  case markQueued
  /// Note that it was delivered.
  case markDelivered
  /// Note how it ended, so that its caller finds that out from another broker.
  case storeEnd(RequestOutcome)
  /// Tell its caller that it is accepted.
  case accept
  /// Tell its caller that from now on nobody may know.
  case warn
  /// Hand it over.
  case send
  /// Begin to hand it over, when it is its turn.
  case handOver
  /// Try again when something could be written down.
  case waitForRoom
  /// Tell its caller.
  case answer(RequestOutcome)
  /// Tell its caller, who waits no longer, that the broker has it and delivers it later.
  case answerAccepted
  /// Tell the target that nobody waits any more.
  case tellTarget
  /// Note a reply that came too late for its caller.
  case record(RequestOutcome)
}
