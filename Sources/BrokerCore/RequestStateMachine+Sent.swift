/// Transitions after a request was sent.
extension RequestState {
  func afterSent(_ event: RequestEvent, method: DeliveryMethod, stored: Bool, again: Bool) -> Step {
    switch event {
    case .stored: (.sent(method, stored: true, again: again), [])
    case .arrived where method == .awaitedProgram: (.delivered, stored ? [.markDelivered] : [])
    case .provenNotDelivered: back(stored, again: again)
    case .nameLost where method == .application1:
      again ? settled(.failed, stored) : back(stored, again: true)
    case _ where cutsOff(event, method): back(stored, again: again)
    case .brokerRestarts where !stored: (.ended(.forgotten), [])
    case .brokerRestarts where method == .application1: (.queued(again: again), [.markQueued])
    case .brokerRestarts: settled(.unknown, stored)
    case .brokerStops: (self, stored ? [] : [.storeSent])
    case .callerTimedOut:
      // The caller no longer waits, so the request must be stored to survive a crash of the broker.
      (
        .timedOut(method, stored: stored, again: again),
        [.answer(.unknown)] + (!stored && method == .application1 ? [.storeSent] : [])
      )
    case .cancelled: recall(method: method, stored: stored, answer: [.answer(.unknown)])
    default:
      if let ending = reply(event, method) {
        settled(ending, stored)
      } else {
        afterLoss(event, method: method, stored: stored)
      }
    }
  }

  func afterOverdue(_ event: RequestEvent, method: DeliveryMethod, stored: Bool, again: Bool) -> Step {
    switch event {
    case .stored: (.timedOut(method, stored: true, again: again), [])
    case .provenNotDelivered: late(.withdrawn, stored)
    case .nameLost where method == .application1 && stored && !again: (.queued(again: true), [.markQueued])
    case .nameLost where method == .application1 && again: late(.failed, stored)
    case _ where cutsOff(event, method) && stored: (.queued(again: again), [.markQueued])
    case .brokerRestarts where !stored: (.ended(.forgotten), [])
    case .brokerRestarts where method == .application1: (.queued(again: again), [.markQueued])
    case .nameLost where method == .application1, _ where cutsOff(event, method): late(.unknown, stored)
    case .brokerRestarts: late(.unknown, stored)
    case .cancelled: recall(method: method, stored: stored, answer: [])
    case .arrived: late(.delivered, stored)
    default:
      if let ending = reply(event, method) {
        late(ending, stored)
      } else {
        lost(event, method) ? late(.unknown, stored) : (self, [])
      }
    }
  }

  func afterRecalled(_ event: RequestEvent) -> Step {
    guard case .cancelledInFlight(let way) = self else { return (self, []) }
    switch event {
    case .provenNotDelivered: return late(.withdrawn, false)
    case .arrived: return late(.delivered, false)
    case .nameLost where way == .application1, .brokerRestarts,
      _ where cutsOff(event, way):
      return late(.unknown, false)
    default:
      if let ending = reply(event, way) { return late(ending, false) }
      return lost(event, way) ? late(.unknown, false) : (self, [])
    }
  }

  func afterDelivered(_ event: RequestEvent) -> Step {
    switch event {
    case .processExits(success: true): settled(.handled, true)
    case .processExits: settled(.failed, true)
    case .noReply, .callerTimedOut, .cancelled, .brokerStops, .brokerRestarts, .expired:
      settled(.delivered, true)
    default: (self, [])
    }
  }

  /// Returns whether an event interrupts an envelope without being caused by it.
  private func cutsOff(_ event: RequestEvent, _ way: DeliveryMethod) -> Bool {
    way == .application1 && (event == .busDisconnected || event == .interrupted)
  }

  /// Returns the outcome that the target's reply, or the exit of its program, reports; `nil` for other events.
  private func reply(_ event: RequestEvent, _ way: DeliveryMethod) -> RequestOutcome? {
    switch event {
    case .arrived: .delivered
    case .replyHandled: .handled
    case .replyNotHandled: .notHandled
    case .replyFailed: .failed
    // The exit proves that the program was started.
    case .processExits where way == .program: .delivered
    case .processExits(let success) where way == .awaitedProgram: success ? .handled : .failed
    default: nil
    }
  }

  /// Returns whether no reply can arrive any more, so that the outcome is unknown.
  private func lost(_ event: RequestEvent, _ way: DeliveryMethod) -> Bool {
    switch event {
    case .noReply, .expired: true
    case .nameLost, .busDisconnected: way == .standard
    default: false
    }
  }

  private func afterLoss(_ event: RequestEvent, method: DeliveryMethod, stored: Bool) -> Step {
    guard lost(event, method) else { return (self, []) }
    let (state, effects) = settled(.unknown, stored)
    let isStillThere = event == .expired && method == .application1
    return (state, effects + (isStillThere ? [.tellTarget] : []))
  }

  /// Returns the request to its old position in the queue.
  private func back(_ stored: Bool, again: Bool) -> Step {
    stored ? (.queued(again: again), [.markQueued]) : (.received(again: again), [.store])
  }

  private func recall(method: DeliveryMethod, stored: Bool, answer: [RequestEffect]) -> Step {
    (
      .cancelledInFlight(method),
      (stored ? [.storeEnd(.unknown)] : []) + answer + (method == .application1 ? [.tellTarget] : [])
    )
  }

  private func settled(_ ending: RequestOutcome, _ stored: Bool) -> Step {
    (.ended(ending), (stored ? [.storeEnd(ending)] : []) + [.answer(ending)])
  }

  private func late(_ ending: RequestOutcome, _ stored: Bool) -> Step {
    (.ended(ending), (stored ? [.storeEnd(ending)] : []) + [.record(ending)])
  }
}
