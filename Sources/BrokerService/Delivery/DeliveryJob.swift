// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Launching
import State
import Systemd

/// The delivery of one part of a request to one target.
///
/// It belongs to its `DeliveryQueue` or `RouteCommandExecution`, and does not leave it.
@BrokerActor
final class DeliveryJob {
  let number: Int
  var envelope: Envelope
  let wait: OpenOptions.Wait
  private(set) var life: RequestStateMachine
  private let context: DeliveryContext
  private let target: String?
  /// The object that last received it as an envelope.
  var addressee: RemoteObject?
  /// The delivery to report to the caller; fulfilled with `nil` if it ends without one.
  let answer = Promise<Delivery?>()

  init(
    number: Int, _ envelope: Envelope, for target: String?, wait: OpenOptions.Wait,
    _ context: DeliveryContext,
    state: RequestState = .received(again: false)
  ) {
    self.number = number
    self.envelope = envelope
    self.target = target
    self.wait = wait
    self.context = context
    life = RequestStateMachine(state)
  }

  deinit { answer.fulfil(nil) }

  /// The caller that is charged for it.
  var caller: ChargedCaller { context.quota.caller }

  /// The session in which programs are started for it.
  var session: CallerSession { context.session }

  /// The time at which it expires.
  var expires: ContinuousClock.Instant { context.expires }

  /// The method of a program start, which depends on whether the caller waits for the program's exit.
  var programWay: DeliveryMethod { wait == .handled ? .awaitedProgram : .program }

  /// Applies `event` to the state machine and performs its effects, except the one that needs the application.
  ///
  /// - Parameter delivery: The delivery to report, if it has more details than the outcome.
  /// - Returns: The effect that is left to the owner of the job: `send`, `handOver`, `tellTarget` or none.
  @discardableResult
  func apply(_ event: RequestEvent, _ delivery: Delivery? = nil) -> RequestEffect? {
    var left: RequestEffect?
    let before = life.state
    let effects = life.take(event)
    tellMove(from: before)
    for effect in effects {
      switch effect {
      case .store:
        let isStored = context.store()
        left = apply(isStored ? .stored : .cannotBeStored)
        if isStored, case .queued(again: true) = life.state { _ = note(.queued) }
      case .storeSent: left = apply(context.store() && note(.sent) ? .stored : .cannotBeStored)
      case .mark: left = apply(note(.sent) ? .stored : .cannotBeStored)
      case .markQueued: _ = note(.queued)
      case .markDelivered: _ = note(.delivered)
      case .storeEnd(let ending):
        let result = (delivery ?? Delivery(ending, after: event, target: target)).entries
        _ = context.update(to: .ended, result: JSONText.line(result))
      case .accept: context.report.outcome(.accepted)
      case .warn: context.report.outcome(.unknown)
      case .answer(let ending): tell(delivery ?? Delivery(ending, after: event, target: target))
      case .answerAccepted: tell(delivery ?? Delivery(application: target, outcome: .accepted))
      case .record(let ending): last = delivery ?? Delivery(ending, after: event, target: target)
      case .send, .handOver, .tellTarget: left = effect
      }
    }
    if life.isEnded, life.state != before { end() }
    return left
  }

  /// Retains the request after the caller's timeout and reports that; returns `false` if it cannot be retained.
  ///
  /// The request stays queued until it expires, also in the next broker.
  func retainAfterCaller(because reason: String) -> Bool {
    guard life.isWaiting else { return false }
    // A request that was not stored because its caller waited must be stored now.
    apply(.nameLost)
    guard case .queued = life.state, context.retainAfterCaller() else { return false }
    apply(
      .callerLeaves,
      Delivery(
        application: target, outcome: .accepted, error: BrokerErrorName.timeout.errorName,
        message: "\(reason); the link is delivered when it does"))
    return true
  }

  /// Stores its current state again, if it was stored before.
  func storeAgain() {
    guard life.isStored, context.store() else { return }
    switch life.state {
    case .sent, .timedOut: _ = note(.sent)
    case .delivered: _ = note(.delivered)
    case .queued(again: true), .markingSent: _ = note(.queued)
    default: break
    }
  }

  /// Records the instance that receives it as an envelope now, whose connection may report progress from now on.
  func isSent(to addressee: RemoteObject) {
    self.addressee = addressee
    if reported == nil { context.report.beginHandling(envelope.requestID, by: addressee.name) }
    testHook()
  }

  /// Lets a test end the process immediately after a send.
  func testHook() {
    let journal = context.journal
    // Runs after the current event, which sends, and before a reply can be read.
    BrokerActor.loop.submit { journal.atCommit?() }
  }

  private func note(_ progress: PendingRequest.Progress) -> Bool {
    switch life.state {
    case .markingSent(let way, let again), .sent(let way, _, let again), .timedOut(let way, _, let again):
      context.update(to: progress, way: way, again: again)
    case .queued(let again): context.update(to: progress, again: again)
    default: context.update(to: progress)
    }
  }

