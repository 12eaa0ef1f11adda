/// How many links each source has opened lately, of those that count: from inside a sandbox, and in the place of others.
///
/// What a person or a program outside a sandbox opens by itself is not counted.
public struct SourceRates: Sendable {
  /// So many links within `interval`.
  public static let most = 30
  /// The time within which links count together.
  public static let interval = Duration.seconds(10)
  /// How many sources are remembered.
  static let capacity = 1_000

  private var times: [String: [ContinuousClock.Instant]] = [:]

  /// Nobody has opened anything.
  public init() {}

  /// Counts a request of `source`; `false` when it is one too many, which is not counted.
  public mutating func take(_ source: String, at now: ContinuousClock.Instant) -> Bool {
    let recent = times[source, default: []].filter { now - $0 < Self.interval }
    guard recent.count < Self.most else { return false }
    if times.count >= Self.capacity {
      times = times.filter { $0.value.last.map { now - $0 < Self.interval } ?? false }
    }
    times[source] = recent + [now]
    return true
  }
}
