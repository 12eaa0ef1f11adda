import BrokerCore
import DBus

/// The queues of requests that wait for admission.
///
/// The requests of one connection are admitted in the order of their arrival, and those of one caller one at a time.
/// Other callers do not wait for them, however many they are.
struct AdmissionQueue {
  typealias Look = Task<Result<CallerContext, BusError>, Never>

  /// A request in the queue of its connection.
  struct Place {
    /// Fulfilled when the preceding request is admitted; `nil` for the first request.
    let previous: Promise<Void>?
    /// The task that identifies the caller behind the connection.
    let caller: Look
    /// The ticket, which must be ended when the request is admitted or rejected.
    let admission: AdmissionTicket
  }

  private struct Line {
    var last: Promise<Void>
    var count = 0
    var known: CachedCaller
  }

  /// The identified caller of a connection, cached for the requests that follow.
  private struct CachedCaller {
    let requester: CallerEndpoint
    let answer: Look
    let asked = ContinuousClock.now

    var isFresh: Bool { .now - asked < .seconds(1) }
  }

  private var lines: [CallerEndpoint: Line] = [:]
  /// The last request of each caller that is being admitted.
  private var turns: [ChargedCaller: Promise<Void>] = [:]
  /// The number of calls of connections whose callers are not identified yet.
  private var calls: SharedQuota
  /// The number of URLs that are not decided yet.
  var undecided: SharedQuota
  /// The caller that was identified last, because the queue of a connection that calls one request after the other is empty in between.
  private var latest: CachedCaller?
  /// Fulfilled when the requests of an earlier broker are queued, which precede all new ones; `nil` after that.
  var recovery: Promise<Void>?

  /// Creates empty queues for at most `undecided` undecided URLs.
  init(undecided: Int) {
    calls = SharedQuota(capacity: undecided)
    self.undecided = SharedQuota(capacity: undecided)
  }

  /// Returns the promise that is fulfilled when the last request of a connection is admitted; `nil` if there is none.
  func last(of requester: CallerEndpoint) -> Promise<Void>? { lines[requester]?.last ?? recovery }

  /// Returns the reason why a connection must wait before its next call, as a sentence; `nil` if it need not wait.
  func obstacle(to requester: CallerEndpoint) -> String? {
    guard let connection = requester.connection,
      let shortage = calls.shortage(of: 1, for: connection.rawValue)
    else { return nil }
    switch shortage {
    case .full: return "\(calls.capacity) requests are being identified"
    case .part(let held): return "\(held) requests of this connection are being identified"
    }
  }

  /// Appends a request to those of the same caller that are being admitted.
  ///
  /// - Parameter leave: Releases the turn after the admission.
  /// - Returns: The promise that is fulfilled when the preceding request is admitted, and the ticket of this request.
  mutating func takeTurn(
    of caller: ChargedCaller, leave: @escaping @Sendable (Promise<Void>) -> Void
  ) -> (previous: Promise<Void>?, admission: AdmissionTicket) {
    let own = Promise<Void>()
    let previous = turns.updateValue(own, forKey: caller)
    return (previous, AdmissionTicket(own) { leave(own) })
  }

  /// Releases a turn if no other request waits behind it.
  mutating func endTurn(of caller: ChargedCaller, _ own: Promise<Void>) {
    if turns[caller] === own { turns[caller] = nil }
  }

  /// Appends a request to the queue of its connection.
  ///
  /// - Parameter leave: Removes the request from the queue after the admission.
  mutating func enter(
    _ requester: CallerEndpoint, identify: () -> Look, leave: @escaping @Sendable () -> Void
  ) -> Place {
    let previous = last(of: requester)
    let own = Promise<Void>()
    let known = caller(behind: requester, lines[requester]?.known ?? latest, identify)
    var line = lines[requester] ?? Line(last: own, known: known)
    (line.last, line.known) = (own, known)
    line.count += 1
    lines[requester] = line
    if let connection = requester.connection { calls.hold(1, for: connection.rawValue) }
    return Place(previous: previous, caller: known.answer, admission: AdmissionTicket(own, leave: leave))
  }

  private mutating func caller(
    behind requester: CallerEndpoint, _ known: CachedCaller?, _ identify: () -> Look
  ) -> CachedCaller {
    if let known, known.requester == requester, known.isFresh { return known }
    let asked = CachedCaller(requester: requester, answer: identify())
    // A peer of the open socket sends only one request.
    if requester.connection != nil { latest = asked }
    return asked
  }

  /// Removes a request of a connection from its queue.
  mutating func leave(_ requester: CallerEndpoint) {
    if let connection = requester.connection { calls.release(1, for: connection.rawValue) }
    lines[requester]?.count -= 1
    if lines[requester]?.count == 0 { lines[requester] = nil }
  }
}

/// The admission of a request, for whose end the later requests of its connection and its caller wait.
struct AdmissionTicket: Sendable {
  private let steps: [(admitted: Promise<Void>, leave: @Sendable () -> Void)]

  init(_ admitted: Promise<Void>, leave: @escaping @Sendable () -> Void) { steps = [(admitted, leave)] }

  private init(_ steps: [(Promise<Void>, @Sendable () -> Void)]) { self.steps = steps }

  /// Returns the delay before a caller's next request after one that was expensive or exceeded a limit.
  ///
  /// It leaves most of the time to other callers.
  ///
  /// - Parameters:
  ///   - urls: The number of URLs in the request.
  ///   - isBeyondLimit: Whether the request exceeded a limit of the caller.
  static func rest(urls: Int, isBeyondLimit: Bool) -> Duration {
    let forMany: Duration = urls > 16 ? .microseconds(100 * min(urls, 1_000)) : .zero
    return max(forMany, isBeyondLimit ? .milliseconds(5) : .zero)
  }

  /// Returns a ticket that ends both admissions together.
  func and(_ other: AdmissionTicket) -> AdmissionTicket { AdmissionTicket(steps + other.steps) }

  /// Admits the next requests.
  ///
  /// Later calls have no effect.
  func end() {
    for step in steps where step.admitted.fulfil(()) { step.leave() }
  }
}
