import Freedesktop
import RouteTables

/// Counts the hops of requests that are handed on, and tells a loop from a chain of starts that a user makes.
///
/// A program inherits the hops of the request that it was started for, for as long as it runs. The count of what it opens
/// restarts where the user has acted: the request carries an activation token that no request of the last ten minutes
/// carried. GIO and KDE make a token for each start, also without a user, so a URL restarts the count three times within
/// ten minutes at most, and a source twenty times within a minute.
///
/// ```swift
/// counter.hops(of: request, token: "fresh", at: now)   // 0: the user clicked a link
/// counter.hops(of: request, token: "fresh", at: now)   // request.hops: the token was handed on
/// ```
public struct HopCounter: Sendable {
  /// How long a token, and what a URL has restarted, is remembered.
  public static let memory = Duration.seconds(600)
  /// How many times a URL restarts the count within `memory`.
  public static let maximumRestartsOfURL = 3
  /// How many times a source restarts the count within `sourceInterval`.
  public static let maximumRestartsOfSource = 20
  /// The time within which the restarts of a source count together.
  public static let sourceInterval = Duration.seconds(60)
  /// How many tokens, URLs and sources are remembered, each.
  static let capacity = 10_000

  // By their hashes with the process's own seed: what is remembered says nothing about a link.
  private var tokens: [Int: ContinuousClock.Instant] = [:]
  private var restartsOfURLs: [Int: [ContinuousClock.Instant]] = [:]
  private var restartsOfSources: [String: [ContinuousClock.Instant]] = [:]

  /// Nothing was opened yet.
  public init() {}

  /// The hops that `request`, which carries `token`, has made since the user acted; remembers the token.
  public mutating func hops(
    of request: OpenRequest, token: String?, at now: ContinuousClock.Instant
  ) -> UInt32 {
    guard let token = token?.hashValue else { return request.hops }
    let isNew = tokens[token].map { now - $0 >= Self.memory } ?? true
    Self.makeRoom(in: &tokens) { now - $0 < Self.memory }
    tokens[token] = now
    guard request.hops > 0, isNew, !request.source.mayBeSandboxed else { return request.hops }
    // Sources that are not identified count together.
    let source = request.questioner?.rawValue ?? ""
    let urls = Set(request.urls.map(\.text.hashValue))
    guard
      Self.recent(restartsOfSources[source], within: Self.sourceInterval, now).count
        < Self.maximumRestartsOfSource,
      urls.allSatisfy({
        Self.recent(restartsOfURLs[$0], within: Self.memory, now).count < Self.maximumRestartsOfURL
      })
    else { return request.hops }
    Self.add(now, for: source, to: &restartsOfSources, within: Self.sourceInterval)
    for url in urls { Self.add(now, for: url, to: &restartsOfURLs, within: Self.memory) }
    return 0
  }

  private static func recent(
    _ times: [ContinuousClock.Instant]?, within interval: Duration, _ now: ContinuousClock.Instant
  ) -> [ContinuousClock.Instant] {
    (times ?? []).filter { now - $0 < interval }
  }

  private static func add<Key: Hashable>(
    _ now: ContinuousClock.Instant, for key: Key, to times: inout [Key: [ContinuousClock.Instant]],
    within interval: Duration
  ) {
    makeRoom(in: &times) { $0.last.map { now - $0 < interval } ?? false }
    times[key] = recent(times[key], within: interval, now) + [now]
  }

  /// Forgets what is too old where there is much, and all of it where that is not enough: a flood costs the memory of what
  /// was before it.
  private static func makeRoom<Key: Hashable, Value>(in known: inout [Key: Value], holds: (Value) -> Bool) {
    guard known.count >= capacity else { return }
    known = known.filter { holds($0.value) }
    if known.count >= capacity { known = [:] }
  }
}
