/// The life of one target's part of a request, from its decision to its end: a value that events move.
///
/// `docs/delivery.md` has the whole table. What is to be done comes back as values; the life itself does nothing.
///
/// ```swift
/// var life = RequestStateMachine()
/// life.take(.stored)                  // [.accept]
/// life.take(.sending(.application1))  // [.mark]
/// life.take(.stored)                  // [.send]
/// life.take(.replyHandled)            // [.storeEnd(.handled), .answer(.handled)]
/// ```
public struct RequestStateMachine: Hashable, Sendable {
  /// How far it has come.
  public private(set) var state: RequestState

  /// A life in a state: that of a request that was just decided, unless told otherwise.
  public init(_ state: RequestState = .received(again: false)) { self.state = state }

  /// Takes what happened; returns what is to be done, in order.
  public mutating func take(_ event: RequestEvent) -> [RequestEffect] {
    let effects: [RequestEffect]
    (state, effects) = state.after(event)
    return effects
  }

  /// Whether it was not sent, or came back: it can still be withdrawn.
  public var isWaiting: Bool {
    switch state {
    case .received, .queued, .unpersisted, .markingSent: true
    case .sent, .timedOut, .cancelledInFlight, .delivered, .ended: false
    }
  }

  /// Whether it was sent, and nothing was heard of it.
  public var isSent: Bool {
    switch state {
    case .sent, .timedOut, .cancelledInFlight: true
    default: false
    }
  }

  /// Whether it is over.
  public var isEnded: Bool { if case .ended = state { true } else { false } }

  /// Whether it is written down, as far as it has come.
  public var isStored: Bool {
    switch state {
    case .queued, .markingSent, .delivered: true
    case .sent(_, let stored, _), .timedOut(_, let stored, _): stored
    case .received, .unpersisted, .cancelledInFlight, .ended: false
    }
  }
}

extension RequestState {
  typealias Step = (RequestState, [RequestEffect])

  /// The next state and what is to be done; what a state does not mention changes nothing.
  func after(_ event: RequestEvent) -> Step {
    switch self {
    case .received(let again): afterReceived(event, again)
    case .queued(let again): afterQueued(event, again)
    case .unpersisted(let again): afterCarried(event, again)
    case .markingSent(let way, let again): afterMarking(event, way, again)
    case .sent(let way, let stored, let again): afterSent(event, way, stored, again)
    case .timedOut(let way, let stored, let again): afterOverdue(event, way, stored, again)
    case .cancelledInFlight: afterRecalled(event)
    case .delivered: afterDelivered(event)
    case .ended: (self, [])
    }
  }

  private func afterReceived(_ event: RequestEvent, _ again: Bool) -> Step {
    switch event {
    case .stored: (.queued(again: again), [.accept])
    case .cannotBeStored: (.unpersisted(again: again), [])
    case .nameAcquired, .busReconnected: (self, [.handOver])
    // Its caller waits and the target tells it from others: nothing is lost if it is not written down.
    case .sending(.application1): (.sent(.application1, stored: false, again: again), [.send])
    case .sending, .nameLost, .brokerStops: (self, [.store])
    case .brokerRestarts: (.ended(.forgotten), [])
    default: afterWaiting(event, isStored: false)
    }
  }

  private func afterQueued(_ event: RequestEvent, _ again: Bool) -> Step {
    switch event {
    case .nameAcquired, .busReconnected: (self, [.handOver])
    case .sending(let way): (.markingSent(way, again: again), [.mark])
    case .callerLeaves: (self, [.answerAccepted])
    default: afterWaiting(event, isStored: true)
    }
  }

  private func afterCarried(_ event: RequestEvent, _ again: Bool) -> Step {
    switch event {
    case .stored: (.queued(again: again), [.accept])
    case .nameAcquired, .busReconnected: (self, [.handOver])
    case .sending(.application1): (.sent(.application1, stored: false, again: again), [.send])
    case .sending(let way): (.sent(way, stored: false, again: again), [.warn, .send])
    case .brokerStops: (.ended(.withdrawn), [.answer(.withdrawn)])
    case .brokerRestarts: (.ended(.forgotten), [])
    default: afterWaiting(event, isStored: false)
    }
  }

  private func afterMarking(_ event: RequestEvent, _ way: DeliveryMethod, _ again: Bool) -> Step {
    switch event {
    case .stored: (.sent(way, stored: true, again: again), [.send])
    // What is written down says that it waits: sent again after a crash, which only such a target may be.
    case .cannotBeStored where way == .application1: (.sent(way, stored: true, again: again), [.send])
    case .cannotBeStored: (.queued(again: again), [.waitForRoom])
    case .brokerRestarts: (.queued(again: again), [])
    default: afterWaiting(event, isStored: true)
    }
  }

  /// What is the same for all that was not sent.
  private func afterWaiting(_ event: RequestEvent, isStored: Bool) -> Step {
    switch event {
    case .startFailed, .processExits: end(.notDelivered, isStored)
    case .callerTimedOut, .cancelled, .expired: end(.withdrawn, isStored)
    default: (self, [])
    }
  }

  private func end(_ ending: RequestOutcome, _ isStored: Bool) -> Step {
    (.ended(ending), (isStored ? [.storeEnd(ending)] : []) + [.answer(ending)])
  }
}
