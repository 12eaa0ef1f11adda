// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import State
import Systemd

/// The delivery of one part of a request to one target, with its state machine and its records.
///
/// It belongs to its `DeliveryQueue` or `RouteCommandExecution`, and does not leave it.
@BrokerActor
final class DeliveryJob {
  var envelope: Envelope
  private var record: DeliveryRecord
  private let quota: QuotaShare
  /// The queue of its application; `nil` for a program that a route runs.
  let queue: DeliveryQueue?
  /// Its number in the queue, in the order of acceptance.
  var number = 0
  private(set) var life: RequestStateMachine
  /// The object that last received it as an envelope; `nil` if none has received it.
  var recipient: Recipient?
  /// A Boolean value that indicates whether it was sent as an envelope to an object that does not serve envelopes.
  var wasNotServed = false
  /// A remark on the strategy by which it is delivered, for the developer of the application; `nil` if there is none.
  var remark: String?
  /// The outcome, as far as it is known.
  private(set) var outcome = KnownOutcome()
  /// A Boolean value that indicates whether the caller got its receipt before the outcome.
  private var hasCallerLeft = false

  /// An object that received the job as an envelope, and what it has reported about that.
  struct Recipient {
    let object: RemoteObject
    /// A Boolean value that indicates whether it has named the request as one that it is handling.
    var hasNamedRequest = false
    /// A Boolean value that indicates whether it has replied that it is exiting, and the broker has not verified that.
    var isExitUnverified = false
  }

  /// The outcome of a job, as far as it is known, and as it was reported.
  struct KnownOutcome {
    /// The delivery to report to the caller.
    let answer = Promise<Delivery>()
    /// The delivery that was reported; `nil` before that.
    private(set) var reported: Delivery?
    /// The last known delivery, even if it came too late to be reported.
    fileprivate(set) var last: Delivery?

    /// Reports a delivery, of which the caller receives the first one.
    fileprivate mutating func report(_ delivery: Delivery) {
      reported = reported ?? delivery
      last = delivery
      answer.fulfil(delivery)
    }
  }

  init(
    _ envelope: Envelope, charging quota: QuotaShare, _ record: DeliveryRecord, in queue: DeliveryQueue?,
    state: RequestState = .received(earlier: .none)
  ) {
    self.envelope = envelope
    self.quota = quota
    self.record = record
    self.queue = queue
    life = RequestStateMachine(state)
  }

  /// The caller that is charged for it.
  var caller: ChargedCaller { record.request.caller.charged }

  /// The session in which programs are started for it.
  var session: CallerSession { record.request.facts.session }

  /// The time at which it expires.
  var expires: ContinuousClock.Instant { record.request.times.expires }

  /// The method of a program start, which depends on whether the caller waits for the program's exit.
  var programWay: DeliveryMethod {
    record.request.options.wait == .handled ? .awaitedProgram : .program
  }

  /// A Boolean value that indicates whether the application may be started for it.
  var mayLaunch: Bool { record.request.options.launch }

  /// A Boolean value that indicates whether a reply is due at once that only this broker can receive.
  ///
  /// An application with envelopes detects a repetition by the next broker, and a program whose exit a caller awaits has been started.
  var isSending: Bool {
    guard case .sent(let method, _, _) = life.state else { return false }
    return method != .application1
  }

  // MARK: Events

  /// Applies `event` to the state machine and performs its effects, except the one that needs the application.
  ///
  /// - Parameter delivery: The delivery to report, if it has more details than the outcome.
  /// - Returns: The effect that is left to the owner of the job: `send`, `handOver`, `tellTarget` or none.
  @discardableResult
  func apply(_ event: RequestEvent, _ delivery: Delivery? = nil) -> RequestEffect? {
    var left: RequestEffect?
    let before = life
    let ended = { [self] in
      Delivery(of: delivery, $0, after: event, target: record.target, sentAs: envelope.delivery, in: before)
        .adding(remark)
    }
    let effects = life.take(event)
    if life != before { record.move(to: life.state, envelope.delivery) }
    for effect in effects {
      switch effect {
      case .store:
        let isStored = record.store()
        left = apply(isStored ? .stored : .cannotBeStored)
        if isStored, case .queued = life.state, life.earlier != .none { _ = note(.queued) }
      case .storeSent: left = apply(record.store() && note(.sent) ? .stored : .cannotBeStored)
      case .mark: left = apply(note(.sent) ? .stored : .cannotBeStored)
      case .markQueued: _ = note(.queued)
      case .markDelivered: _ = note(.delivered)
      case .storeEnd(let ending):
        _ = record.update(
          to: .ended,
          result: JSONText.line(ended(ending).kept(among: record.request.deliveries.count).entries))
      case .accept: record.report(.accepted)
      case .warn: record.report(.unknown)
      case .answer(let ending): tell(ended(ending))
      case .answerAccepted: tell(delivery ?? Delivery(application: record.target, outcome: .accepted))
      case .record(let ending): outcome.last = ended(ending)
      case .send, .handOver, .tellTarget: left = effect
      }
    }
    if life.isEnded, life != before { end() }
    return left
  }

