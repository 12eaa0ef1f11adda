// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import Logging
import RouteTables
import State
import Systemd

/// Stores, queues and expires the deliveries of all requests.
@BrokerActor
final class DeliveryService {
  private let dependencies: DeliveryDependencies
  private let log: Logger
  private var queues: [ApplicationID: DeliveryQueue] = [:]
  /// The task that expires old requests while any are pending.
  private var expiring: Task<Void, Never>?

  init(_ dependencies: DeliveryDependencies, log: Logger) {
    self.dependencies = dependencies
    self.log = log
    dependencies.journal.fileLost = { [weak self] in self?.storeAgain() }
  }

  private var journal: RequestJournal { dependencies.journal }
  private var quotas: QuotaTracker { dependencies.quotas }
  private var commands: RouteCommandJobs { dependencies.commands }

  /// Returns the queue of an application.
  func queue(for application: TargetApplication, by policy: PolicySnapshot) -> DeliveryQueue {
    if let queue = queues[application.id] { return queue }
    let queue = DeliveryQueue(application, programs: policy.launchPrograms, dependencies)
    queues[application.id] = queue
    return queue
  }

  /// Forgets the connections of all applications, because the bus was lost.
  func forgetOwners() { for queue in queues.values { queue.forgetOwner() } }

  /// Stores and starts the deliveries of a decided request, in its order.
  ///
  /// Nothing is sent before the request is stored, except to a running application whose caller waits.
  ///
  /// - Parameters:
  ///   - options: The options for the envelopes; those of the fallback differ from those of the request.
  ///   - earlier: The deliveries that these replace, for a fallback.
  func start(
    _ planned: PlannedRequest, for request: ActiveRequest, _ options: OpenOptions,
    after earlier: [Delivery]
  ) -> [DeliveryHandle] {
    let source = planned.request.caller.source
    // Not the key from the admission, because the file may have been opened in the meantime, and the next broker reads the key
    // from the file.
    let (key, mayRepeat) = journal.session(for: request.options)
    let deliveries = plan(planned, for: request, options, by: key, after: earlier)
    expireOld()
    let isStored = store(deliveries, of: request, from: source, after: earlier)
    let count = earlier.count + deliveries.count
    for delivery in deliveries where count > 1 && delivery.finished != nil {
      request.record.endedParts[delivery.index] = delivery.pending(
        among: count, sandbox: request.facts.sandbox?.id)
    }
    let handles = deliveries.map { delivery in
      let record = DeliveryRecord(
        dependencies: dependencies, request: request, index: delivery.index, target: delivery.application,
        links: delivery.group.links, source: source, isFallback: delivery.isFallback
      ) { request.pending([delivery], from: source, after: earlier) }
      return start(delivery, record, by: planned.policy, written: isStored, mayRepeat: mayRepeat)
    }
    // A finished delivery, whose answer may be long, is left to its receipt.
    request.deliveries += handles.filter { $0.job != nil }
    return handles
  }

  private func start(
    _ delivery: PlannedDelivery, _ record: DeliveryRecord, by policy: PolicySnapshot, written: Bool?,
    mayRepeat: Bool
  ) -> DeliveryHandle {
    switch (delivery.content, delivery.group.verdict) {
    case (.ready(let envelope, let quota), .deliver(let application)):
      let queue = queue(for: application, by: policy)
      // Only a request to such an application is sent without being stored.
      let mayRepeat =
        application.takesEnvelopes && mayRepeat && dependencies.registrations.mayForget(application.id)
      let job = DeliveryJob(
        envelope, charging: quota, record, in: queue, state: .received(earlier: mayRepeat ? .sent : .none))
      queue.accept(job, for: application, programs: policy.launchPrograms, written: written)
      return DeliveryHandle(job, to: application.id.rawValue, isStored: job.life.isStored)
    case (.ready(let envelope, let quota), .run(let command)):
      let job = DeliveryJob(envelope, charging: quota, record, in: nil)
      commands.insert(job)
      RouteCommandExecution(of: command, for: job, dependencies).start(written: written == true)
      return DeliveryHandle(job, to: nil, isStored: written == true)
    case (.ready, .ask), (.ready, .refuse):
      return DeliveryHandle(finished: Delivery(application: nil, outcome: .failed))
    case (.finished(let outcome), _):
      record.end(outcome, because: delivery.group.loggedReason)
      return DeliveryHandle(finished: outcome, record.request.mayBeUnattended ? record : nil)
    }
  }

