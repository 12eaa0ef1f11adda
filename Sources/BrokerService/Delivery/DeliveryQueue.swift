// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import Systemd

/// The deliveries to one application, in the order of their acceptance.
///
/// It starts the application at most once at a time, and deliveries that arrive in the meantime wait. An application
/// that accepts envelopes gets them without waiting for replies; any other application gets one call at a time. The
/// state machine of each delivery (`RequestStateMachine`) determines what happens to it; the queue provides the events
/// and performs the effects.
@BrokerActor
final class DeliveryQueue {
  let id: ApplicationID
  /// The running instance of the application.
  let instance: ApplicationInstance
  private let starter: ApplicationStarter
  private let dependencies: DeliveryDependencies
  private var target: DeliveryTarget
  private let jobs = DeliveryOrder()
  private var nextNumber = 1
  private var isWorking = false
  /// A Boolean value that indicates whether waiting deliveries are left to the next broker.
  private var isStopping: Bool { dependencies.shutdown.hasBegun }

  init(_ application: TargetApplication, programs: LaunchPrograms, _ dependencies: DeliveryDependencies) {
    id = application.id
    instance = ApplicationInstance(application.id, dependencies)
    starter = ApplicationStarter(
      instance, bus: dependencies.bus, launcher: dependencies.programs.launcher,
      slowAfter: dependencies.journal.limits.slowStart)
    target = DeliveryTarget(application: application, programs: programs, files: dependencies.files)
    self.dependencies = dependencies
  }

  private var application: TargetApplication { target.application }

  // MARK: Acceptance

  /// Returns whether a delivery whose caller waits may be left unstored until the application turns out not to run.
  func canSkipPersistence(for application: TargetApplication) -> Bool {
    application.takesEnvelopes && jobs.waiting.allSatisfy { !$0.life.isStored }
  }

  /// Accepts a delivery: sends it in this turn of the event loop if the instance is ready, otherwise queues it.
  ///
  /// - Parameter written: Whether the request is stored; `nil` if storing it was not tried yet.
  func accept(
    _ job: DeliveryJob, for application: TargetApplication, programs: LaunchPrograms, written: Bool?
  ) {
    // The entry may have changed since the last request.
    target = DeliveryTarget(application: application, programs: programs, files: dependencies.files)
    setNumber(of: job)
    if let written { job.apply(written ? .stored : .cannotBeStored) }
    if !isStopping, !isWorking, let addressee = readyAddressee, jobs.beginAtOnce(job, by: addressee.name) {
      job.envelope.delivery = .running
      if !send(job, to: addressee) { requeue(job) }
    } else {
      enqueue(job)
    }
  }

  /// Resumes a delivery in the state in which an earlier broker stored it, or ends it if it has expired.
  func resume(_ job: DeliveryJob) {
    setNumber(of: job)
    job.apply(.brokerRestarts)
    if job.expires <= .now { end(job, .expired) } else if job.life.isWaiting { enqueue(job) }
  }

  private func setNumber(of job: DeliveryJob) {
    job.number = nextNumber
    nextNumber += 1
  }

  /// The instance that can receive a delivery now, without further queries; `nil` if its application must be queried or started first.
  private var readyAddressee: RemoteObject? {
    // A running application that accepts envelopes is signalled first, whatever the request is.
    application.takesEnvelopes ? instance.readyForEnvelopes() : nil
  }

  // MARK: Timeout, cancellation and expiry

  /// Ends the wait of the caller for a delivery.
  ///
  /// An unsent delivery ends as `withdrawn`. If its application is starting slowly, it stays queued with the outcome `accepted`.
  /// The outcome of a delivery that was sent is `unknown`.
  func callerTimedOut(_ job: DeliveryJob) {
    if let reason = starter.slowStart, job.retainAfterCaller(because: reason) { return }
    end(job, .callerTimedOut)
  }

  /// Cancels a delivery for its caller.
  func cancel(_ job: DeliveryJob) { end(job, .cancelled) }