  /// Prepares to send its envelope to `addressee`, whose connection may report progress from now on.
  ///
  /// - Returns: Whether the envelope must be sent now, in this turn of the event loop.
  func beginSending(to addressee: RemoteObject) -> Bool {
    guard apply(.sending(.application1)) == .send else { return false }
    recipient = Recipient(object: addressee)
    remark = nil
    envelope.isRedelivered = life.hasCrashed
    envelope.isRepeated = life.earlier == .sent
    record.beginHandling(self, by: addressee.name)
    testHook()
    return true
  }

  /// Records that its envelope was not delivered, so that it counts as not sent.
  func recordNotDelivered() {
    recipient = nil
    apply(.provenNotDelivered)
  }

  /// Records that the caller no longer waits for it.
  func callerTimedOut() {
    if let queue { queue.callerTimedOut(self) } else { apply(.callerTimedOut) }
  }

  /// Records that the caller got its receipt before the outcome, so that only a notification can report a failure.
  func callerLeft() {
    hasCallerLeft = true
    if life.isEnded, let last = outcome.last { record.notifyUser(of: last) }
  }

  /// Notifies the user if the delivery failed.
  func notifyUser(of delivery: Delivery) { record.notifyUser(of: delivery) }

  /// Cancels it for its caller; a program that has been started is not affected.
  func cancel() {
    if let queue { queue.cancel(self) } else { apply(.cancelled) }
  }

  /// Retains the request after the caller's timeout and reports that; returns `false` if it cannot be retained.
  ///
  /// The request stays queued until it expires, also in the next broker.
  func retainAfterCaller(because reason: String) -> Bool {
    guard life.isWaiting else { return false }
    // A request that was not stored because its caller waited must be stored now.
    apply(.nameLost)
    guard case .queued = life.state, record.retainAfterCaller() else { return false }
    apply(
      .callerLeaves,
      Delivery(
        application: record.target, outcome: .accepted, error: BrokerErrorName.timeout.errorName,
        message:
          "\(reason); the broker delivers the link when \(record.target ?? "the application") is ready"
      ))
    hasCallerLeft = true
    return true
  }

  /// Stores its current state again, if it was stored before.
  func storeAgain() {
    guard life.isStored else { return }
    switch life.state {
    case .sent, .timedOut: _ = note(.sent)
    case .delivered: _ = note(.delivered)
    case .queued, .markingSent: _ = note(.queued)
    default: record.storeEndAgain()
    }
  }

  /// Lets a test end the process immediately after a send.
  func testHook() {
    // Runs after the current event, which sends, and before a reply can be read.
    if let atCommit = record.atCommit { BrokerActor.loop.submit(atCommit) }
  }

  private func note(_ progress: PendingRequest.Progress) -> Bool {
    switch life.state {
    case .markingSent(let method, let earlier), .sent(let method, _, let earlier),
      .timedOut(let method, _, let earlier):
      record.update(to: progress, method: method, earlier: earlier)
    case .queued(let earlier): record.update(to: progress, earlier: earlier)
    default: record.update(to: progress)
    }
  }

  private func tell(_ delivery: Delivery) {
    record.atCommit?()
    outcome.report(delivery)
  }

  private func end() {
    record.endHandling(envelope.requestID)
    if outcome.reported == nil {
      // A job that ends without a report must still resume its waiting caller.
      outcome.answer.fulfil(
        outcome.last
          ?? Delivery(
            application: record.target, outcome: .failed, error: BrokerErrorName.cancelled.errorName,
            message: "the request was cancelled"))
    }
    quota.release()
    if queue == nil { record.dependencies.commands.remove(self) }
    guard let last = outcome.last else { return }
    record.end(last, because: remark ?? last.startFailure)
    if hasCallerLeft { record.notifyUser(of: last) }
  }
}

