// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import Logging
import State
import Systemd

/// The journal of pending requests, from which the next broker continues after a crash.
///
/// It is used without suspension, so that nothing happens between a record and its subject.
@BrokerActor
final class RequestJournal {
  let limits: BrokerLimits
  private let file: PendingFile
  /// Called immediately before and after each write, delivery and answer, so that a test can end the process there.
  let atCommit: (@Sendable () -> Void)?
  /// Larger than all numbers of earlier brokers of this session, even if their file cannot be read yet.
  private var nextFreeNumber = BootClock.now
  /// The requests of a file that replaced the open one, until they are fetched.
  private var left: [PendingRequest] = []
  /// A Boolean value that indicates whether a file with requests in progress was replaced.
  private var wasReplaced = false
  /// The time at which requests in progress are stored again after the loss of their file.
  private let storingAgain = StoreAgainSchedule()
  /// Stores the requests in progress again; called when a write has found the file lost and another is open, before it is repeated, and
  /// later if that fails.
  var fileLost: @BrokerActor () -> Void = {}
  /// The traces of an earlier broker that may have sent requests without storing them.
  private var earlierBroker: EarlierBroker
  /// The requests about which the user is being asked, to be stored again if the file is lost.
  private var questions: [Int64: PendingRequest] = [:]
  private var isClosed = false

  /// Creates a journal.
  ///
  /// - Parameter atCommit: As for the property.
  init(
    _ limits: BrokerLimits, busAddress: String, log: Logger, atCommit: (@Sendable () -> Void)?
  ) {
    self.limits = limits
    self.atCommit = atCommit
    file = PendingFile(busAddress: busAddress, log: log, atCommit: atCommit)
    earlierBroker = EarlierBroker(lifetime: limits.lifetime)
    storingAgain.tryAgain = { [weak self] in self?.storeAgainNow() }
  }

  /// The reason why nothing can be stored, as a sentence; `nil` if storing works.
  var obstacle: String? { file.obstacle }

  /// The path to which a damaged file was moved; `nil` if there was none.
  var setAside: String? { file.setAside }

  /// Opens the file in the runtime directory and returns the requests that an earlier broker of this session left.
  ///
  /// An ending broker may hold the lock for a moment, so the journal retries for five seconds. A cancelled task does not open the file.
  func open(in runtimeDirectory: String?) async -> [PendingRequest] {
    let end = ContinuousClock.now + BrokerLimits.lockedStore
    while !Task.isCancelled {
      let requests = tryOpening(in: runtimeDirectory)
      guard earlierBroker.locksFile, .now < end else { return requests }
      try? await BrokerActor.loop.sleep(for: .milliseconds(100))
    }
    return []
  }

  /// A Boolean value that indicates whether the file is open and at its path.
  ///
  /// Then all its requests are loaded, and the next broker will find it.
  var isOpen: Bool {
    !wasReplaced && !storingAgain.isNeeded && left.isEmpty && file.store?.isInPlace ?? false
  }

  /// Closes a file that was replaced at its path; returns whether there was one.
  ///
  /// The records of the requests in progress are lost with it.
  @discardableResult
  func leaveReplacedFile() -> Bool {
    defer { wasReplaced = false }
    guard file.closeIfReplaced() else { return wasReplaced }
    storingAgain.noteLoss()
    return true
  }

  /// Opens the file that has taken the place of a lost one, at once, because the broker ends.
  func reopenBeforeEnd() {
    leaveReplacedFile()
    guard storingAgain.isNeeded else { return }
    left += tryOpening(in: file.runtimeDirectory)
    storingAgain.permitNow()
  }

  /// Opens the file if that failed before, at most once a second, and returns the requests in it.
  func reopen(in runtimeDirectory: String?) -> [PendingRequest] {
    defer { left = [] }
    guard file.store == nil, runtimeDirectory != nil, file.mayRetry else { return left }
    return tryOpening(in: runtimeDirectory)
  }

  /// Opens the file if it is not open, without waiting for other processes, and returns the requests in it.
  private func tryOpening(in runtimeDirectory: String?) -> [PendingRequest] {
    earlierBroker.locksFile = false
    guard file.store == nil else { return [] }
    let setAside = file.setAside
    // What the broker of a damaged file had sent is not known.
    defer { if file.setAside != setAside { earlierBroker.noteCrash() } }
    do throws(StateError) {
      guard let store = try file.open(in: runtimeDirectory) else { return [] }
      if store.followsCrash { earlierBroker.noteCrash() }
      var requests = try store.requests()
      nextFreeNumber = max(nextFreeNumber, (requests.last?.number ?? 0) + 1)
      requests += file.adoptRequests(besides: requests) { nextNumber() }
      file.content.noteOpened(with: requests)
      file.noteSuccess()
      return requests
    } catch {
      note(error)
      // A damaged file has been replaced. Any other one counts as complete while it is open, but its requests were not read.
      if case .corrupt = error.reason {} else { file.closeUnread() }
      earlierBroker.locksFile = error.reason == .locked
      return []
    }
  }

  /// Returns the secret key of this session, and whether a request may repeat one that an earlier broker had sent without
  /// storing it, before it crashed.
  ///
  /// A caller that states its first attempt has sent no earlier one.
  func session(for options: OpenOptions) -> (key: [UInt8], mayRepeatUnstored: Bool) {
    let mayRepeat = options.requestID != nil && !options.isFirstAttempt
    return (file.key, mayRepeat && earlierBroker.mayHaveSentUnstored)
  }