  /// Ends the deliveries that expire at `time` or before.
  func expire(at time: ContinuousClock.Instant) {
    let reason = starter.slowStart.map { "the request expired before it could be sent: \($0)" }
    for job in jobs.all where job.expires <= time {
      end(
        job, .expired,
        reporting: job.life.isWaiting ? reason.map { .failed(id, .timeout, message: $0) } : nil)
    }
  }

  /// Forgets the connections of the application, because the bus was lost.
  func forgetOwner() {
    instance.forgetOwner()
    jobs.forgetCrash()
  }

  /// Stores all stored deliveries again, because their file was lost.
  func storeAgain() { for job in jobs.all { job.storeAgain() } }

  /// A Boolean value that indicates whether a reply is due at once that only this broker can receive.
  var isSending: Bool { jobs.all.contains { $0.isSending } }

  /// Stores the deliveries that must survive the end of the broker.
  func stop() { for job in jobs.all { job.apply(.brokerStops) } }

  private func end(_ job: DeliveryJob, _ event: RequestEvent, reporting delivery: Delivery? = nil) {
    guard !job.life.isEnded else { return }
    let addressee = job.life.isSent ? job.recipient?.object : nil
    if job.apply(event, delivery) == .tellTarget {
      if let addressee {
        // An application answers a request that waits there before it replies to the cancellation.
        instance.cancel(job.envelope.requestID, at: addressee) { [self] in end(job, .cancelForwarded) }
      } else {
        cancelEarlierAttempt(of: job.envelope.requestID)
      }
    }
    removeIfEnded(job)
  }

  /// Notifies the running instance, if there is one, of the cancellation of a request that an earlier attempt has sent.
  private func cancelEarlierAttempt(of deliveryID: String) {
    guard application.takesEnvelopes, let path = instance.path else { return }
    BrokerActor.loop.start { [self] in
      // The ID is a secret of the broker and the application.
      guard let owner = await instance.currentOwner(),
        await instance.impostor(owner, claiming: application) == nil
      else { return }
      instance.cancel(deliveryID, at: RemoteObject(owner, path)) {}
    }
  }

  // MARK: Order

  private func enqueue(_ job: DeliveryJob) {
    jobs.insert(job)
    resumeWork()
  }

  private func resumeWork() {
    guard !isWorking else { return }
    guard jobs.hasNext else { return giveBackStarts() }
    isWorking = true
    BrokerActor.loop.start { [self] in
      while !isStopping, let job = jobs.beginNext() { await deliver(job) }
      isWorking = false
      giveBackStarts()
    }
  }

  /// Gives back the starts that callers have acquired for jobs that have ended, or needed none.
  private func giveBackStarts() {
    for caller in jobs.removeUnusedStartTurns() { dependencies.programs.starts.giveBack(caller) }
  }

  /// Returns a job to its old position in the queue, or removes it if it is finished.
  private func requeue(_ job: DeliveryJob) {
    jobs.remove(job)
    if job.life.isWaiting { enqueue(job) }
  }

  /// Returns a job that could not be sent to the queue, after a pause in which it may become possible to store it as sent.
  private func requeueLater(_ job: DeliveryJob) async {
    try? await BrokerActor.loop.sleep(for: BrokerLimits.storing)
    requeue(job)
  }

  /// Applies an event to a job, and removes the job if that finishes it.
  private func settle(_ job: DeliveryJob, _ event: RequestEvent, reporting delivery: Delivery? = nil) {
    job.apply(event, delivery)
    removeIfEnded(job)
  }

  private func removeIfEnded(_ job: DeliveryJob) {
    if job.life.isEnded { jobs.remove(job) }
  }

  /// Fails a job, and the jobs that wait for the same start: one on the display of `session`, or any if that is `nil`.
  private func failAll(_ job: DeliveryJob, _ delivery: Delivery, on session: CallerSession?) async {
    let sessions = session.map { [$0] + jobs.waiting.map(\.session) } ?? []
    // Jobs that are accepted while the environment is read have not waited for this start.
    let next = nextNumber
    let environment = sessions.contains(where: \.hasDisplay) ? await dependencies.environment.current() : [:]
    settle(job, .startFailed, reporting: delivery)
    let failed = jobs.removeWaiting {
      guard $0.number < next else { return false }
      let wanted = target.isStartedByBusOnly(for: $0.envelope) ? .unknown : $0.session
      return session?.sharesDisplay(with: wanted, beside: environment) ?? true
    }
    for job in failed { job.apply(.startFailed, delivery) }
  }
}