  /// Resumes a delivery that an earlier broker stored.
  ///
  /// - Parameters:
  ///   - pending: The stored request, of which `part` is the stored delivery.
  ///   - application: The target; `nil` if it is not installed any more, or is a program of a route.
  ///   - rejection: The outcome, if the current policy rejects the delivery.
  func resume(
    _ part: PendingRequest.Part, of pending: PendingRequest, _ request: ActiveRequest,
    to application: TargetApplication?, by policy: PolicySnapshot?, rejection: Delivery? = nil
  ) -> DeliveryHandle {
    let stored: StoredDelivery
    do throws(MessageError) {
      if part.progress == .ended, let result = part.result {
        return DeliveryHandle(finished: try Delivery([String: Variant](json: result)))
      }
      stored = try StoredDelivery(part.content)
    } catch {
      log.error(
        "cannot read a delivery of an earlier broker: \(error)", metadata: ["request": "\(pending.id)"])
      return endUnreadable(part, of: pending, request)
    }
    let envelope = stored.envelope
    let quota = quotas.holdBeyondLimit(
      for: envelope, with: request.options, to: part.target, from: request.caller.charged)
    var record = DeliveryRecord(
      dependencies: dependencies, request: request, index: part.index, target: part.target,
      links: stored.links { policy?.broker.mayHaveSecret($0) ?? true }, source: stored.source,
      isFallback: part.isFallback
    ) {
      var pending = pending
      // The other deliveries in progress store their own parts.
      pending.parts = pending.parts.filter { $0.index == part.index || $0.progress == .ended }
      if request.record.isRetained { pending.deadline = pending.expires }
      return pending
    }
    let state = RequestState(part)
    record.reportsUnknown = state.isProgramStart
    if rejection == nil, policy != nil, state == .queued(earlier: .none), let command = stored.command {
      let job = DeliveryJob(envelope, charging: quota, record, in: nil, state: state)
      commands.insert(job)
      RouteCommandExecution(of: command, for: job, dependencies).resume()
      let handle = DeliveryHandle(job, to: nil, isStored: job.life.isStored)
      request.deliveries.append(handle)
      return handle
    }
    guard rejection == nil, let policy, var application else {
      let job = DeliveryJob(envelope, charging: quota, record, in: nil, state: state)
      return DeliveryHandle(finished: giveUp(job, to: part.target, because: rejection), record)
    }
    application.desktopAction = envelope.desktopAction
    let queue = queue(for: application, by: policy)
    let job = DeliveryJob(envelope, charging: quota, record, in: queue, state: state)
    queue.resume(job)
    let handle = DeliveryHandle(job, to: application.id.rawValue, isStored: job.life.isStored)
    request.deliveries.append(handle)
    return handle
  }

  /// Ends a request whose caller has left, and about which the user was asked until it expired, or which was not decided in time after that.
  func endExpired(
    _ pending: PendingRequest, _ request: ActiveRequest, askingAbout urls: [String],
    from source: SourceApplication,
    because message: String = "the request expired before the user had answered the prompt"
  ) {
    // No policy is read to know which parts of the URLs are secret.
    let links = urls.compactMap { try? URLString($0) }.map {
      RequestGroup.Link(requested: $0, url: $0, hasSecret: true)
    }
    let record = DeliveryRecord(
      dependencies: dependencies, request: request, index: 0, target: nil, links: links, source: source
    ) { pending }
    let delivery = Delivery(
      application: nil, outcome: .failed, error: BrokerErrorName.timeout.errorName, message: message)
    record.end(delivery, because: delivery.message)
    record.notifyUser(of: delivery)
  }

