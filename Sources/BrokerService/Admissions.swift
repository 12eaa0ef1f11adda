import DBus

/// The requests that are being looked at: those of one connection are admitted one after the other, in the order in which
/// they arrived, and hold no other connection's up, however many they are.
struct Admissions {
  typealias Look = Task<Result<Caller, BusError>, Never>

  /// A request's place in the line of its connection.
  struct Place {
    /// Ends when the request before it has been admitted; `nil` if it is the first.
    let previous: Task<Void, Never>?
    /// Who is behind the connection.
    let caller: Look
    /// Is finished when the request is admitted, or never will be.
    let admission: AsyncStream<Void>.Continuation
  }

  private struct Line {
    var last: Task<Void, Never>
    var count = 0
    var known: KnownCaller
  }

  /// Who is behind a connection, as long as that need not be asked again for the requests that follow.
  private struct KnownCaller {
    let sender: BusName
    let answer: Look
    let asked = ContinuousClock.now

    var isFresh: Bool { .now - asked < .seconds(1) }
  }

  private var lines: [BusName: Line] = [:]
  /// Who was asked for last: of a connection that asks again and again the line is empty in between.
  private var latest: KnownCaller?
  /// Ends when what an earlier broker left has been queued: before anything that is new.
  var recovery: Task<Void, Never>?

  /// Ends when the last request that a connection has sent has been admitted.
  func last(of sender: BusName) -> Task<Void, Never>? { lines[sender]?.last ?? recovery }

  /// How many requests of a connection are being looked at.
  func count(of sender: BusName) -> Int { lines[sender]?.count ?? 0 }

  /// Puts a request at the end of its connection's line.
  ///
  /// - Parameter leaving: makes the task that has it leave once the stream, and so its admission, has ended.
  mutating func enter(
    _ sender: BusName, identify: () -> Look, leaving: (AsyncStream<Void>) -> Task<Void, Never>
  ) -> Place {
    let previous = last(of: sender)
    let (admitted, admission) = AsyncStream<Void>.makeStream()
    let own = leaving(admitted)
    let known = caller(behind: sender, lines[sender]?.known ?? latest, identify)
    var line = lines[sender] ?? Line(last: own, known: known)
    (line.last, line.known) = (own, known)
    line.count += 1
    lines[sender] = line
    return Place(previous: previous, caller: known.answer, admission: admission)
  }

  private mutating func caller(
    behind sender: BusName, _ known: KnownCaller?, _ identify: () -> Look
  ) -> KnownCaller {
    if let known, known.sender == sender, known.isFresh { return known }
    let asked = KnownCaller(sender: sender, answer: identify())
    latest = asked
    return asked
  }

  /// Takes a request of a connection out of its line.
  mutating func leave(_ sender: BusName) {
    lines[sender]?.count -= 1
    if lines[sender]?.count == 0 { lines[sender] = nil }
  }
}