  /// Stores that this broker exits in order, and that all requests that it has sent are stored.
  ///
  /// It does not store this soon after a crash, because the next broker must then expect repetitions of what the crashed one had sent.
  ///
  /// - Returns: `false` if that cannot be stored, or if requests in progress are to be stored again.
  func noteEnd() -> Bool {
    var isNoted = false
    let isWritten = write { store throws(StateError) in
      // The note must not be written to a file that replaces a lost one without its requests.
      guard !storingAgain.isNeeded else { return }
      if !earlierBroker.hasCrashedRecently { try store.recordOrderlyExit() }
      isNoted = true
    }
    return isWritten && isNoted
  }

  /// Changes the file no more: what fails from now on fails because the broker exits, and the next broker decides about it.
  func close() { isClosed = true }

  /// Returns what a new request is accepted with: its number, in the order of acceptance, and the secret key of the session.
  func accept() -> (number: Int64, key: [UInt8]) { (nextNumber(), file.key) }

  private func nextNumber() -> Int64 {
    defer { nextFreeNumber += 1 }
    return nextFreeNumber
  }

  /// Writes with `body`, and once more if the file was lost and another is open; returns `false` if that fails, or if the file is closed.
  func write(_ body: (PendingStore) throws(StateError) -> Void) -> Bool {
    guard !isClosed, let store = file.store else { return false }
    do throws(StateError) {
      do throws(StateError) {
        try body(store)
      } catch {
        guard note(error) else { return false }
        left += tryOpening(in: file.runtimeDirectory)
        // The repeated write is about a newer state, and may be followed by a delivery at once.
        if file.store != nil { fileLost() }
        guard let store = file.store else { return false }
        try body(store)
      }
      file.noteSuccess()
      file.removeUnremoved()
      return true
    } catch {
      note(error)
      storingAgain.noteFailedWrite()
      return false
    }
  }

  /// Changes the record of a request with `body`, which returns `false` if the file does not have it, because it has replaced a lost one;
  /// then adds `request`, as it is after the change.
  ///
  /// - Returns: `false` if that fails.
  func update(
    _ body: (PendingStore) throws(StateError) -> Bool, orAdd request: () -> PendingRequest
  ) -> Bool {
    var isThere = false
    guard write({ store throws(StateError) in isThere = try body(store) }) else { return false }
    guard !isThere else { return true }
    guard add(request()) else {
      storingAgain.noteMissing()
      return false
    }
    return true
  }

  /// Stores a request; returns `false` if that fails.
  func add(_ request: PendingRequest) -> Bool {
    let wasLeft = file.content.noteReplacement(request.number)
    guard write({ store throws(StateError) in try store.add(request, replacing: wasLeft) }) else {
      if wasLeft { file.content.noteUnremoved([request.number]) }
      return false
    }
    file.content.noteStored(request.number)
    return true
  }

  /// Stores a request about which the user is being asked; returns `false` if that fails.
  func addQuestion(_ request: PendingRequest) -> Bool {
    guard add(request) else { return false }
    questions[request.number] = request
    return true
  }

  /// Notes that the user is asked again about a request that an earlier broker stored.
  func resumeQuestion(_ request: PendingRequest) { questions[request.number] = request }

  /// Stores a request with its deliveries in place of the question about it; returns `false` if that fails.
  func replaceQuestion(by request: PendingRequest) -> Bool {
    questions[request.number] = nil
    guard write({ store throws(StateError) in try store.add(request, replacing: true) }) else {
      // The next broker must not ask about a link that this one delivers.
      removeNow(request.number)
      return false
    }
    file.content.noteStored(request.number)
    return true
  }

  /// Removes a request about which the user is not asked any more, at once, so that the next broker does not ask again.
  func removeNow(_ number: Int64) {
    questions[number] = nil
    guard file.content.noteRemoval(number) else { return }
    if !write({ store throws(StateError) in try store.removeNow(number) }) {
      file.content.noteUnremoved([number])
    }
  }

  /// Stores all requests in progress again, those with deliveries by `storeDeliveries`, if their file was lost and another is open.
  ///
  /// It has no effect within a second after the last time (`StoreAgainSchedule`). What is left is stored later.
  func storeAgain(_ storeDeliveries: () -> Void) {
    guard !isClosed else { return }
    guard file.store != nil else { return storingAgain.runLater() }
    storingAgain.run {
      storeDeliveries()
      for request in questions.values where !add(request) { storingAgain.noteMissing() }
    }
  }

  /// Opens the next file if it is not open yet, and has the requests in progress stored in it.
  private func storeAgainNow() {
    guard !isClosed else { return }
    left += tryOpening(in: file.runtimeDirectory)
    fileLost()
  }

  /// Returns whether a request is stored.
  func knows(_ number: Int64) -> Bool { file.content.contains(number) }

  /// Removes requests, whose answers have `size` bytes, from the file, in batches.
  func forget(_ numbers: [Int64], size: Int = 0) {
    let batch = file.content.forget(numbers, size: size)
    guard !batch.isEmpty else { return }
    if !write({ store throws(StateError) in try store.remove(batch) }) { file.content.noteUnremoved(batch) }
  }

  /// Notes an error; returns whether the file with the requests in progress was lost.
  @discardableResult
  private func note(_ error: StateError) -> Bool {
    guard let loss = file.noteFailure(error) else { return false }
    // The requests in progress continue from memory.
    storingAgain.noteLoss()
    if loss == .moved { wasReplaced = true }
    return true
  }
}