  /// Ends a stored delivery that cannot be read, and whose links are therefore not known.
  func endUnreadable(
    _ part: PendingRequest.Part, of pending: PendingRequest, _ request: ActiveRequest
  ) -> DeliveryHandle {
    let isUnsent = [.asking, .queued].contains(part.progress) && part.earlier == 0
    let delivery = Delivery(
      application: part.target, outcome: isUnsent ? .failed : .unknown,
      error: BrokerErrorName.invalidRequest.errorName,
      message: "the request that an earlier broker had stored cannot be read")
    // The outcome of an ended delivery was reported before.
    guard part.progress != .ended else { return DeliveryHandle(finished: delivery) }
    var record = DeliveryRecord(
      dependencies: dependencies, request: request, index: part.index, target: part.target, links: [],
      source: .unknown, isFallback: part.isFallback
    ) { pending }
    record.isUnreadable = true
    record.reportsUnknown = true
    _ = record.update(
      to: .ended, result: JSONText.line(delivery.kept(among: pending.parts.count).entries))
    record.end(delivery, because: delivery.message)
    return DeliveryHandle(finished: delivery, record)
  }

  /// Stores all requests in progress again, if their file was lost and another is open.
  func storeAgain() {
    journal.storeAgain {
      for queue in queues.values { queue.storeAgain() }
      commands.storeAgain()
    }
  }

  /// Sends nothing more, and leaves what waits to the next broker.
  func sendNothingMore() { dependencies.shutdown.begin() }

  /// Sends nothing more, and waits for the outcome of what was sent, for at most `limit`.
  func finishSending(within limit: Duration) async {
    sendNothingMore()
    let end = ContinuousClock.now + limit
    while commands.isSending || queues.values.contains(where: \.isSending), ContinuousClock.now < end {
      // Polls, because many events end a delivery, and this happens once.
      try? await BrokerActor.loop.sleep(for: .milliseconds(5))
    }
  }

  /// Stores the requests that must survive, before the broker ends.
  func stop() {
    journal.reopenBeforeEnd()
    storeAgain()
    for queue in queues.values { queue.stop() }
    commands.stop()
    guard !journal.noteEnd() else { return }
    // The file was lost in the meantime, or only the note has shown that it is damaged.
    journal.reopenBeforeEnd()
    storeAgain()
    _ = journal.noteEnd()
  }

  /// Leaves the stored requests to the next broker as they are.
  func close() { journal.close() }

  /// Starts to expire old requests, until none is pending.
  func expireOld() {
    guard expiring == nil else { return }
    expiring = BrokerActor.loop.start { [self] in
      let pause = min(BrokerLimits.expiryCheck, journal.limits.lifetime)
      while quotas.pending > 0 {
        guard (try? await BrokerActor.loop.sleep(for: pause)) != nil else { break }
        for queue in queues.values { queue.expire(at: .now) }
        commands.expire(at: .now)
      }
      expiring = nil
    }
  }

  /// Returns the planned deliveries, each charged to the caller.
  ///
  /// One that exceeds a quota is finished at once with an error.
  ///
  /// - Parameters:
  ///   - key: The secret key of the session, on which the IDs of the envelopes depend.
  ///   - earlier: The deliveries that these replace, for a fallback.
  private func plan(
    _ planned: PlannedRequest, for request: ActiveRequest, _ options: OpenOptions, by key: [UInt8],
    after earlier: [Delivery]
  ) -> [PlannedDelivery] {
    logGroups(of: planned, request.key.id)
    let first = earlier.count
    let unopened = planned.groups.map { group in
      Delivery(unopened: group, group.question.flatMap { planned.texts[$0.identity] })
    }
    // The request keeps them while its first delivery waits.
    var answers = (earlier + unopened.compactMap(\.self)).reduce(0) { $0 + $1.size }
    var hasToken = false
    return zip(planned.groups, unopened).enumerated().map { offset, part in
      let (group, unopened) = part
      let index = first + offset
      func finished(_ delivery: Delivery) -> PlannedDelivery {
        PlannedDelivery(group: group, index: index, isFallback: first > 0, content: .finished(delivery))
      }
      if let unopened { return finished(unopened) }
      if !options.launch, case .run(let command) = group.verdict {
        return finished(
          Delivery(
            application: nil, outcome: .failed, error: BrokerErrorName.notHandled.errorName,
            message:
              "the route \(command.route) runs a program, and the caller asked that nothing is started (launch is false)"
          ))
      }
      var envelope = Envelope(
        requestID: request.targetID(at: index, secret: key), callerRequestID: request.key.id, group,
        of: planned.request, options)
      if planned.activationToken != nil || request.caller.tokens.areUsed {
        (envelope.activationToken, envelope.startupID) = (planned.activationToken, nil)
      }
      // An activation token is valid for one window.
      if hasToken { (envelope.activationToken, envelope.startupID) = (nil, nil) }
      hasToken = true
      if case .deliver(let application) = group.verdict {
        envelope.application = application.id.rawValue
        if let action = application.desktopAction { envelope.desktopAction = action }
      }
      do throws(QuotaExceeded) {
        let quota = try quotas.acquire(
          for: envelope, with: request.options, besides: answers, to: group.application,
          from: request.caller.charged)
        answers = 0
        return PlannedDelivery(
          group: group, index: index, isFallback: first > 0, content: .ready(envelope, quota))
      } catch {
        return finished(
          Delivery(
            application: group.application, outcome: .failed, error: BrokerErrorName.tooMany.errorName,
            message: "\(error.limit); try again later"))
      }
    }
  }

