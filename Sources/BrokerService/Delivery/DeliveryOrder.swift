// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import DBus

/// The jobs of one delivery queue, in the order of their acceptance: those that wait, and those in progress.
///
/// After a crash of the application, the jobs that it had return to the queue one by one, and precede later ones.
@BrokerActor
final class DeliveryOrder {
  /// The progress of a caller that has exhausted its rate of program starts.
  enum StartTurn {
    /// Its jobs wait, and those of other callers overtake them.
    case awaited
    /// A start is counted but not made yet.
    case acquired
  }

  private(set) var waiting: [DeliveryJob] = []
  private var inProgress: [Int: DeliveryJob] = [:]
  private var startTurns: [ChargedCaller: StartTurn] = [:]
  /// The tasks that wait until a sent job is finished or queued again.
  private var waitingForSent: [CheckedContinuation<Void, Never>] = []
  /// The instance that exited last while it had jobs, and the numbers of the jobs that are blamed.
  private var lastCrash: (owner: BusName, blamed: Set<Int>)?

  /// All jobs, in the order of their acceptance.
  var all: [DeliveryJob] { (inProgress.values + waiting).sorted { $0.number < $1.number } }

  /// Returns a job in progress by its number; `nil` if there is none.
  func jobInProgress(_ number: Int) -> DeliveryJob? { inProgress[number] }

  /// Inserts a waiting job behind those that were accepted before it.
  func insert(_ job: DeliveryJob) {
    waiting.insert(job, at: waiting.firstIndex { $0.number > job.number } ?? waiting.endIndex)
  }

  /// Makes a job one in progress that can be sent to `owner` at once; returns `false` if it must wait, because other jobs precede it.
  ///
  /// They are waiting, or were sent to an instance that exited and may return to the queue, or one of the jobs is to be delivered alone.
  func beginAtOnce(_ job: DeliveryJob, by owner: BusName) -> Bool {
    guard waiting.isEmpty, interrupted(before: job, notBy: owner) == nil, !mustWait(job) else { return false }
    inProgress[job.number] = job
    return true
  }

  /// Makes the next waiting job one in progress, and returns it; `nil` if none can be delivered now.
  func beginNext() -> DeliveryJob? {
    guard let index = nextIndex else { return nil }
    let job = waiting.remove(at: index)
    inProgress[job.number] = job
    return job
  }

  /// Removes a job, and resumes the tasks that wait for sent jobs.
  func remove(_ job: DeliveryJob) {
    if inProgress.removeValue(forKey: job.number) == nil { waiting.removeAll { $0 === job } }
    let resumed = waitingForSent
    waitingForSent = []
    for continuation in resumed { continuation.resume() }
  }

  /// Removes and returns the waiting jobs that satisfy a condition.
  func removeWaiting(where isRemoved: (DeliveryJob) -> Bool) -> [DeliveryJob] {
    let removed = waiting.filter(isRemoved)
    waiting.removeAll(where: isRemoved)
    return removed
  }

  /// Stores a job and all waiting jobs, because none of them can be delivered immediately.
  func store(with job: DeliveryJob) {
    for unsent in [job] + waiting { unsent.apply(.nameLost) }
  }

  /// A Boolean value that indicates whether a waiting job can be delivered now.
  var hasNext: Bool { nextIndex != nil }

  /// A Boolean value that indicates whether any job waits to be sent.
  var hasUnsent: Bool { !waiting.isEmpty || inProgress.values.contains { $0.life.isWaiting } }

  /// Returns whether a job that was accepted before `job` is waiting, or may return to the queue at once.
  func isOvertaking(_ job: DeliveryJob) -> Bool {
    nextIndex.map { waiting[$0].number < job.number } ?? false || isExitUnverified(before: job)
  }

  /// Returns whether an instance has replied to an earlier job that it is exiting, and the broker has not verified that.
  private func isExitUnverified(before job: DeliveryJob) -> Bool {
    inProgress.values.contains { $0.number < job.number && $0.recipient?.isExitUnverified == true }
  }

  // MARK: Crashes of the application