// MARK: - Delivery

extension DeliveryQueue {
  /// Tries one delivery strategy after the other until a job is delivered, or certainly cannot be.
  private func deliver(_ job: DeliveryJob) async {
    var reasons: [String] = []
    await jobs.waitForSent(before: job)
    let owner = await instance.owner()
    if owner == nil || !application.takesEnvelopes { jobs.store(with: job) }
    await jobs.waitForInterrupted(before: job, notBy: owner, on: dependencies.bus)
    // A crash may have returned earlier jobs to the queue while this one waited.
    guard !job.life.isWaiting || !jobs.isOvertaking(job) else { return requeue(job) }
    var strategies = target.strategies(for: job.envelope, isRunning: owner != nil, mayLaunch: job.mayLaunch)
    while let strategy = strategies.popFirst() {
      // The request may have been cancelled in the meantime, and then have ended by the reply to the last attempt.
      guard job.life.isWaiting else { return removeIfEnded(job) }
      if strategy.startsProgram {
        // The next broker starts it, and follows its start.
        guard !isStopping else { return requeue(job) }
        guard mayStart(job) else { return }
      }
      switch await attempt(strategy, for: job, owner: owner) {
      case .ready(let addressee):
        guard !send(job, to: addressee) else { return }
        return await requeueLater(job)
      case .sent: return
      case .finished(let event, let delivery): return settle(job, event, reporting: delivery)
      case .busDisconnected: return retryOrFail(job, after: .busDisconnected)
      case .overtaking: return requeue(job)
      case .cannotStore: return await requeueLater(job)
      case .notDelivered(let reason):
        reasons.append(reason)
        guard strategy == .signal else { continue }
        // If the instance exited in the meantime, the strategies for a stopped application apply, or those for its successor.
        switch await instance.currentOwner() {
        case nil:
          strategies = target.strategies(for: job.envelope, isRunning: false, mayLaunch: job.mayLaunch)
        case owner?: break
        case _?: return requeue(job)
        }
      case .cannotStart(let reason, let session):
        return await failAll(job, .failed(id, .launchFailed, message: reason, kind: .launch), on: session)
      }
    }
    settle(
      job, .startFailed, reporting: target.undeliverable(job.envelope, mayLaunch: job.mayLaunch, reasons))
  }

  private func attempt(
    _ strategy: DeliveryStrategy, for job: DeliveryJob, owner: BusName?
  ) async -> DeliveryAttempt {
    let delivery = InstanceDelivery(
      job: job, target: target, instance: instance, starter: starter, jobs: jobs,
      environment: dependencies.environment, shutdown: dependencies.shutdown)
    switch strategy {
    case .signal:
      guard let owner else { return .notDelivered("\(id) is not running") }
      return await delivery.signal(owner, kind: .running)
    case .activate: return await delivery.activate()
    case .launchAndSignal: return await delivery.launch()
    case .execute: return await execute(job)
    }
  }

  // MARK: Envelopes and their replies

  /// Sends an envelope without waiting for the reply, because the calls of one connection arrive in the order of sending.
  ///
  /// - Returns: `false` if the job still waits, because it could not be stored as sent, or because the broker is stopping.
  private func send(_ job: DeliveryJob, to addressee: RemoteObject) -> Bool {
    guard !isStopping, job.beginSending(to: addressee) else { return !job.life.isWaiting }
    let number = job.number
    instance.deliver(job.envelope, to: addressee) { [self] reply in
      // The job may have ended in the meantime.
      guard let job = jobs.jobInProgress(number) else { return }
      switch reply {
      case .settled(let event, let delivery): settle(job, event, reporting: delivery)
      case .exited: retryOrFail(job, after: jobs.exitEvent(of: job))
      case .busDisconnected: retryOrFail(job, after: .busDisconnected)
      case .notDelivered(let support): returnToQueue(job, from: addressee, support)
      case .exiting(let error): verifyExit(of: addressee, error, for: job)
      }
    }
    return true
  }

