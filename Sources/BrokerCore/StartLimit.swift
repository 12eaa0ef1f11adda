/// How often an application is started that ends each time before it can be signalled.
///
/// Five starts that fail within ten seconds are no accident: it rests, for ten seconds at first and twice as long after each
/// failure that follows, five minutes at most. A start that succeeds, and an hour without one, forget all of it.
public struct StartLimit: Sendable {
  /// So many failures within `interval` make it rest.
  public static let burst = 5
  /// The time within which failures count together.
  public static let interval = Duration.seconds(10)
  /// The first rest.
  public static let rest = Duration.seconds(10)
  /// The longest rest.
  public static let longestRest = Duration.seconds(300)

  /// The last failures, the oldest in front; no more than `burst`.
  private var failures: [ContinuousClock.Instant] = []
  /// How long it rested last.
  private var lastRest: Duration?
  private var end: ContinuousClock.Instant?

  /// Nothing has failed yet.
  public init() {}

  /// How long it still rests at `now`; `nil` if it may be started.
  public func rest(at now: ContinuousClock.Instant) -> Duration? {
    guard let end, end > now else { return nil }
    return end - now
  }

  /// Notes that a start has failed.
  public mutating func fail(at now: ContinuousClock.Instant) {
    if let last = failures.last, now - last > .seconds(3_600) { succeed() }
    failures = failures.suffix(Self.burst - 1) + [now]
    // After a rest, one more failure is enough.
    let isBurst = failures.count == Self.burst && now - failures[0] <= Self.interval
    guard isBurst || lastRest != nil else { return }
    let rest = min(lastRest.map { $0 * 2 } ?? Self.rest, Self.longestRest)
    (lastRest, end) = (rest, now + rest)
  }

  /// Notes that a start has succeeded.
  public mutating func succeed() { self = StartLimit() }
}
