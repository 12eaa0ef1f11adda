/// How many programs may be started: a burst, and then so many a second, for each caller and in all.
///
/// Callers that wait take turns, so that one with a thousand links to open holds nobody else up.
///
/// ```swift
/// var rates = StartRateLimiter(perCaller: .init(burst: 2, perSecond: 1), inAll: .init(burst: 10, perSecond: 5))
/// rates.take(for: "a", at: now)   // true
/// rates.take(for: "a", at: now)   // true
/// rates.take(for: "a", at: now)   // false, for a second
/// rates.take(for: "b", at: now)   // true
/// ```
public struct StartRateLimiter: Sendable {
  /// A burst and what follows it.
  public struct Rate: Hashable, Sendable {
    /// How many starts may come at once.
    public var burst: Int
    /// How many a second may follow.
    public var perSecond: Int

    /// A rate of `perSecond` after `burst`; less than one of either counts as one.
    public init(burst: Int, perSecond: Int) {
      self.burst = max(1, burst)
      self.perSecond = max(1, perSecond)
    }

    /// The time that one start uses up.
    fileprivate var interval: Duration { .nanoseconds(1_000_000_000 / Int64(perSecond)) }
  }

  /// The starts of one caller, or of all: the time at which all of them would have come at the rate (the generic cell rate
  /// algorithm of ITU-T I.371).
  private struct Account {
    var due: ContinuousClock.Instant

    func wait(_ rate: Rate, at now: ContinuousClock.Instant) -> Duration {
      max(.zero, due - now - rate.interval * (rate.burst - 1))
    }

    mutating func take(_ rate: Rate, at now: ContinuousClock.Instant) { due = max(due, now) + rate.interval }
  }

  /// How many callers are remembered, beside those that have starts left to wait for.
  static let capacity = 1_000

  private let perCaller: Rate
  private let inAll: Rate
  private var callers: [String: Account] = [:]
  private var all: Account?
  /// The callers that wait, in the order of their turns, and how many starts each waits for.
  private var turns: [String] = []
  private var waiting: [String: Int] = [:]

  /// Rates at which nothing was started yet.
  public init(perCaller: Rate, inAll: Rate) {
    self.perCaller = perCaller
    self.inAll = inAll
  }

  /// Takes a start for a caller now; `false`, and none is taken, where it has to wait.
  public mutating func take(for caller: String, at now: ContinuousClock.Instant) -> Bool {
    // Those that wait already go first.
    guard turns.isEmpty || waiting[caller] == nil, wait(for: caller, at: now) == .zero else { return false }
    count(caller, at: now)
    return true
  }

  /// Puts a caller that has to wait in the line; once for each start.
  public mutating func enqueue(_ caller: String) {
    if waiting[caller] == nil { turns.append(caller) }
    waiting[caller, default: 0] += 1
  }

  /// The next that happens in the line.
  public enum Next: Hashable, Sendable {
    /// This caller may start one program now; it was counted.
    case start(String)
    /// Nobody may, for so long.
    case wait(Duration)
  }

  /// Lets the next in the line start; `nil` where nobody waits.
  public mutating func next(at now: ContinuousClock.Instant) -> Next? {
    var shortest: Duration?
    for (index, caller) in turns.enumerated() {
      let wait = wait(for: caller, at: now)
      guard wait == .zero else {
        shortest = min(shortest ?? wait, wait)
        continue
      }
      turns.remove(at: index)
      let left = (waiting[caller] ?? 1) - 1
      waiting[caller] = left > 0 ? left : nil
      if left > 0 { turns.append(caller) }
      count(caller, at: now)
      return .start(caller)
    }
    return shortest.map(Next.wait)
  }

  private func wait(for caller: String, at now: ContinuousClock.Instant) -> Duration {
    max(callers[caller]?.wait(perCaller, at: now) ?? .zero, all?.wait(inAll, at: now) ?? .zero)
  }

  private mutating func count(_ caller: String, at now: ContinuousClock.Instant) {
    if callers.count >= Self.capacity { callers = callers.filter { $0.value.due > now } }
    callers[caller, default: Account(due: now)].take(perCaller, at: now)
    var all = all ?? Account(due: now)
    all.take(inAll, at: now)
    self.all = all
  }
}
