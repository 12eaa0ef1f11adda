/// How many links each source has opened lately, of those that count: from inside a sandbox, and in the place of others.
///
/// What a person or a program outside a sandbox opens by itself is not counted.
public struct RateLimiter: Sendable {
  /// So many links within `interval`.
  public static let most = 30
  /// The time within which links count together.
  public static let interval = Duration.seconds(10)
  /// How many sources are remembered.
  static let capacity = 1_000

  private struct Links {
    let count: Int
    let time: ContinuousClock.Instant
  }

  private var recent: [String: [Links]] = [:]

  /// Nobody has opened anything.
  public init() {}

  /// Counts a request of `source` with `count` links; `false` when they are too many, and then none is counted.
  ///
  /// A request without a link counts as one.
  public mutating func take(_ source: String, links count: Int = 1, at now: ContinuousClock.Instant) -> Bool {
    let counted = max(1, count)
    let links = recent[source, default: []].filter { now - $0.time < Self.interval }
    guard links.reduce(0, { $0 + $1.count }) + counted <= Self.most else { return false }
    if recent.count >= Self.capacity {
      recent = recent.filter { $0.value.last.map { now - $0.time < Self.interval } ?? false }
    }
    recent[source] = links + [Links(count: counted, time: now)]
    return true
  }
}
