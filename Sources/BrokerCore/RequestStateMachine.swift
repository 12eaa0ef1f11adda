// SPDX-License-Identifier: Apache-2.0
/// The state machine of one delivery, from the decision to the outcome, as a value type.
///
/// `docs/delivery.md` has the complete transition table. The state machine performs no effects itself; it returns them
/// as values.
///
/// ```swift
/// var life = RequestStateMachine()
/// life.take(.stored)                  // [.accept]
/// life.take(.sending(.application1))  // [.mark]
/// life.take(.stored)                  // [.send]
/// life.take(.replyHandled)            // [.storeEnd(.handled), .answer(.handled)]
/// ```
public struct RequestStateMachine: Hashable, Sendable {
  /// The current state.
  public private(set) var state: RequestState

  /// Creates a state machine in the given state.
  public init(_ state: RequestState = .received(earlier: .none)) { self.state = state }

  /// Applies `event` and returns the effects to perform, in order.
  public mutating func take(_ event: RequestEvent) -> [RequestEffect] {
    let effects: [RequestEffect]
    (state, effects) = state.after(event)
    return effects
  }

  /// A Boolean value that indicates whether the request is not sent, or is queued again, so that it can still be cancelled without effect.
  public var isWaiting: Bool {
    switch state {
    case .received, .queued, .unpersisted, .markingSent: true
    case .sent, .timedOut, .cancelling, .cancelledInFlight, .delivered, .ended: false
    }
  }

  /// A Boolean value that indicates whether the request was sent and has no reply.
  public var isSent: Bool {
    switch state {
    case .sent, .timedOut, .cancelling, .cancelledInFlight: true
    default: false
    }
  }

  /// A Boolean value that indicates whether the request was sent, and is neither cancelled nor finished.
  public var isWanted: Bool {
    switch state {
    case .sent, .timedOut: true
    default: false
    }
  }

  /// The traces of earlier attempts to deliver the request.
  public var earlier: EarlierAttempts {
    switch state {
    case .received(let earlier), .queued(let earlier), .unpersisted(let earlier),
      .markingSent(_, let earlier),
      .sent(_, _, let earlier), .timedOut(_, _, let earlier), .cancelling(_, let earlier),
      .cancelledInFlight(_, let earlier):
      earlier
    case .delivered, .ended: .none
    }
  }

  /// A Boolean value that indicates whether the target has crashed once while it handled the request.
  public var hasCrashed: Bool { earlier == .crashed }

  /// A Boolean value that indicates whether the request is finished.
  public var isEnded: Bool { if case .ended = state { true } else { false } }

  /// A Boolean value that indicates whether the current state is stored on disk.
  public var isStored: Bool {
    switch state {
    case .queued, .markingSent, .delivered: true
    case .sent(_, let stored, _), .timedOut(_, let stored, _): stored
    case .received, .unpersisted, .cancelling, .cancelledInFlight, .ended: false
    }
  }
}

extension RequestState {
  typealias Step = (RequestState, [RequestEffect])

  /// Returns the next state and the effects.
  ///
  /// An event that a state does not list changes nothing.
  func after(_ event: RequestEvent) -> Step {
    switch self {
    case .received(let earlier): afterReceived(event, earlier)
    case .queued(let earlier): afterQueued(event, earlier)
    case .unpersisted(let earlier): afterUnpersisted(event, earlier)
    case .markingSent(let method, let earlier): afterMarkingSent(event, method: method, earlier: earlier)
    case .sent(let method, let stored, let earlier):
      afterSent(event, method: method, stored: stored, earlier: earlier)
    case .timedOut(let method, let stored, let earlier):
      afterTimedOut(event, method: method, stored: stored, earlier: earlier)
    case .cancelling(let stored, let earlier):
      afterCancelling(event, stored: stored, earlier: earlier)
    case .cancelledInFlight(let method, let earlier):
      afterCancelledInFlight(event, method: method, earlier: earlier)
    case .delivered: afterDelivered(event)
    case .ended: (self, [])
    }
  }

  private func afterReceived(_ event: RequestEvent, _ earlier: EarlierAttempts) -> Step {
    switch event {
    case .stored: (.queued(earlier: earlier), [.accept])
    case .cannotBeStored: (.unpersisted(earlier: earlier), [])
    case .nameAcquired: (self, [.handOver])
    // The caller still waits and the target detects repetitions, so nothing is lost without a record on disk.
    case .sending(.application1): (.sent(.application1, stored: false, earlier: earlier), [.send])
    case .sending, .nameLost, .brokerStops: (self, [.store])
    case .brokerRestarts: (.ended(.forgotten), [])
    default: afterWaiting(event, isStored: false, earlier)
    }
  }

  private func afterQueued(_ event: RequestEvent, _ earlier: EarlierAttempts) -> Step {
    switch event {
    case .nameAcquired: (self, [.handOver])
    case .sending(let method): (.markingSent(method, earlier: earlier), [.mark])
    case .callerLeaves: (self, [.answerAccepted])
    default: afterWaiting(event, isStored: true, earlier)
    }
  }

