import BrokerCore
import DBus

/// The jobs of one delivery queue, in the order of their acceptance: those that wait, and those in progress.
struct DeliveryOrder {
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
}

@BrokerActor
extension DeliveryOrder {
  /// All jobs, in the order of their acceptance.
  var all: [DeliveryJob] { (inProgress.values + waiting).sorted { $0.number < $1.number } }

  /// Returns a job by its number; `nil` if it is finished.
  func job(_ number: Int) -> DeliveryJob? {
    inProgress[number] ?? waiting.first { $0.number == number }
  }

  /// Returns a job in progress by its number; `nil` if there is none.
  func jobInProgress(_ number: Int) -> DeliveryJob? { inProgress[number] }

  /// Inserts a job at its position among the waiting ones.
  mutating func insert(_ job: DeliveryJob) {
    waiting.insert(job, at: waiting.firstIndex { $0.number > job.number } ?? waiting.endIndex)
  }

  /// Makes a job one in progress.
  mutating func begin(_ job: DeliveryJob) { inProgress[job.number] = job }

  /// Makes the next waiting job one in progress, and returns it; `nil` if none can be delivered now.
  mutating func beginNext() -> DeliveryJob? {
    guard let index = nextIndex else { return nil }
    let job = waiting.remove(at: index)
    inProgress[job.number] = job
    return job
  }

  /// Removes a job.
  mutating func remove(_ job: DeliveryJob) {
    if inProgress.removeValue(forKey: job.number) == nil { waiting.removeAll { $0 === job } }
  }

  /// Removes and returns all waiting jobs.
  mutating func removeWaiting() -> [DeliveryJob] {
    defer { waiting = [] }
    return waiting
  }

  /// A Boolean value that indicates whether a waiting job can be delivered now.
  var hasNext: Bool { nextIndex != nil }

  /// A Boolean value that indicates whether any job waits to be sent.
  var hasUnsent: Bool { !waiting.isEmpty || inProgress.values.contains { $0.life.isWaiting } }

  /// Returns whether a job that was accepted before `job` is waiting.
  func isOvertaking(_ job: DeliveryJob) -> Bool {
    nextIndex.map { waiting[$0].number < job.number } ?? false
  }

  /// Returns an instance other than `owner` with an open job that was accepted before `job`; `nil` if there is none.
  func interrupted(before job: DeliveryJob, notBy owner: BusName?) -> BusName? {
    inProgress.values.lazy.filter { $0.number < job.number && $0.life.isSent }
      .compactMap { $0.addressee?.name }.first { $0 != owner }
  }

  /// Returns the number of the oldest open job that was sent to an instance; `nil` if there is none.
  func oldestSent(to owner: BusName) -> Int? {
    inProgress.values.lazy.filter { $0.life.isSent && $0.addressee?.name == owner }.map(\.number).min()
  }

  /// Records the turn of a caller; `nil` if its jobs need not wait.
  mutating func setStartTurn(_ turn: StartTurn?, of caller: ChargedCaller) { startTurns[caller] = turn }

  /// Returns whether a caller has acquired a start, and uses it.
  mutating func useStartTurn(of caller: ChargedCaller) -> Bool {
    startTurns.removeValue(forKey: caller) == .acquired
  }

  private var nextIndex: Int? {
    startTurns.isEmpty
      ? waiting.indices.first : waiting.firstIndex { startTurns[$0.caller] != .awaited }
  }
}
