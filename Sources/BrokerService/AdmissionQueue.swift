import BrokerCore
import DBus

/// The requests that are being looked at: those of one connection are admitted one after the other, in the order in which
/// they arrived, those of one caller one at a time, and they hold no other caller's up, however many they are.
struct AdmissionQueue {
  typealias Look = Task<Result<CallerContext, BusError>, Never>

  /// A request's place in the line of its connection.
  struct Place {
    /// Comes when the request before it has been admitted; `nil` if it is the first.
    let previous: Promise<Void>?
    /// Who is behind the connection.
    let caller: Look
    /// To be ended when the request is admitted, or never will be.
    let admission: AdmissionTicket
  }

  private struct Line {
    var last: Promise<Void>
    var count = 0
    var known: CachedCaller
  }

  /// Who is behind a connection, as long as that need not be asked again for the requests that follow.
  private struct CachedCaller {
    let requester: CallerEndpoint
    let answer: Look
    let asked = ContinuousClock.now

    var isFresh: Bool { .now - asked < .seconds(1) }
  }

  private var lines: [CallerEndpoint: Line] = [:]
  /// The last request of each caller that is being admitted.
  private var turns: [ChargedCaller: Promise<Void>] = [:]
  /// Calls of connections, as long as it is not known who is behind them.
  private var calls: SharedQuota
  /// URLs that are not decided yet.
  var undecided: SharedQuota
  /// Who was asked for last: of a connection that asks again and again the line is empty in between.
  private var latest: CachedCaller?
  /// Comes when what an earlier broker left has been queued, before anything that is new; `nil` once it has.
  var recovery: Promise<Void>?

  /// No requests, and room for so many that are undecided.
  init(undecided: Int) {
    calls = SharedQuota(capacity: undecided)
    self.undecided = SharedQuota(capacity: undecided)
  }

  /// Comes when the last request that a connection has sent has been admitted.
  func last(of requester: CallerEndpoint) -> Promise<Void>? { lines[requester]?.last ?? recovery }

  /// Why a connection has to wait with its next call, in a sentence; `nil` if it need not.
  func obstacle(to requester: CallerEndpoint) -> String? {
    guard let connection = requester.connection,
      let shortage = calls.shortage(of: 1, for: connection.rawValue)
    else { return nil }
    switch shortage {
    case .full: return "\(calls.capacity) requests are being looked at"
    case .part(let held): return "\(held) requests of this connection are being looked at"
    }
  }

  /// Puts a request behind those of the same caller that are being admitted.
  ///
  /// - Parameter leave: lets go of its turn once its admission has ended.
  /// - Returns: what comes when the request before it has been admitted, and its own admission.
  mutating func takeTurn(
    of caller: ChargedCaller, leave: @escaping @Sendable (Promise<Void>) -> Void
  ) -> (previous: Promise<Void>?, admission: AdmissionTicket) {
    let own = Promise<Void>()
    let previous = turns.updateValue(own, forKey: caller)
    return (previous, AdmissionTicket(own) { leave(own) })
  }

  /// Lets go of a turn, where nobody waits behind it.
  mutating func endTurn(of caller: ChargedCaller, _ own: Promise<Void>) {
    if turns[caller] === own { turns[caller] = nil }
  }

  /// Puts a request at the end of its connection's line.
  ///
  /// - Parameter leave: takes it out of the line once its admission has ended.
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
    // A peer asks once.
    if requester.connection != nil { latest = asked }
    return asked
  }

  /// Takes a request of a connection out of its line.
  mutating func leave(_ requester: CallerEndpoint) {
    if let connection = requester.connection { calls.release(1, for: connection.rawValue) }
    lines[requester]?.count -= 1
    if lines[requester]?.count == 0 { lines[requester] = nil }
  }
}

/// The part of a request's way on which those that came after it, from the same connection or caller, wait.
struct AdmissionTicket: Sendable {
  private let steps: [(admitted: Promise<Void>, leave: @Sendable () -> Void)]

  init(_ admitted: Promise<Void>, leave: @escaping @Sendable () -> Void) { steps = [(admitted, leave)] }

  private init(_ steps: [(Promise<Void>, @Sendable () -> Void)]) { self.steps = steps }

  /// How long a caller's next request waits after one that was costly, or beyond a limit, so that a caller who sends one after
  /// the other leaves most of the time to others.
  ///
  /// - Parameters:
  ///   - urls: the number of URLs that the request had.
  ///   - isBeyondLimit: whether a limit of the caller was reached.
  static func rest(urls: Int, isBeyondLimit: Bool) -> Duration {
    let forMany: Duration = urls > 16 ? .microseconds(100 * min(urls, 1_000)) : .zero
    return max(forMany, isBeyondLimit ? .milliseconds(5) : .zero)
  }

  /// Both, which end together.
  func and(_ other: AdmissionTicket) -> AdmissionTicket { AdmissionTicket(steps + other.steps) }

  /// Lets the next one go on; once is enough.
  func end() {
    for step in steps where step.admitted.fulfil(()) { step.leave() }
  }
}
