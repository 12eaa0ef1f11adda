import DBus

/// The requests that are being looked at: those of one connection are admitted one after the other, in the order in which
/// they arrived, and hold no other connection's up, however many they are.
struct Admissions {
  typealias Look = Task<Result<Caller, BusError>, Never>

  /// A request's place in the line of its connection.
  struct Place {
    /// Comes when the request before it has been admitted; `nil` if it is the first.
    let previous: Promise<Void>?
    /// Who is behind the connection.
    let caller: Look
    /// To be ended when the request is admitted, or never will be.
    let admission: Admission
  }

  private struct Line {
    var last: Promise<Void>
    var count = 0
    var known: KnownCaller
  }

  /// Who is behind a connection, as long as that need not be asked again for the requests that follow.
  private struct KnownCaller {
    let requester: Requester
    let answer: Look
    let asked = ContinuousClock.now

    var isFresh: Bool { .now - asked < .seconds(1) }
  }

  private var lines: [Requester: Line] = [:]
  /// Who was asked for last: of a connection that asks again and again the line is empty in between.
  private var latest: KnownCaller?
  /// Comes when what an earlier broker left has been queued, before anything that is new; `nil` once it has.
  var recovery: Promise<Void>?

  /// Comes when the last request that a connection has sent has been admitted.
  func last(of requester: Requester) -> Promise<Void>? { lines[requester]?.last ?? recovery }

  /// How many requests of a connection are being looked at.
  func count(of requester: Requester) -> Int { lines[requester]?.count ?? 0 }

  /// Puts a request at the end of its connection's line.
  ///
  /// - Parameter leave: takes it out of the line once its admission has ended.
  mutating func enter(
    _ requester: Requester, identify: () -> Look, leave: @escaping @Sendable () -> Void
  ) -> Place {
    let previous = last(of: requester)
    let own = Promise<Void>()
    let known = caller(behind: requester, lines[requester]?.known ?? latest, identify)
    var line = lines[requester] ?? Line(last: own, known: known)
    (line.last, line.known) = (own, known)
    line.count += 1
    lines[requester] = line
    return Place(previous: previous, caller: known.answer, admission: Admission(own, leave: leave))
  }

  private mutating func caller(
    behind requester: Requester, _ known: KnownCaller?, _ identify: () -> Look
  ) -> KnownCaller {
    if let known, known.requester == requester, known.isFresh { return known }
    let asked = KnownCaller(requester: requester, answer: identify())
    // A peer asks once.
    if requester.connection != nil { latest = asked }
    return asked
  }

  /// Takes a request of a connection out of its line.
  mutating func leave(_ requester: Requester) {
    lines[requester]?.count -= 1
    if lines[requester]?.count == 0 { lines[requester] = nil }
  }
}

/// The part of a request's way on which those that came after it from the same connection wait.
struct Admission: Sendable {
  private let admitted: Promise<Void>
  private let leave: @Sendable () -> Void

  init(_ admitted: Promise<Void>, leave: @escaping @Sendable () -> Void) {
    self.admitted = admitted
    self.leave = leave
  }

  /// Lets the next one go on; once is enough.
  func end() {
    if admitted.fulfil(()) { leave() }
  }
}
