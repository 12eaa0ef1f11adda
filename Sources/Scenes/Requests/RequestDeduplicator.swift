// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

/// The states of past requests, so that a repeated request gets its earlier answer instead of being handled again.
///
/// With a journal the states survive a crash of the application: a request whose handler had returned is never
/// handled again; a request that the crash interrupted is handled once more.
struct RequestDeduplicator {
  /// The state of a request.
  enum State: Hashable {
    /// The handler was called this many times, and has not returned.
    case begun(times: Int)
    /// The handler has returned this answer.
    case answered(Reply)
    /// The request was cancelled before its handler was called, or the handler has returned for that reason.
    case withdrawn
    /// The handler cannot determine whether the request had its effect, for this reason.
    case unknown(String)
  }

  /// The number of stored requests; the broker repeats a request within seconds, before a thousand others arrive.
  static let capacity = 1_000
  /// The number of times that a handler is called for a request that crashes interrupt.
  static let attempts = 2

  private var states: [String: State] = [:]
  /// The IDs of the requests, oldest first.
  private var order: [String] = []
  /// The IDs of the requests whose callers were answered by a callback URL.
  private var reported: Set<String> = []
  /// The number of times that the handler was called for each local request; they are in no journal, and forgotten at their end.
  ///
  /// They are never repeated, and would otherwise take the places of those that may be.
  private var local: [String: Int] = [:]
  private var journal: DeduplicationLog?

  /// A Boolean value that is `true` if the states survive the process.
  var hasJournal: Bool { journal != nil }

  /// Merges the states with those in a journal, and records all further events there, first the ones that it lacks.
  ///
  /// - Throws: ``UnreadableJournal`` if the journal cannot be read; the states are unchanged then.
  mutating func attach(_ journal: DeduplicationLog) throws(UnreadableJournal) {
    let own = self
    self = RequestDeduplicator()
    local = own.local
    do throws(UnreadableJournal) {
      try journal.read { id, event in
        switch event {
        case .begun: keep(.begun(times: (states[id]?.times ?? 0) + 1), of: id)
        case .reported: reported.insert(id)
        case .notRead: forgetCall(id)
        case .ended(let state): keep(state, of: id)
        }
      }
    } catch {
      self = own
      throw error
    }
    self.journal = journal
    // A request that has not finished may still be repeated: the maximum age of a request may be a day.
    if journal.isExpired { dropFinished(except: 0) }
    rewriteJournalIfNeeded()
    for id in own.order where states[id]?.isOver != true {
      for (id, event) in own.events(of: id) {
        switch event {
        case .begun: begin(id)
        case .reported: _ = recordReported(id)
        case .notRead: break
        case .ended(let state): end(id, state)
        }
      }
    }
  }

  /// Closes the journal.
  mutating func detach() { journal = nil }

  subscript(requestID: String) -> State? {
    guard let times = local[requestID] else { return states[requestID] }
    return times > 0 ? .begun(times: times) : nil
  }

  /// Adds a request that is remembered until its end only.
  mutating func addLocal(_ requestID: String) { local[requestID] = 0 }

  /// Records that the handler is about to be called for a request.
  mutating func begin(_ requestID: String) {
    if let times = local[requestID] { return local[requestID] = times + 1 }
    keep(.begun(times: (states[requestID]?.times ?? 0) + 1), of: requestID)
    append(.begun, of: requestID)
  }

  /// Records that the handler was called, but did not read the request, so another instance may handle it.
  mutating func recordNotRead(_ requestID: String) {
    guard local.removeValue(forKey: requestID) == nil else { return }
    forgetCall(requestID)
    append(.notRead, of: requestID)
  }

  private mutating func forgetCall(_ requestID: String) {
    states[requestID] = states[requestID]?.before
    if states[requestID] == nil { order.removeAll { $0 == requestID } }
  }

  /// Records the final state of a request; later final states are ignored.
  mutating func end(_ requestID: String, _ state: State) {
    guard local.removeValue(forKey: requestID) == nil else { return }
    guard states[requestID]?.isOver != true else { return }
    keep(state, of: requestID)
    append(.ended(state), of: requestID)
  }

  /// Records that the caller is about to be answered by a callback URL; returns `false` if that was recorded before.
  mutating func recordReported(_ requestID: String) -> Bool {
    guard reported.insert(requestID).inserted else { return false }
    append(.reported, of: requestID)
    return true
  }

  private mutating func keep(_ state: State, of id: String) {
    guard states.updateValue(state, forKey: id) == nil else { return }
    order.append(id)
    // Half of the entries are dropped at once, so that the amortized cost is constant.
    guard order.count >= 2 * Self.capacity else { return }
    dropFinished(except: Self.capacity)
  }

  /// Drops the requests that have finished, except the newest ones.
  private mutating func dropFinished(except count: Int) {
    let (finished, unfinished) = partitioned
    for old in finished.dropLast(count) {
      states[old] = nil
      reported.remove(old)
    }
    order = finished.suffix(count) + unfinished
  }

  /// The IDs of the requests that have finished, and of the others, each oldest first.
  ///
  /// A request that has not finished is never dropped, because it would be handled too often.
  private var partitioned: (finished: [String], unfinished: [String]) {
    let finished = order.filter { states[$0]?.isOver == true }
    return (finished, order.filter { states[$0]?.isOver != true })
  }

  private func append(_ event: DeduplicationLog.Event, of id: String) {
    journal?.append(event, of: id)
    rewriteJournalIfNeeded()
  }

  private func rewriteJournalIfNeeded() {
    guard let journal, journal.needsRewrite else { return }
    let (finished, unfinished) = partitioned
    journal.rewrite((finished.suffix(Self.capacity) + unfinished).flatMap(events))
  }

  /// Returns the events that lead to the state of a request.
  private func events(of id: String) -> [(id: String, event: DeduplicationLog.Event)] {
    let events: [DeduplicationLog.Event] =
      switch states[id] {
      case .begun(let times): Array(repeating: .begun, count: times)
      case let state?: [.ended(state)]
      case nil: []
      }
    return (events + (reported.contains(id) ? [.reported] : [])).map { (id, $0) }
  }
}

extension RequestDeduplicator.State {
  /// The number of times that the handler was called without returning.
  var times: Int { if case .begun(let times) = self { times } else { 0 } }
  /// The state before the last call of the handler; `nil` if that was the first.
  fileprivate var before: Self? { times > 1 ? .begun(times: times - 1) : isOver ? self : nil }
  var isOver: Bool { if case .begun = self { false } else { true } }
}