/// The records of one delivery: in the journal, in the history, and for those who follow it, the monitors and the caller.
@BrokerActor
struct DeliveryRecord {
  let dependencies: DeliveryDependencies
  let request: ActiveRequest
  /// The index of the delivery in the request.
  let index: Int
  /// The desktop-file ID of the target; `nil` for a program that a route runs.
  let target: String?
  let links: [RequestGroup.Link]
  let source: SourceApplication
  /// A Boolean value that indicates whether it is a delivery of the fallback.
  var isFallback = false
  /// A Boolean value that indicates whether the user is notified also if the outcome is unknown.
  var reportsUnknown = false
  /// A Boolean value that indicates whether its stored content cannot be read, so that its links are not known.
  var isUnreadable = false
  /// The stable states so far, as `HistoryEntry` has them.
  private(set) var states: String?
  /// The number of these states.
  private(set) var stateCount = 0
  /// Returns the request for the journal as it was accepted, with this delivery and those that had ended before.
  let pending: @BrokerActor () -> PendingRequest

  private var journal: RequestJournal { dependencies.journal }

  /// Lets a test end the process where it is called.
  var atCommit: (@Sendable () -> Void)? { journal.atCommit }

  // MARK: The journal

  /// Stores the request; returns `false` if that fails.
  func store() -> Bool { journal.add(current()) }

  /// Stores the outcome of the delivery again, if it was stored before.
  func storeEndAgain() {
    guard let result = request.record.endedParts[index]?.result else { return }
    _ = update(to: .ended, result: result)
  }

  /// Returns the request as it is now, with this delivery and those that have ended; the others in progress store their own.
  private func current() -> PendingRequest {
    var current = pending()
    let ended = request.record.endedParts.filter { $0.key != index }
    current.parts.removeAll { ended[$0.index] != nil }
    current.parts = (current.parts + ended.values).sorted { $0.index < $1.index }
    return current
  }

  /// Stores the progress of the delivery; returns `false` if that fails.
  func update(
    to progress: PendingRequest.Progress, method: DeliveryMethod? = nil, earlier: EarlierAttempts = .none,
    result: String? = nil
  ) -> Bool {
    if progress == .ended {
      request.record.endedParts[index] = PendingRequest.Part(
        index: index, target: target, content: "", progress: .ended, result: result, isFallback: isFallback)
    }
    return journal.update { store throws(StateError) in
      try store.update(
        index, of: request.number, to: progress, method: method?.rawValue, earlier: earlier.rawValue,
        result: result
      )
    } orAdd: {
      var request = current()
      for part in request.parts.indices where request.parts[part].index == index {
        request.parts[part].progress = progress
        request.parts[part].method = method?.rawValue
        request.parts[part].earlier = earlier.rawValue
        request.parts[part].result = result
      }
      return request
    }
  }

  /// Stores that the request outlives its caller until it expires; returns `false` if that fails.
  func retainAfterCaller() -> Bool {
    let wasRetained = request.record.isRetained
    request.record.isRetained = true
    let isStored = journal.update { store throws(StateError) in
      try store.recordOutlivesCaller(request.number)
    } orAdd: {
      current()
    }
    request.record.isRetained = isStored || wasRetained
    return isStored
  }

  // MARK: The monitors and the history

  /// Notes a transition to a stable state for the history, and notifies the monitors.
  mutating func move(to state: RequestState, _ kind: Delivery.Kind?) {
    switch state {
    case .markingSent, .ended: return
    default: break
    }
    // A delivery that is repeated again and again has its first states.
    if stateCount < BrokerLimits.maximumReportedStates {
      stateCount += 1
      let at = BootClock.microseconds(since: request.times.arrival)
      states = (states.map { $0 + " " } ?? "") + "\(state.name) \(at)"
    }
    dependencies.reports.monitors.tell(state.name) {
      var entries = entry(Delivery(application: target, outcome: .accepted, kind: kind)).entries
      entries["outcome"] = nil
      return entries
    }
  }

  /// Notifies the monitors of the outcome, and adds it to the history after the caller has received it.
  ///
  /// - Parameter reason: The reason why nothing was delivered, or the remark on the delivery, without secrets.
  func end(_ delivery: Delivery, because reason: String? = nil) {
    dependencies.reports.monitors.tell("ended") { entry(delivery, because: reason).entries }
    BrokerActor.afterwards {
      dependencies.reports.history.add(entry(delivery, because: reason, after: states))
    }
  }

  /// Notifies the user if the delivery failed.
  func notifyUser(of delivery: Delivery) {
    let shown = isUnreadable ? ["…"] : links.prefix(BrokerLimits.maximumReportedURLs).map(\.redacted)
    dependencies.reports.failures.report(delivery, of: shown, evenIfUnknown: reportsUnknown)
  }

