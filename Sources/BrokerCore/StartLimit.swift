// SPDX-License-Identifier: Apache-2.0
/// A limit on the starts of an application that exits each time before it can be reached.
///
/// After five failed starts within ten seconds the application is not started for a while: for ten seconds at first,
/// and twice as long after each further failure, up to five minutes. A successful start, or an hour without a failure,
/// resets the limit.
public struct StartLimit: Sendable {
  /// The number of failures within the interval that trigger the delay.
  public static let burst = 5
  /// The default interval in which failures count together.
  public static let defaultInterval = Duration.seconds(10)
  /// The first delay.
  public static let firstDelay = Duration.seconds(10)
  /// The maximum delay.
  public static let maximumDelay = Duration.seconds(300)

  private let interval: Duration
  /// The last failures, the oldest first; at most `burst`.
  private var failures: [ContinuousClock.Instant] = []
  /// The last delay; `nil` if there was none.
  private var lastDelay: Duration?
  private var end: ContinuousClock.Instant?

  /// Creates a limit without failures, which counts those within `interval` together.
  public init(interval: Duration = Self.defaultInterval) { self.interval = interval }

  /// Returns the remaining delay at `now`; `nil` if the application may be started.
  public func delay(at now: ContinuousClock.Instant) -> Duration? {
    guard let end, end > now else { return nil }
    return end - now
  }

  /// Records a failed start.
  public mutating func fail(at now: ContinuousClock.Instant) {
    if let last = failures.last, now - last > .seconds(3_600) { succeed() }
    failures = failures.suffix(Self.burst - 1) + [now]
    // After a first delay, a single failure triggers the next one.
    let isBurst = failures.count == Self.burst && now - failures[0] <= interval
    guard isBurst || lastDelay != nil else { return }
    let delay = min(lastDelay.map { $0 * 2 } ?? Self.firstDelay, Self.maximumDelay)
    (lastDelay, end) = (delay, now + delay)
  }

  /// Records a successful start.
  public mutating func succeed() { self = StartLimit(interval: interval) }
}