  private func afterUnpersisted(_ event: RequestEvent, _ earlier: EarlierAttempts) -> Step {
    switch event {
    case .stored: (.queued(earlier: earlier), [.accept])
    case .nameAcquired: (self, [.handOver])
    case .sending(.application1): (.sent(.application1, stored: false, earlier: earlier), [.send])
    case .sending(let method): (.sent(method, stored: false, earlier: earlier), [.warn, .send])
    case .brokerStops: end(earlier == .none ? .withdrawn : .unknown, false)
    case .brokerRestarts: (.ended(.forgotten), [])
    default: afterWaiting(event, isStored: false, earlier)
    }
  }

  private func afterMarkingSent(_ event: RequestEvent, method: DeliveryMethod, earlier: EarlierAttempts)
    -> Step
  {
    switch event {
    case .stored: (.sent(method, stored: true, earlier: earlier), [.send])
    // The stored state is still `queued`, so a crash repeats the delivery, which only this method permits.
    case .cannotBeStored where method == .application1:
      (.sent(method, stored: true, earlier: earlier), [.send])
    // The queue tries again when writing may succeed.
    case .cannotBeStored: (.queued(earlier: earlier), [])
    case .brokerRestarts: (.queued(earlier: earlier), [])
    default: afterWaiting(event, isStored: true, earlier)
    }
  }

  /// Returns the transition that all states before sending share.
  ///
  /// A request that an earlier attempt may have delivered is never reported as certainly not delivered.
  private func afterWaiting(_ event: RequestEvent, isStored: Bool, _ earlier: EarlierAttempts) -> Step {
    let isNew = earlier == .none
    switch event {
    case .startFailed, .processExits: return end(isNew ? .notDelivered : .unknown, isStored)
    case .callerTimedOut, .cancelled, .expired:
      let (state, effects) = end(isNew ? .withdrawn : .unknown, isStored)
      return (state, effects + (isNew || event == .callerTimedOut ? [] : [.tellTarget]))
    default: return (self, [])
    }
  }

  /// Ends the request and answers its caller with the outcome.
  private func end(_ outcome: RequestOutcome, _ isStored: Bool) -> Step {
    (.ended(outcome), (isStored ? [.storeEnd(outcome)] : []) + [.answer(outcome)])
  }
}

/// Transitions after a request was sent.
extension RequestState {
  func afterSent(_ event: RequestEvent, method: DeliveryMethod, stored: Bool, earlier: EarlierAttempts)
    -> Step
  {
    switch event {
    case .stored: (.sent(method, stored: true, earlier: earlier), [])
    case .arrived where method == .awaitedProgram: (.delivered, stored ? [.markDelivered] : [])
    case .provenNotDelivered: back(stored, earlier: earlier)
    case .nameLost where method == .application1:
      earlier == .crashed ? end(.unknown, stored) : back(stored, earlier: .crashed)
    // The instance has exited, and had only begun an earlier request.
    case .interrupted where method == .application1: back(stored, earlier: earlier)
    // The instance may have survived its bus, with the request.
    case .busDisconnected where method == .application1: back(stored, earlier: earlier.afterSending)
    case .brokerRestarts where !stored: (.ended(.forgotten), [])
    case .brokerRestarts where method == .application1:
      (.queued(earlier: earlier.afterSending), [.markQueued])
    case .brokerRestarts: end(.unknown, stored)
    case .brokerStops: (self, stored ? [] : [.storeSent])
    case .callerTimedOut:
      // The caller no longer waits, so the request must be stored to survive a crash of the broker.
      (
        .timedOut(method, stored: stored, earlier: earlier),
        [.answer(.unknown)] + (!stored && method == .application1 ? [.storeSent] : [])
      )
    // The outcome is stored now, because the next broker must not send the request again.
    case .cancelled where method == .application1:
      (.cancelling(stored: stored, earlier: earlier), (stored ? [.storeEnd(.unknown)] : []) + [.tellTarget])
    case .cancelled:
      cancelInFlight(method: method, stored: stored, earlier: earlier, answer: [.answer(.unknown)])
    default:
      if let outcome = reply(event, method) {
        end(outcome, stored)
      } else {
        afterLoss(event, method: method, stored: stored)
      }
    }
  }