  /// Returns an instance other than `owner` with an open job that was accepted before `job`; `nil` if there is none.
  private func interrupted(before job: DeliveryJob, notBy owner: BusName?) -> BusName? {
    inProgress.values.lazy.filter { $0.number < job.number && $0.life.isSent }
      .compactMap { $0.recipient?.object.name }.first { $0 != owner }
  }

  /// Waits until no job is open that was accepted before `job` and sent to an instance that exited.
  ///
  /// Jobs that a crash interrupted return to the queue one by one, and precede this one.
  func waitForInterrupted(before job: DeliveryJob, notBy owner: BusName?, on bus: BusConnection) async {
    while let former = interrupted(before: job, notBy: owner) {
      // An instance that only released its name may take any time to reply, so there is no need to wait.
      guard await !bus.hasOwner(former) else { return }
      // The condition is checked again inside, because the continuation may start in a later turn of the event loop.
      await withCheckedContinuation {
        if interrupted(before: job, notBy: owner) == nil {
          $0.resume()
        } else {
          waitingForSent.append($0)
        }
      }
    }
  }

  /// Returns whether `job` must wait for a sent job: one of them was blamed for a crash, or the sent one may return to the queue at once.
  ///
  /// A request that is delivered again after a crash is delivered alone. If the application crashes once more, no other
  /// request can be the cause, and none is blamed for it.
  private func mustWait(_ job: DeliveryJob) -> Bool {
    guard job.life.isWaiting else { return false }
    return isExitUnverified(before: job)
      || inProgress.values.contains {
        $0 !== job && $0.life.isSent && ($0.life.hasCrashed || job.life.hasCrashed)
      }
  }

  /// Waits until a job may be sent beside those that are sent, or has ended.
  func waitForSent(before job: DeliveryJob) async {
    while mustWait(job) {
      await withCheckedContinuation {
        if mustWait(job) { waitingForSent.append($0) } else { $0.resume() }
      }
    }
  }

  /// Maps the exit of an instance to an event for each job it held.
  ///
  /// The jobs that the instance has named are blamed for the crash, or the oldest unanswered job if it has named none.
  /// The others were only interrupted.
  func exitEvent(of job: DeliveryJob) -> RequestEvent {
    guard let owner = job.recipient?.object.name else { return .nameLost }
    if lastCrash?.owner != owner { lastCrash = (owner, blamed(forExitOf: owner)) }
    return lastCrash?.blamed.contains(job.number) == true ? .nameLost : .interrupted
  }

  /// Forgets the instance that exited last, because the bus was lost and the next one gives its unique name to another.
  func forgetCrash() { lastCrash = nil }

  private func blamed(forExitOf owner: BusName) -> Set<Int> {
    let sent = inProgress.values.filter { $0.life.isSent && $0.recipient?.object.name == owner }
    let named = sent.filter { $0.recipient?.hasNamedRequest == true }.map(\.number)
    return Set(named.isEmpty ? sent.map(\.number).min().map { [$0] } ?? [] : named)
  }

  // MARK: Turns of callers

  /// Records the turn of a caller; `nil` if its jobs need not wait.
  func setStartTurn(_ turn: StartTurn?, of caller: ChargedCaller) { startTurns[caller] = turn }

  /// Returns whether a caller has acquired a start, and uses it.
  func useStartTurn(of caller: ChargedCaller) -> Bool {
    startTurns.removeValue(forKey: caller) == .acquired
  }

  /// Removes the acquired starts of callers without waiting jobs, and returns these callers.
  func removeUnusedStartTurns() -> [ChargedCaller] {
    guard startTurns.values.contains(.acquired) else { return [] }
    let needed = Set(waiting.map(\.caller))
    let unused = startTurns.filter { $1 == .acquired && !needed.contains($0) }.map(\.key)
    for caller in unused { startTurns[caller] = nil }
    return unused
  }

  private var nextIndex: Int? {
    startTurns.isEmpty
      ? waiting.indices.first : waiting.firstIndex { startTurns[$0.caller] != .awaited }
  }
}