  private func entry(
    _ delivery: Delivery, because reason: String? = nil, after states: String? = nil
  ) -> HistoryEntry {
    // A request with many URLs, or with long ones, makes a short entry.
    var shown: [String] = []
    var size = 0
    for link in links.prefix(BrokerLimits.maximumReportedURLs) {
      let url = link.redacted
      size += url.utf8.count + 1
      guard shown.isEmpty || size <= BrokerLimits.reportedURLs else { break }
      shown.append(url)
    }
    return HistoryEntry(
      time: request.times.date, request: request.key.id,
      urls: (shown + (links.count > shown.count || isUnreadable ? ["…"] : [])).joined(separator: " "),
      source: source.id?.rawValue.shortened(), assurance: source.assurance.rawValue,
      via: source.via?.rawValue.shortened(), remote: source.machine?.name.shortened(),
      application: delivery.application?.shortened(),
      delivery: delivery.kind?.rawValue,
      outcome: delivery.outcome.rawValue, error: delivery.error?.rawValue, reason: reason,
      duration: BootClock.microseconds(since: request.times.arrival), states: states,
      caller: request.caller.charged.text)
  }

  // MARK: The caller

  /// Reports the outcome of the delivery so far.
  func report(_ outcome: Outcome) { dependencies.reports.reporter.report(outcome, of: request, target) }

  /// Accepts progress from now on, from the connection `owner` that receives the delivery.
  func beginHandling(_ job: DeliveryJob, by owner: BusName) {
    if let target { dependencies.reports.reporter.begin(job, of: request, by: target, at: owner) }
  }

  /// Records that the delivery `id` has ended.
  func endHandling(_ id: String) { dependencies.reports.reporter.end(id) }
}

extension Delivery {
  /// Creates the delivery for an outcome.
  ///
  /// - Parameters:
  ///   - details: What is known besides the outcome.
  ///   - kind: The state of the target before the last attempt.
  ///   - life: The life of the request before the event.
  fileprivate init(
    of details: Delivery?, _ ending: RequestOutcome, after event: RequestEvent, target: String?,
    sentAs kind: Kind?, in life: RequestStateMachine
  ) {
    self = details ?? Delivery(ending, after: event, target: target)
    if !life.isWaiting { self.kind = self.kind ?? kind }
    guard ending == .unknown, outcome == .failed else { return }
    // The failure is certain only for the last attempt, and an earlier one may have had its effect.
    outcome = .unknown
    guard life.isWaiting else { return }
    let earlier =
      life.hasCrashed
      ? "\(target ?? "the program") exited while it handled the request, so the request may have been handled"
      : "an earlier attempt had sent the request, which may have been handled"
    message = [message, earlier].compactMap(\.self).joined(separator: "; ")
  }

  /// The reason why the application was not started, which is a sentence of the broker about the program and names no link; otherwise `nil`.
  fileprivate var startFailure: String? {
    error == BrokerErrorName.launchFailed.errorName ? message?.shortened() : nil
  }

  /// Returns the delivery with a remark at the end of its message.
  fileprivate func adding(_ remark: String?) -> Delivery {
    guard let remark else { return self }
    var delivery = self
    delivery.message = message.map { "\($0); \(remark)" } ?? remark
    return delivery
  }

  /// Creates the delivery for an outcome without further details.
  init(_ ending: RequestOutcome, after event: RequestEvent, target: String?, kind: Kind? = nil) {
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
      case (.failed, _): failed(.targetFailed, "\(name) failed")
      case (.notDelivered, _): failed(.launchFailed, "\(name) cannot be reached")
      case (.withdrawn, .cancelled): failed(.cancelled, "the caller cancelled the request before it was sent")
      case (.withdrawn, .replyCancelled):
        failed(.cancelled, "\(name) did not handle the request, because the caller cancelled it")
      case (.withdrawn, .expired):
        failed(.timeout, "the request expired before it could be sent to \(name)")
      case (.withdrawn, .brokerStops):
        failed(
          .cancelled, "the broker exited before the request was sent to \(name), and could not store it")
      case (.withdrawn, _):
        failed(.timeout, "\(name) was not ready in time, so the request was not delivered")
      case (.unknown, .startFailed), (.unknown, .processExits):
        failed(
          .launchFailed, "\(name) cannot be reached; an earlier attempt had sent it the request",
          outcome: .unknown)
      case (.unknown, .cancelled), (.unknown, .cancelForwarded), (.unknown, .replyCancelled):
        failed(.cancelled, "the caller cancelled the request after it was sent to \(name)", outcome: .unknown)
      case (.unknown, .brokerRestarts):
        failed(
          .timeout, "the broker exited while it sent the request to \(name); the outcome is unknown",
          outcome: .unknown
        )
      case (.unknown, _), (.forgotten, _):
        failed(.timeout, "\(name) received the request, but did not reply in time", outcome: .unknown)
      }
    self.kind = kind
  }
}
