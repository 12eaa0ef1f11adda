// SPDX-License-Identifier: Apache-2.0
/// A limit on program starts: a burst followed by a rate per second, for each caller and in total.
///
/// Waiting callers take turns, so that a caller with a thousand URLs does not delay the others.
///
/// ```swift
/// var rates = StartRateLimiter(perCaller: .init(burst: 2, perSecond: 1), inAll: .init(burst: 10, perSecond: 5))
/// rates.take(for: "a", at: now)   // true
/// rates.take(for: "a", at: now)   // true
/// rates.take(for: "a", at: now)   // false, for a second
/// rates.take(for: "b", at: now)   // true
/// ```
public struct StartRateLimiter: Sendable {
  /// A burst and the rate that follows it.
  public struct Rate: Hashable, Sendable {
    /// The number of starts that are possible at once.
    public var burst: Int
    /// The number of starts per second after the burst.
    public var perSecond: Int

    /// Creates a rate; values below one count as one.
    public init(burst: Int, perSecond: Int) {
      self.burst = max(1, burst)
      self.perSecond = max(1, perSecond)
    }

    /// The time that one start uses.
    fileprivate var interval: Duration { .nanoseconds(1_000_000_000 / Int64(perSecond)) }
  }

  /// The starts of one caller, or of all callers: the time at which they would all have happened at the rate.
  ///
  /// This is the generic cell rate algorithm of ITU-T I.371.
  private struct Account {
    var due: ContinuousClock.Instant

    func wait(_ rate: Rate, at now: ContinuousClock.Instant) -> Duration {
      max(.zero, due - now - rate.interval * (rate.burst - 1))
    }

    mutating func count(_ rate: Rate, at now: ContinuousClock.Instant) { due = max(due, now) + rate.interval }
  }

  /// The number of stored callers at which those without recent starts are removed.
  static let capacity = 1_000

  private let perCaller: Rate
  private let inAll: Rate
  private var callers: [String: Account] = [:]
  private var all: Account?
  /// The waiting callers in the order of their turns; `waiting` has the number of starts for each.
  private var turns: [String] = []
  private var waiting: [String: Int] = [:]

  /// Creates a limiter without starts.
  public init(perCaller: Rate, inAll: Rate) {
    self.perCaller = perCaller
    self.inAll = inAll
  }

  /// Counts a start for a caller now; returns `false`, and counts nothing, if the caller must wait.
  public mutating func take(for caller: String, at now: ContinuousClock.Instant) -> Bool {
    // A caller with waiting starts must not overtake them.
    guard turns.isEmpty || waiting[caller] == nil, wait(for: caller, at: now) == .zero else { return false }
    count(caller, at: now)
    return true
  }

  /// Takes back the last counted start of a caller, which is not made.
  public mutating func giveBack(for caller: String) {
    let (perCaller, inAll) = (perCaller.interval, inAll.interval)
    callers[caller]?.due -= perCaller
    all?.due -= inAll
  }

  /// Appends a start to the queue for a caller that must wait.
  public mutating func enqueue(_ caller: String) {
    if waiting[caller] == nil { turns.append(caller) }
    waiting[caller, default: 0] += 1
  }

  /// The next event of the queue.
  public enum Next: Hashable, Sendable {
    /// This caller may start one program now; the start is counted.
    case start(String)
    /// No caller may start a program for this long.
    case wait(Duration)
  }

  /// Removes the next start that is allowed from the queue; `nil` if the queue is empty.
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
    callers[caller, default: Account(due: now)].count(perCaller, at: now)
    var all = all ?? Account(due: now)
    all.count(inAll, at: now)
    self.all = all
  }
}