  /// Returns a job to the queue whose envelope was not delivered: it counts as not sent, and its instance accepts no envelopes.
  private func returnToQueue(
    _ job: DeliveryJob, from addressee: RemoteObject, _ support: ApplicationInstance.EnvelopeSupport
  ) {
    instance.record(addressee.name, support)
    if support == .notServed { job.wasNotServed = true }
    job.recordNotDelivered()
    requeue(job)
  }

  /// Returns a job to the queue if its instance, which states in `error` that it is exiting, has released its name; otherwise the job has failed.
  private func verifyExit(of addressee: RemoteObject, _ error: BusError, for job: DeliveryJob) {
    job.recipient?.isExitUnverified = true
    BrokerActor.loop.start { [self] in
      let isExiting = await instance.hasReleasedName(addressee.name)
      job.recipient?.isExitUnverified = false
      // The job may have ended in the meantime.
      guard jobs.jobInProgress(job.number) === job else { return }
      switch isExiting {
      case true?: returnToQueue(job, from: addressee, .declined)
      case false?:
        settle(
          job, .replyFailed, reporting: .targetFailed(id, because: error.message, kind: job.envelope.delivery)
        )
      case nil: retryOrFail(job, after: .busDisconnected)
      }
    }
  }

  /// Returns a job to the queue after a crash of the target or the loss of the bus, if it may be repeated.
  private func retryOrFail(_ job: DeliveryJob, after event: RequestEvent) {
    // Whether it had begun the request is not known.
    let message = "\(id) exited twice before it answered the request"
    job.apply(event, .failed(id, .targetFailed, message: message, kind: job.envelope.delivery))
    requeue(job)
  }

  // MARK: Program starts

  /// Returns whether a program may be started for a job now.
  ///
  /// If not, the job waits for its caller's turn, and the jobs of other callers overtake it.
  private func mayStart(_ job: DeliveryJob) -> Bool {
    let caller = job.caller
    if jobs.useStartTurn(of: caller) { return true }
    if dependencies.programs.starts.take(for: caller) { return true }
    jobs.setStartTurn(.awaited, of: caller)
    requeue(job)
    BrokerActor.loop.start { [self] in
      await dependencies.programs.starts.turn(of: caller)
      jobs.setStartTurn(.acquired, of: caller)
      resumeWork()
    }
    return false
  }

  /// Runs the application's Exec line with the URLs: one program, or one for each URL.
  private func execute(_ job: DeliveryJob) async -> DeliveryAttempt {
    job.envelope.delivery = .launch
    do throws(LaunchError) {
      let launches = try await target.launches(
        opening: job.envelope.urls, performing: job.envelope.desktopAction)
      jobs.store(with: job)
      guard !isStopping, job.apply(.sending(job.programWay)) == .send else {
        return DeliveryAttempt(notSent: job)
      }
      let delivery = dependencies.programs.delivery(to: application, named: "\(id)")
      guard launches.count > 1 else {
        let reason = await delivery.run(launches, for: job) { [self] in settle(job, $0, reporting: $1) }
        return reason.map { .notDelivered($0) } ?? .sent
      }
      // Several programs start at their caller's rate, while the jobs of other callers proceed.
      jobs.setStartTurn(.awaited, of: job.caller)
      BrokerActor.loop.start { [self] in
        let reason = await delivery.run(launches, for: job) { [self] in settle(job, $0, reporting: $1) }
        if let reason {
          settle(
            job, .startFailed,
            reporting: target.undeliverable(job.envelope, mayLaunch: job.mayLaunch, [reason]))
        }
        jobs.setStartTurn(nil, of: job.caller)
        resumeWork()
      }
      return .sent
    } catch {
      return .notDelivered(error.description)
    }
  }
}