  /// Stores the request before its acceptance is reported.
  ///
  /// - Returns: Whether the request is stored; `nil` if storing can wait until the target turns out not to run.
  private func store(
    _ deliveries: [PlannedDelivery], of request: ActiveRequest, from source: SourceApplication,
    after earlier: [Delivery]
  ) -> Bool? {
    if earlier.isEmpty, request.left?.isStored == true {
      return journal.replaceQuestion(by: request.pending(deliveries, from: source))
    }
    // Of a stored request, a fallback that opens nothing is stored too, so that the next broker does not decide it again.
    guard
      deliveries.contains(where: { $0.finished == nil }) || !earlier.isEmpty && journal.knows(request.number)
    else { return nil }
    if deliveries.count == 1, earlier.isEmpty, request.options.wait != .accepted,
      case .deliver(let application) = deliveries[0].group.verdict,
      queues[application.id]?.canSkipPersistence(for: application) == true
    {
      return nil
    }
    let isStored = journal.add(request.pending(deliveries, from: source, after: earlier))
    // The next broker would open the fallback again.
    if !isStored, !earlier.isEmpty, request.deliveries.allSatisfy(\.isFinished) {
      journal.removeNow(request.number)
    }
    return isStored
  }

  /// Returns the outcome of a stored delivery that cannot be resumed.
  private func giveUp(_ job: DeliveryJob, to target: String?, because rejection: Delivery?) -> Delivery {
    job.apply(.brokerRestarts)
    job.apply(
      .startFailed,
      rejection
        ?? Delivery(
          application: target, outcome: .failed, error: BrokerErrorName.launchFailed.errorName,
          message: target.map { "\($0) is no longer installed" }
            ?? "the broker exited before it started the program"))
    return job.outcome.reported ?? Delivery(application: target, outcome: .unknown)
  }

  /// Logs the verdicts on the groups of a request, after the current event is handled.
  private func logGroups(of planned: PlannedRequest, _ id: String) {
    BrokerActor.loop.submitAfterwards { [log] in
      let limit = BrokerLimits.maximumLoggedGroups
      for group in planned.groups.prefix(limit) {
        let verdict =
          switch group.verdict {
          case .deliver(let application): "to \(application.id)"
          case .run(let command): "run by the route \(command.route)"
          case .ask(let question): "\(question.asker) asks"
          case .refuse(let refusal): "rejected: \(refusal.loggedDescription)"
          }
        // A line must not grow with the request, because a caller sends as many URLs as it wants.
        let shown = group.links.prefix(BrokerLimits.maximumLoggedURLs).map(\.redacted).joined(separator: " ")
        let more = group.links.count - BrokerLimits.maximumLoggedURLs
        log.info(
          "\(shown.isEmpty ? "a request without a URL" : shown)\(more > 0 ? " and \(more) more" : "") \(verdict)",
          metadata: ["request": "\(id)", "source": "\("\(planned.request.caller.source)".shortened())"])
      }
      // The system journal limits the rate of each service, and would drop the messages of other callers.
      let unlogged = planned.groups.count - limit
      if unlogged > 0 { log.info("and \(unlogged) more parts", metadata: ["request": "\(id)"]) }
    }
  }
}