  /// The delivery that was reported; `nil` before that.
  private(set) var reported: Delivery?

  /// The last known delivery, even if it came too late to be reported.
  private var last: Delivery?

  private func tell(_ delivery: Delivery) {
    context.journal.atCommit?()
    reported = reported ?? delivery
    context.report.endHandling(envelope.requestID)
    last = delivery
    answer.fulfil(delivery)
  }

  /// Notifies the monitors of a transition to a stable state.
  private func tellMove(from before: RequestState) {
    guard life.state != before else { return }
    switch life.state {
    case .markingSent, .ended: break
    default: context.observer.move(to: life.state, target, envelope.delivery)
    }
  }

  private func end() {
    // A job that ends without a report must still resume its waiting caller.
    if reported == nil {
      context.report.endHandling(envelope.requestID)
      answer.fulfil(nil)
    }
    context.quota.release()
    if let last { context.observer.end(last) }
  }
}

/// The context of one delivery: its record in the journal, its share of the quotas, and its observers.
@BrokerActor
struct DeliveryContext {
  let journal: RequestJournal
  let quota: QuotaShare
  /// The number of the request, and the index of the delivery in it.
  let number: Int64
  let index: Int
  /// The time at which the request expires.
  let expires: ContinuousClock.Instant
  /// The session in which programs are started.
  let session: CallerSession
  /// The observer for the history and the monitors.
  let observer: DeliveryObserver
  /// Returns the complete request for the journal, if it was not stored at first.
  let request: @BrokerActor () -> PendingRequest
  /// Reports progress to the caller.
  let report: CallerReport

  /// Stores the request; returns `false` if that fails.
  func store() -> Bool { journal.add(request()) }

  /// Stores the progress of the delivery; returns `false` if that fails.
  func update(
    to progress: PendingRequest.Progress, way: DeliveryMethod? = nil, again: Bool = false,
    result: String? = nil
  ) -> Bool {
    // A damaged file may have been moved aside with all its requests.
    guard journal.knows(number) || store() else { return false }
    return journal.write { store throws(StateError) in
      try store.update(index, of: number, to: progress, way: way?.rawValue, again: again, result: result)
    }
  }

  /// Stores that the request outlives its caller until it expires; returns `false` if that fails.
  func retainAfterCaller() -> Bool {
    guard journal.knows(number) || store() else { return false }
    return journal.write { store throws(StateError) in try store.outlivesCaller(number) }
  }

}

extension Delivery {
  /// Creates the delivery for an outcome without further details.
  init(_ ending: RequestOutcome, after event: RequestEvent, target: String?) {
    let name = target ?? "the program"
    func failed(_ error: BrokerErrorName, _ message: String, outcome: Outcome = .failed) -> Delivery {
      Delivery(application: target, outcome: outcome, error: error.errorName, message: message)
    }
    self =
      switch (ending, event) {
      case (.handled, _): Delivery(application: target, outcome: .handled)
      case (.delivered, .callerTimedOut):
        failed(
          .timeout, "\(name) received the request, but did not report in time that it was handled",
          outcome: .delivered)
      case (.delivered, .cancelled):
        failed(
          .cancelled, "the caller cancelled the request after \(name) had received it", outcome: .delivered)
      case (.delivered, _): Delivery(application: target, outcome: .delivered)
      case (.notHandled, _): failed(.notHandled, "\(name) did not handle the request")
      case (.failed, _): failed(.targetFailed, "\(name) exited twice while it handled the request")
      case (.notDelivered, _): failed(.launchFailed, "\(name) cannot be reached")
      case (.withdrawn, .cancelled): failed(.cancelled, "the caller cancelled the request before it was sent")
      case (.withdrawn, .replyCancelled):
        failed(.cancelled, "\(name) did not handle the request, because the caller cancelled it")
      case (.withdrawn, .expired):
        failed(.timeout, "the request expired before it could be sent to \(name)")
      case (.withdrawn, .brokerStops):
        failed(
          .cancelled, "the broker exited before the request was sent to \(name), and could not store it")
      case (.withdrawn, _): failed(.timeout, "\(name) was not ready in time; the request was withdrawn")
      case (.unknown, .cancelled), (.unknown, .cancelForwarded):
        failed(.cancelled, "the caller cancelled the request after it was sent to \(name)", outcome: .unknown)
      case (.unknown, .brokerRestarts):
        failed(
          .timeout, "the broker exited while it sent the request to \(name); the outcome is unknown",
          outcome: .unknown
        )
      case (.unknown, _), (.forgotten, _):
        failed(.timeout, "\(name) received the request, but did not reply in time", outcome: .unknown)
      }
  }
}
