// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching

/// An attempt to deliver a job to the running instance of its application, which is started before if the strategy demands that.
///
/// An envelope that may be sent is left to the queue, which receives the reply. `ProgramDelivery` delivers to programs without an instance.
@BrokerActor
struct InstanceDelivery {
  let job: DeliveryJob
  /// The application, as its desktop entry describes it.
  let target: DeliveryTarget
  let instance: ApplicationInstance
  let starter: ApplicationStarter
  /// The jobs of the queue, of which earlier ones may precede this one in the meantime.
  let jobs: DeliveryOrder
  let environment: SessionEnvironment
  let shutdown: DeliveryShutdown

  private var application: TargetApplication { target.application }
  private var id: ApplicationID { application.id }

  // MARK: Strategies

  /// Has the bus start the application, and reaches the instance.
  func activate() async -> DeliveryAttempt {
    guard await !target.needsOwnStart(for: job.envelope, in: job.session, beside: environment) else {
      return .notDelivered("the bus would start \(id) on another display than that of the caller")
    }
    let start = await starter.activate({ [target] () async throws(LaunchError) in
      try await target.launches()
    }) {
      jobs.hasUnsent
    }
    return await signal(after: start, on: .unknown)
  }

  /// Starts the program of the application without a URL, and reaches the instance.
  func launch() async -> DeliveryAttempt {
    let isElsewhere = await job.session.hasOtherDisplay(than: environment)
    let start = await starter.launch(
      { () async throws(LaunchError) in
        try await target.launches().map { $0.started(in: job.session) }
      }, for: job.envelope.requestID, on: isElsewhere ? .other : .session)
    return await signal(after: start, on: job.session)
  }

  private func signal(
    after start: ApplicationStarter.Start, on session: CallerSession
  ) async -> DeliveryAttempt {
    switch start {
    case .running(let owner):
      // The request may have been cancelled while the program started; the target then receives nothing.
      guard job.apply(.nameAcquired) == .handOver else { return .sent }
      // Earlier jobs may have returned to the queue in the meantime, and precede this one.
      guard !jobs.isOvertaking(job) else { return .overtaking }
      return await signal(owner, kind: .launch)
    case .impossible(let reason): return .notDelivered(reason)
    case .failed(let reason): return .cannotStart(reason, on: session)
    case .busDisconnected: return .busDisconnected
    }
  }

  /// Reaches the instance that owns the application's name, by an envelope or by a call of the standard interface.
  ///
  /// - Parameter kind: The state of the application before the attempt.
  func signal(_ owner: BusName, kind: Delivery.Kind) async -> DeliveryAttempt {
    guard let path = instance.path else { return .notDelivered("\(id) cannot be mapped to an object path") }
    let isChecked = instance.isChecked(owner)
    if let diagnostic = await instance.impostor(owner, claiming: application) {
      return application.expectsCalls ? .cannotStart(diagnostic, on: nil) : .notDelivered(diagnostic)
    }
    // Earlier jobs may have returned to the queue while the owner was checked, and precede this one.
    guard isChecked || !jobs.isOvertaking(job) else { return .overtaking }
    let addressee = RemoteObject(owner, path)
    job.envelope.delivery = kind
    if application.takesEnvelopes, !job.wasNotServed, await instance.servesEnvelopesNow(addressee),
      jobs.isOvertaking(job)
    {
      return .overtaking
    }
    switch instance.envelopeSupport(of: owner) {
    case .accepted?: return .ready(addressee)
    case .notServed?:
      job.remark = application.remarkOnMissingInterface
      return await callStandard(at: addressee)
    case .declined? where application.takesEnvelopes:
      // If it has exited, a call of the standard interface cannot arrive, and would make the outcome unknown to the caller.
      guard await instance.currentOwner() == owner else { return .notDelivered("\(id) has exited") }
      guard !jobs.isOvertaking(job) else { return .overtaking }
      return await callStandard(at: addressee)
    case .declined?: return await callStandard(at: addressee)
    // The entry declares envelopes, so the second job need not wait for the reply to the first.
    case nil where application.takesEnvelopes: return .ready(addressee)
    case nil: return await tryEnvelope(at: addressee)
    }
  }

  // MARK: Calls

  /// Lets an envelope be sent to an instance whose entry does not declare envelopes, if the instance itself does.
  private func tryEnvelope(at addressee: RemoteObject) async -> DeliveryAttempt {
    switch await instance.declaration(of: addressee) {
    case .absent:
      instance.record(addressee.name, .notServed)
      return await callStandard(at: addressee)
    // The reply may take as long as a dialog is open, and the next job need not wait for it.
    case .declared: instance.record(addressee.name, .accepted)
    case .unclear: break
    }
    return .ready(addressee)
  }

  /// Calls the standard interface of an instance that accepts no envelopes.
  private func callStandard(at addressee: RemoteObject) async -> DeliveryAttempt {
    if let obstacle = target.obstacleToStandardCall(of: job.envelope, mayLaunch: job.mayLaunch) {
      return .notDelivered(obstacle)
    }
    jobs.store(with: job)
    guard !shutdown.hasBegun, job.apply(.sending(.standard)) == .send else {
      return DeliveryAttempt(notSent: job)
    }
    job.testHook()
    let kind = job.envelope.delivery
    do throws(BusError) {
      try await instance.callStandard(job.envelope, at: addressee)
      return .finished(.arrived, Delivery(application: id.rawValue, outcome: .delivered, kind: kind))
    } catch {
      let served = instance.envelopeSupport(of: addressee.name) != .notServed
      var failure = DeliveryFailure(error, servesEnvelopes: served)
      if failure == .exiting {
        failure =
          switch await instance.hasReleasedName(addressee.name) {
          case true?: .notDelivered
          case false?: .refused
          case nil: .busDisconnected
          }
      }
      switch failure {
      case .notDelivered, .notServed:
        job.apply(.provenNotDelivered)
        return .notDelivered(error.message)
      case .refused, .exiting, .withdrawn, .outcomeUnknown:
        return .finished(
          .replyFailed, .targetFailed(id, because: error.message, kind: kind))
      case .unreadable: return .finished(.noReply, .invalidReply(id, error.message, kind: kind))
      case .exited, .busDisconnected, .timedOut, .lost:
        // The request is never repeated, because the instance may have opened it before it exited.
        return .finished(
          .noReply,
          .unknown(id, message: "\(id) received it, but did not reply: \(error.message)", kind: kind))
      }
    }
  }
}
