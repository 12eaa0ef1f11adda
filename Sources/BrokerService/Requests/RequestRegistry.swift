// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Logging
import Systemd

/// The requests in progress and the answered ones that callers can repeat, by caller and ID.
@BrokerActor
final class RequestRegistry {
  /// A request that is in progress or was answered recently.
  private struct Entry {
    let digest: [UInt8]
    let number: Int64
    /// The approximate size in bytes of the answer that is kept; 0 before there is one.
    var size = 0
    var receipt: PendingReceipt
    /// The answer that replaces a complete one for a caller at the open socket, after the caller has fetched that; otherwise `nil`.
    ///
    /// It replaces the complete one at `end` although the caller has not fetched that.
    var laterAnswer: (answer: Result<Receipt, BusError>, end: ContinuousClock.Instant)?
    /// `nil` when the request is answered and all its deliveries are finished.
    var request: ActiveRequest?
  }

  private let journal: RequestJournal
  private let log: Logger
  private var entries: [RequestKey: Entry] = [:]
  private var answered = AnsweredRequests(
    capacity: BrokerLimits.maximumAnsweredRequests, unit: BrokerLimits.answerUnit)
  /// The answered requests with unfinished deliveries, and the index that was checked last.
  private var unfinished: [ActiveRequest] = []
  private var lastChecked = 0
  /// The timer after which complete answers are replaced; `nil` while there are none.
  ///
  /// One timer serves all of them, because a caller can cause thousands in a second.
  private var shortening: LoopTimer?

  init(journal: RequestJournal, log: Logger) {
    self.journal = journal
    self.log = log
  }

  /// Returns the receipt of the earlier request that a request repeats; `nil` if there is none.
  ///
  /// - Throws: `InvalidRequest` if that request has another content, `Timeout` if the call only queries a request that
  ///   is unknown.
  func repeated(by request: ActiveRequest) throws(BusError) -> PendingReceipt? {
    guard let entry = entries[request.key] else {
      guard !request.options.isAgain else {
        throw BusError(
          BrokerErrorName.timeout,
          "the broker no longer knows the request \(request.key.id); the outcome is unknown")
      }
      return nil
    }
    guard entry.digest == request.digest else {
      throw BusError(.invalidRequest, "a request \(request.key.id) with different content already exists")
    }
    entry.request?.caller.endpoint = request.caller.endpoint
    shortenAnswer(of: request.key, number: entry.number)
    return entry.receipt
  }

  /// Forgets that callers on the bus can be reached, because it was lost.
  func forgetConnections() {
    for entry in entries.values { entry.request?.caller.hasLostBus = true }
  }

  /// Replaces the complete answer to a request by the one that is kept.
  private func shortenAnswer(of key: RequestKey, number: Int64) {
    guard let entry = entries[key], entry.number == number, let (answer, _) = entry.laterAnswer else {
      return
    }
    entries[key]?.receipt = .known(answer)
    entries[key]?.laterAnswer = nil
  }

  /// Returns the number of the request with a key; `nil` if there is none.
  func number(of key: RequestKey) -> Int64? { entries[key]?.number }

  /// Registers a request and starts its task.
  ///
  /// - Parameter isLogged: Indicates whether its outcome is logged; `false` if an earlier broker has done that.
  func begin(
    _ request: ActiveRequest, isLogged: Bool = true,
    _ body: @escaping @BrokerActor () async throws(BusError) -> Receipt
  ) -> PendingReceipt {
    let receipt = request.left?.receipt ?? Promise()
    BrokerActor.loop.start {
      let result: Result<Receipt, BusError>
      do throws(BusError) { result = .success(try await body()) } catch { result = .failure(error) }
      self.complete(request, receipt, with: result, isLogged: isLogged)
    }
    entries[request.key] = Entry(
      digest: request.digest, number: request.number, receipt: .promised(receipt), request: request)
    return .promised(receipt)
  }

  /// Ends a request with an error although its task still waits for a disk that does not respond; the result of the task is dropped.
  func abandon(_ request: ActiveRequest, with error: BusError) {
    guard let entry = entries[request.key], entry.request === request,
      case .promised(let receipt) = entry.receipt
    else { return }
    complete(request, receipt, with: .failure(error), isLogged: true)
  }

  /// Gives the caller of a request its receipt, and ends the request unless it was abandoned before.
  private func complete(
    _ request: ActiveRequest, _ receipt: Promise<Result<Receipt, BusError>>,
    with result: Result<Receipt, BusError>, isLogged: Bool
  ) {
    receipt.fulfil(result)
    BrokerActor.afterwards {
      guard self.entries[request.key]?.request === request else { return }
      if isLogged { self.log(result, of: request) }
      self.end(request, with: result)
    }
  }

