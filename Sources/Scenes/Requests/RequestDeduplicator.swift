import BusInterfaces

/// What became of the requests that came, so that one that comes again is answered as before and not handled again.
///
/// With a journal it outlives a crash of the application: a request whose handler had returned is never handed to it
/// again, one whose handler the crash cut off is handed over once more.
struct RequestDeduplicator {
  /// How far a request has come.
  enum State: Hashable {
    /// Its handler was called so many times, and has not returned.
    case begun(times: Int)
    /// Its handler has returned, with this answer.
    case answered(Reply)
    /// Its handler has returned because the request was withdrawn.
    case withdrawn
  }

  /// How many requests are kept; the broker sends again within seconds, not after a thousand others.
  static let capacity = 1_000
  /// How often a handler is called for one request that crashes cut off.
  static let attempts = 2

  private var states: [String: State] = [:]
  /// The requests, the oldest in front.
  private var order: [String] = []
  /// Those whose callers were told of the end by a URL.
  private var reported: Set<String> = []
  private var journal: DeduplicationLog?

  /// Whether it outlives the application.
  var hasJournal: Bool { journal != nil }

  /// Adds what the journal knows to what is remembered, and writes down there from now on, beginning with what it lacks.
  mutating func attach(_ journal: DeduplicationLog) {
    let own = self
    self = RequestDeduplicator()
    for (id, event) in journal.read() {
      switch event {
      case .begun: keep(.begun(times: (states[id]?.times ?? 0) + 1), of: id)
      case .reported: reported.insert(id)
      case .ended(let state): keep(state, of: id)
      }
    }
    self.journal = journal
    for id in own.order where states[id]?.isOver != true {
      for (id, event) in own.events(of: id) {
        switch event {
        case .begun: begin(id)
        case .reported: _ = tell(id)
        case .ended(let state): end(id, state)
        }
      }
    }
  }

  /// Closes the journal.
  mutating func detach() { journal = nil }

  subscript(requestID: String) -> State? { states[requestID] }

  /// Notes that the handler is about to be called for a request.
  mutating func begin(_ requestID: String) {
    keep(.begun(times: (states[requestID]?.times ?? 0) + 1), of: requestID)
    append(.begun, of: requestID)
  }

  /// Notes how a request has ended; the first end counts.
  mutating func end(_ requestID: String, _ state: State) {
    guard states[requestID]?.isOver != true else { return }
    keep(state, of: requestID)
    append(.ended(state), of: requestID)
  }

  /// Notes that the caller of a request is about to be told of its end by a URL; whether it was not yet.
  mutating func tell(_ requestID: String) -> Bool {
    guard reported.insert(requestID).inserted else { return false }
    append(.reported, of: requestID)
    return true
  }

  private mutating func keep(_ state: State, of id: String) {
    guard states.updateValue(state, forKey: id) == nil else { return }
    order.append(id)
    // Dropped by halves, so that it costs nothing on average.
    guard order.count >= 2 * Self.capacity else { return }
    for old in order.prefix(Self.capacity) {
      states[old] = nil
      reported.remove(old)
    }
    order.removeFirst(Self.capacity)
  }

  private func append(_ event: DeduplicationLog.Event, of id: String) {
    guard let journal else { return }
    journal.append(event, of: id)
    if journal.isLong { journal.rewrite(order.suffix(Self.capacity).flatMap(events)) }
  }

  /// The events that lead to the state of a request.
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
  /// How often its handler was called without returning.
  var times: Int { if case .begun(let times) = self { times } else { 0 } }
  var isOver: Bool { if case .begun = self { false } else { true } }
}
