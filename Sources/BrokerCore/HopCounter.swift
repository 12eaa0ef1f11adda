// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

/// Counts the hops of forwarded requests, and distinguishes a loop from a series of starts by the user.
///
/// A program inherits the hops of the request that started it for as long as it runs. The count of the requests that it
/// sends restarts if the user has acted: the request has an activation token that no request of the last ten minutes
/// had. GIO and KDE create a token for each start, also without a user, so a URL restarts the count at most three times
/// within ten minutes, and a source at most twenty times within a minute.
///
/// ```swift
/// counter.hops(of: request, token: "fresh", at: now)   // 0: the user clicked a link
/// counter.hops(of: request, token: "fresh", at: now)   // request.hops: the token was handed on
/// ```
public struct HopCounter: Sendable {
  /// The time for which tokens and the restarts of URLs are stored.
  public static let memory = Duration.seconds(600)
  /// The maximum number of restarts of one URL within `memory`.
  public static let maximumRestartsOfURL = 3
  /// The maximum number of restarts of one source within `sourceInterval`.
  public static let maximumRestartsOfSource = 20
  /// The interval in which the restarts of a source count together.
  public static let sourceInterval = Duration.seconds(60)
  /// The maximum number of stored tokens, URLs and sources, each.
  static let capacity = 10_000

  // The keys are hashes with the seed of the process, so that the memory of the broker does not reveal URLs.
  private var tokens: [Int: ContinuousClock.Instant] = [:]
  private var restartsOfURLs: [Int: [ContinuousClock.Instant]] = [:]
  private var restartsOfSources: [String: [ContinuousClock.Instant]] = [:]

  /// Creates a counter without tokens.
  public init() {}

  /// Returns the hops that `request` has made since the user acted, and stores its `token` and its `startupID`.
  public mutating func hops(
    of request: OpenRequest, token: String?, startupID: String? = nil, at now: ContinuousClock.Instant
  ) -> UInt32 {
    // A program that was started with both may pass on only one.
    if let startupID { record(token: startupID, at: now) }
    guard let token else { return request.hops }
    let isNew = tokens[token.hashValue].map { now - $0 >= Self.memory } ?? true
    record(token: token, at: now)
    guard request.hops > 0, isNew, !request.source.mayBeSandboxed else { return request.hops }
    // Unidentified sources share one count.
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

  /// Stores a token that a program gets, so that it does not count as the user's when the program passes it on.
  public mutating func record(token: String, at now: ContinuousClock.Instant) {
    Self.makeRoom(in: &tokens) { now - $0 < Self.memory }
    tokens[token.hashValue] = now
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

  /// Drops expired entries when the table is full, and all entries if that is not enough.
  ///
  /// A flood of requests therefore costs the entries that precede it.
  private static func makeRoom<Key: Hashable, Value>(in known: inout [Key: Value], holds: (Value) -> Bool) {
    guard known.count >= capacity else { return }
    known = known.filter { holds($0.value) }
    if known.count >= capacity { known = [:] }
  }
}