  func afterTimedOut(_ event: RequestEvent, method: DeliveryMethod, stored: Bool, earlier: EarlierAttempts)
    -> Step
  {
    switch event {
    case .stored: (.timedOut(method, stored: true, earlier: earlier), [])
    case .provenNotDelivered: late(earlier == .none ? .withdrawn : .unknown, stored)
    case .nameLost where method == .application1 && stored && earlier != .crashed:
      (.queued(earlier: .crashed), [.markQueued])
    case .interrupted where method == .application1 && stored: (.queued(earlier: earlier), [.markQueued])
    case .busDisconnected where method == .application1 && stored:
      (.queued(earlier: earlier.afterSending), [.markQueued])
    case .brokerRestarts where !stored: (.ended(.forgotten), [])
    case .brokerRestarts where method == .application1:
      (.queued(earlier: earlier.afterSending), [.markQueued])
    case .nameLost where method == .application1, _ where interrupts(event, method): late(.unknown, stored)
    case .brokerRestarts: late(.unknown, stored)
    case .cancelled: cancelInFlight(method: method, stored: stored, earlier: earlier, answer: [])
    case .arrived: late(.delivered, stored)
    default:
      if let outcome = reply(event, method) {
        late(outcome, stored)
      } else {
        lost(event, method) ? late(.unknown, stored) : (self, [])
      }
    }
  }

  func afterCancelling(_ event: RequestEvent, stored: Bool, earlier: EarlierAttempts) -> Step {
    switch event {
    // The reply is about the request, not about one of its calls. A handler that crashed had begun it.
    case .replyCancelled: end(earlier == .crashed ? .unknown : .withdrawn, stored)
    case .provenNotDelivered: end(earlier == .none ? .withdrawn : .unknown, stored)
    case .cancelForwarded, .callerTimedOut, .brokerStops:
      (.cancelledInFlight(.application1, earlier: earlier), [.answer(.unknown)])
    case .nameLost, .interrupted, .busDisconnected, .noReply, .expired, .brokerRestarts:
      end(.unknown, stored)
    default:
      if let outcome = reply(event, .application1) { end(outcome, stored) } else { (self, []) }
    }
  }

  func afterCancelledInFlight(_ event: RequestEvent, method: DeliveryMethod, earlier: EarlierAttempts) -> Step
  {
    switch event {
    case .replyCancelled: return late(earlier == .crashed ? .unknown : .withdrawn, false)
    case .provenNotDelivered: return late(earlier == .none ? .withdrawn : .unknown, false)
    case .arrived: return late(.delivered, false)
    case .nameLost where method == .application1, .brokerRestarts,
      _ where interrupts(event, method):
      return late(.unknown, false)
    default:
      if let outcome = reply(event, method) { return late(outcome, false) }
      return lost(event, method) ? late(.unknown, false) : (self, [])
    }
  }

  func afterDelivered(_ event: RequestEvent) -> Step {
    switch event {
    case .processExits(success: true): end(.handled, true)
    case .processExits: end(.failed, true)
    case .noReply, .callerTimedOut, .cancelled, .brokerStops, .brokerRestarts, .expired:
      end(.delivered, true)
    default: (self, [])
    }
  }

  /// Returns whether an event interrupts an envelope without being caused by it.
  private func interrupts(_ event: RequestEvent, _ method: DeliveryMethod) -> Bool {
    method == .application1 && (event == .busDisconnected || event == .interrupted)
  }

  /// Returns the outcome that the target's reply, or the exit of its program, reports; `nil` for other events.
  private func reply(_ event: RequestEvent, _ method: DeliveryMethod) -> RequestOutcome? {
    switch event {
    case .arrived: .delivered
    case .replyHandled: .handled
    case .replyNotHandled: .notHandled
    case .replyFailed, .replyCancelled: .failed
    // The exit proves that the program was started.
    case .processExits where method == .program: .delivered
    case .processExits(let success) where method == .awaitedProgram: success ? .handled : .failed
    default: nil
    }
  }

  /// Returns whether no reply can arrive any more, so that the outcome is unknown.
  private func lost(_ event: RequestEvent, _ method: DeliveryMethod) -> Bool {
    switch event {
    case .noReply, .expired: true
    case .nameLost, .busDisconnected: method == .standard
    default: false
    }
  }

  private func afterLoss(_ event: RequestEvent, method: DeliveryMethod, stored: Bool) -> Step {
    guard lost(event, method) else { return (self, []) }
    let (state, effects) = end(.unknown, stored)
    let isStillThere = event == .expired && method == .application1
    return (state, effects + (isStillThere ? [.tellTarget] : []))
  }

  /// Returns the request to its old position in the queue.
  private func back(_ stored: Bool, earlier: EarlierAttempts) -> Step {
    stored ? (.queued(earlier: earlier), [.markQueued]) : (.received(earlier: earlier), [.store])
  }

  /// Cancels a request that was sent and may have had its effect.
  private func cancelInFlight(
    method: DeliveryMethod, stored: Bool, earlier: EarlierAttempts, answer: [RequestEffect]
  ) -> Step {
    (
      .cancelledInFlight(method, earlier: earlier),
      (stored ? [.storeEnd(.unknown)] : []) + answer + (method == .application1 ? [.tellTarget] : [])
    )
  }

  /// Ends a request whose caller has an answer already, so that the outcome is only recorded.
  private func late(_ outcome: RequestOutcome, _ stored: Bool) -> Step {
    (.ended(outcome), (stored ? [.storeEnd(outcome)] : []) + [.record(outcome)])
  }
}