/// The delivery of one group of a request's URLs, as it is planned, stored and charged before it starts.
struct PlannedDelivery: Sendable {
  /// The outcome of a group that is not delivered at all, or what is delivered and its share of the quotas.
  enum Content: Sendable {
    case finished(Delivery)
    case ready(Envelope, QuotaShare)
  }

  let group: RequestGroup
  /// The index of the delivery in the receipt.
  let index: Int
  let isFallback: Bool
  let content: Content

  /// The target's desktop-file ID; `nil` for a program that a route runs.
  var application: String? { group.application }

  /// The outcome of a group that is not delivered at all; otherwise `nil`.
  var finished: Delivery? { if case .finished(let delivery) = content { delivery } else { nil } }

  /// Returns the stored form.
  ///
  /// - Parameters:
  ///   - count: The number of deliveries of the request.
  ///   - sandbox: The application whose sandbox the caller is in.
  func pending(among count: Int, sandbox: ApplicationID?) -> PendingRequest.Part {
    switch content {
    case .ready(let envelope, _):
      var command: RouteCommand?
      if case .run(let program) = group.verdict { command = program }
      let stored = StoredDelivery(
        envelope, requested: group.links.map(\.requested.text), sandbox: sandbox, command: command)
      return PendingRequest.Part(
        index: index, target: application, content: stored.text, progress: .queued, isFallback: isFallback)
    case .finished(let delivery):
      return PendingRequest.Part(
        index: index, target: application, content: "", progress: .ended,
        result: JSONText.line(delivery.kept(among: count).entries), isFallback: isFallback)
    }
  }
}

/// A started delivery of a request.
@BrokerActor
struct DeliveryHandle {
  /// The delivery as far as it is known without waiting.
  let known: Delivery
  /// The job that delivers it; `nil` if it was finished at once.
  let job: DeliveryJob?
  /// A Boolean value that indicates whether the caller need not wait: the delivery is finished, or it is stored.
  let isStored: Bool
  /// The records of a delivery that was finished at once by this broker; otherwise `nil`.
  private let record: DeliveryRecord?

  init(finished delivery: Delivery, _ record: DeliveryRecord? = nil) {
    (known, job, isStored) = (delivery, nil, true)
    self.record = record
  }

  init(_ job: DeliveryJob, to application: String?, isStored: Bool) {
    self.job = job
    known = Delivery(application: application, outcome: .accepted)
    self.isStored = isStored
    record = nil
  }

  /// Notifies the user if the delivery failed.
  func notifyUser(of delivery: Delivery) {
    if let job { job.notifyUser(of: delivery) } else { record?.notifyUser(of: delivery) }
  }

  /// A Boolean value that indicates whether a later cancellation has no effect.
  var isFinished: Bool { job?.life.isEnded ?? true }

  /// A Boolean value that indicates whether the delivery was rejected because the caller exceeds a limit.
  var isBeyondLimit: Bool { known.error == BrokerErrorName.tooMany.errorName }
}

extension RequestState {
  /// Creates the stored state.
  fileprivate init(_ part: PendingRequest.Part) {
    let earlier = EarlierAttempts(rawValue: part.earlier) ?? .crashed
    switch part.progress {
    case .asking, .queued: self = .queued(earlier: earlier)
    // A stored method that is unknown is treated as a program start, which is never repeated.
    case .sent:
      self = .sent(part.method.flatMap(DeliveryMethod.init) ?? .program, stored: true, earlier: earlier)
    case .delivered: self = .delivered
    case .ended: self = .ended(.unknown)
    }
  }

  /// A Boolean value that indicates whether the result of a program's start is not known.
  fileprivate var isProgramStart: Bool {
    guard case .sent(let method, _, _) = self else { return false }
    return method == .program || method == .awaitedProgram
  }
}