  /// Cancels a request for its caller.
  ///
  /// An unknown or finished request needs no cancellation.
  func cancel(_ key: RequestKey) { entries[key]?.request?.withdraw() }

  private func log(_ result: Result<Receipt, BusError>, of request: ActiveRequest) {
    switch result {
    case .success(let receipt):
      log.info("\(receipt.outcome.rawValue)", metadata: ["request": "\(request.key.id)"])
    case .failure(let error):
      guard !Self.isRejection(error) else { return }
      // The message of an application may quote the URL, and that about a missing file its path, so only the caller
      // receives them. The log has the reason of a refusal in its redacted form already.
      let isQuoting = error.brokerError == .targetFailed || error.brokerError == .noHandler
      let message = isQuoting ? "" : ": \(error.message.shortened())"
      log.notice("\(error.name)\(message)", metadata: ["request": "\(request.key.id)"])
    }
  }

  /// Returns whether an error is the rejection of a link, whose reason was logged with the verdict.
  private static func isRejection(_ error: BusError) -> Bool {
    guard let name = error.brokerError, [.denied, .invalidURL, .loop, .noHandler, .tooMany].contains(name),
      let receipt = try? Receipt(error.details), !receipt.deliveries.isEmpty
    else { return false }
    return receipt.deliveries.allSatisfy {
      $0.outcome == .failed && $0.choices == nil && $0.application == nil
    }
  }

  /// Records the receipt of a request after the caller has received it.
  private func end(_ request: ActiveRequest, with result: Result<Receipt, BusError>) {
    let kept = KeptAnswer(result)
    entries[request.key]?.size = kept.size
    // A repetition gets the receipt that the caller got when it left.
    if !request.hasCallerLeft { keep(kept.result, of: request, after: result) }
    if request.releaseIfFinished() { remember(request) } else { unfinished.append(request) }
    checkNext()
  }

  /// Keeps the answer to a request for repetitions; a caller at the open socket can fetch the complete one once before.
  private func keep(
    _ kept: Result<Receipt, BusError>, of request: ActiveRequest, after complete: Result<Receipt, BusError>
  ) {
    entries[request.key]?.receipt = .known(kept)
    // By the socket, the caller learned only that its answer is on the bus.
    guard case .failure = complete, case .peer? = request.caller.endpoint else { return }
    entries[request.key]?.receipt = .known(complete)
    entries[request.key]?.laterAnswer = (kept, .now + BrokerLimits.completeAnswer)
    shortenAnswersLater()
  }

  private func shortenAnswersLater() {
    guard shortening == nil else { return }
    shortening = LoopTimer(on: BrokerActor.loop, after: BrokerLimits.completeAnswer) { [weak self] in
      BrokerActor.loop.start { self?.shortenAnswers() }
    }
  }

  /// Replaces the complete answers that their callers have not fetched in time.
  private func shortenAnswers() {
    shortening = nil
    let now = ContinuousClock.now
    var haveMore = false
    for (key, entry) in entries {
      guard let end = entry.laterAnswer?.end else { continue }
      if end <= now { shortenAnswer(of: key, number: entry.number) } else { haveMore = true }
    }
    if haveMore { shortenAnswersLater() }
  }

  /// Checks one answered request with unfinished deliveries.
  ///
  /// A caller may receive its answer long before all deliveries are finished. Checking one of these requests for each
  /// answer keeps the cost constant.
  private func checkNext() {
    guard !unfinished.isEmpty else { return }
    lastChecked = (lastChecked + 1) % unfinished.count
    let request = unfinished[lastChecked]
    guard request.releaseIfFinished() else { return }
    unfinished.swapAt(lastChecked, unfinished.count - 1)
    unfinished.removeLast()
    remember(request)
  }

  /// Retains a finished request if it can be repeated, and drops the oldest ones beyond the limit.
  private func remember(_ request: ActiveRequest) {
    entries[request.key]?.request = nil
    // Without an ID from the caller, the request cannot be repeated.
    guard request.options.requestID != nil else { return drop(request.key) }
    for dropped in answered.add(request.key, size: entries[request.key]?.size ?? 0) { drop(dropped) }
  }

  private func drop(_ key: RequestKey) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    journal.forget([entry.number], size: entry.size)
  }
}

/// The receipt of a request, known or pending.
enum PendingReceipt: Sendable {
  /// The caller may get its receipt before the task of the request ends.
  case promised(Promise<Result<Receipt, BusError>>)
  case known(Result<Receipt, BusError>)

  /// A Boolean value that indicates whether `value` need not be awaited.
  var isKnown: Bool { if case .known = self { true } else { false } }

  /// The receipt or the error, once it is known.
  var value: Result<Receipt, BusError> {
    get async {
      switch self {
      case .promised(let receipt): await receipt.value
      case .known(let result): result
      }
    }
  }
}
