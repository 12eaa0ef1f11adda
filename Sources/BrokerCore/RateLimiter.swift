// SPDX-License-Identifier: Apache-2.0
/// A limit on the URLs that each sandboxed or forwarding source may open.
///
/// URLs that the user or a program outside a sandbox opens directly are not counted.
public struct RateLimiter: Sendable {
  /// The default of the maximum number of URLs within `interval`.
  public static let maximumCount = 30
  /// The default of the interval in which URLs count together.
  public static let interval = Duration.seconds(10)
  /// The number of stored sources at which those without recent URLs are removed.
  static let capacity = 1_000

  private struct Links {
    let count: Int
    let time: ContinuousClock.Instant
  }

  private var recent: [String: [Links]] = [:]

  private let interval: Duration
  private let maximum: Int

  /// Creates a limiter without counts, which permits a source `maximum` URLs within `interval`.
  public init(maximum: Int = Self.maximumCount, interval: Duration = Self.interval) {
    self.maximum = maximum
    self.interval = interval
  }

  /// Counts a request of `source` with `count` URLs; returns `false`, and counts nothing, if they exceed the limit.
  ///
  /// A request without a URL counts as one.
  public mutating func take(_ source: String, links count: Int = 1, at now: ContinuousClock.Instant) -> Bool {
    let counted = max(1, count)
    let links = recent[source, default: []].filter { now - $0.time < interval }
    guard links.reduce(0, { $0 + $1.count }) + counted <= maximum else { return false }
    if recent.count >= Self.capacity {
      recent = recent.filter { $0.value.last.map { now - $0.time < interval } ?? false }
    }
    recent[source] = links + [Links(count: counted, time: now)]
    return true
  }
}
