// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import RouteTables
import State
import Systemd

/// The part of a request that outlives its caller while the user is asked: its record, its quota, and the receipt that the caller gets
/// before the user answers.
@BrokerActor
final class LeftRequest {
  /// The receipt for the caller.
  ///
  /// It is that of the outcome if the user answers while the caller waits.
  let receipt = Promise<Result<Receipt, BusError>>()
  /// A Boolean value that indicates whether the journal has the request, so that the user's answer opens it without its caller.
  private(set) var isStored = false
  /// A Boolean value that indicates whether the caller got its receipt before the user's answer.
  private(set) var hasCallerLeft = false
  private var quota: QuotaShare?
  private var timer: LoopTimer?

  /// Notes that the journal has the request, which is charged with `quota` while the user is asked.
  func begin(charging quota: QuotaShare) {
    self.quota = quota
    isStored = true
  }

  /// Lets the caller leave after `duration`, unless the user answers before.
  func callerWaits(for duration: Duration, thenLeaves leave: @escaping () -> Void) {
    timer = LoopTimer(on: BrokerActor.loop, after: duration, leave)
  }

  /// Gives the caller its receipt before the user's answer.
  func callerLeaves(with receipt: Result<Receipt, BusError>) {
    hasCallerLeft = true
    self.receipt.fulfil(receipt)
  }

  /// Ends the time in which the user is asked.
  func end() {
    timer?.cancel()
    timer = nil
    quota?.release()
    quota = nil
  }
}

extension ActiveRequest {
  /// Stores the request and lets its caller leave, so that the user's answer opens it as long as the prompt is shown.
  ///
  /// A caller that waits for acceptance leaves at once, and any other caller at its timeout.
  ///
  /// - Returns: Whether the request outlives its caller; `false` if the caller wants to wait for the answer, or must, because the request
  ///   cannot be stored or is beyond a limit.
  func outliveCaller(askingAbout asked: OpenRequest, in journal: RequestJournal, _ quotas: QuotaTracker)
    -> Bool
  {
    guard let left else { return false }
    guard !left.isStored else { return true }
    guard let quota = quotas.acquireQuestion(about: asked.urls.map(\.text), options, from: caller.charged)
    else {
      return false
    }
    let expires = max(times.expires, .now + BrokerLimits.leftRequest)
    guard journal.addQuestion(pendingQuestion(about: asked, until: expires)) else {
      quota.release()
      return false
    }
    left.begin(charging: quota)
    times.expires = expires
    if options.wait == .accepted {
      callerLeaves()
    } else {
      left.callerWaits(for: times.deadline - .now) { self.callerLeaves() }
    }
    return true
  }

  /// Continues a request that an earlier broker stored while the user was asked.
  func resumeQuestion(charging quotas: QuotaTracker, _ urls: [String]) {
    left?.begin(charging: quotas.holdQuestion(about: urls, options, from: caller.charged))
    callerLeaves()
  }

  /// Ends the time in which the user is asked; from now on the request has the lifetime of a new one.
  func endQuestions(lifetime: Duration) {
    guard let left else { return }
    left.end()
    guard left.isStored else { return }
    times.expires = max(.now + lifetime, left.hasCallerLeft ? .now : times.deadline)
    if left.hasCallerLeft { times.deadline = times.expires }
  }

  /// A Boolean value that indicates whether the caller got its receipt before the user was asked, so that only a notification can report
  /// a failure.
  var hasCallerLeft: Bool { left?.hasCallerLeft ?? false }

  /// A Boolean value that indicates whether no caller waits for the outcome, so that only a notification can report a failure.
  ///
  /// The caller of a request that an earlier broker received has its receipt, unless it has repeated the request.
  var isUnattended: Bool {
    hasCallerLeft || caller.endpoint == nil && (options.wait == .accepted || times.outlivesCaller)
  }

  /// A Boolean value that indicates whether its caller may leave before the outcome, or has left.
  var mayBeUnattended: Bool { caller.endpoint == nil || left != nil }

  private func callerLeaves() {
    guard let left else { return }
    times.deadline = times.expires
    var delivery = Delivery(application: nil, outcome: .accepted)
    delivery.isAsking = true
    guard options.wait != .accepted else {
      return left.callerLeaves(with: .success(Receipt(requestID: key.id, deliveries: [delivery])))
    }
    let message =
      "the user has not answered the prompt yet; the broker opens the link if the user consents while the prompt is shown"
    (delivery.error, delivery.message) = (BrokerErrorName.timeout.errorName, message)
    let receipt = Receipt(requestID: key.id, deliveries: [delivery])
    left.callerLeaves(
      with: .failure(BusError(BrokerErrorName.timeout.errorName, message, details: receipt.entries)))
  }

  private func pendingQuestion(
    about asked: OpenRequest, until expires: ContinuousClock.Instant
  ) -> PendingRequest {
    var options = options
    // A prompt may use the tokens, and a token counts once.
    (options.activationToken, options.startupID) = (nil, nil)
    // The next broker has not sent it, and knows that.
    options.isFirstAttempt = true
    let time = BootClock.nanoseconds(at: expires)
    return PendingRequest(
      number: number, caller: key.caller, id: key.id, digest: digest,
      details: PersistedDetails(options: options, source: asked.caller.source, facts: facts, isComplete: true)
        .text,
      deadline: time, expires: time,
      parts: [
        PendingRequest.Part(
          index: 0, target: nil, content: StoredQuestion(about: asked.urls.map(\.text), facts).text,
          progress: .asking)
      ])
  }
}
