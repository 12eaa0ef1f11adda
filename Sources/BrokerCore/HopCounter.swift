// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

/// Counts the hops of forwarded requests, and distinguishes a loop from a series of starts by the user.
///
/// A program inherits the hops of the request that started it for as long as it runs. The count of the requests that it
/// sends restarts if the user has acted: the request has an activation token of its own (``ActivationTokens``). GIO and KDE create a token for each start, also without a user, so a URL restarts the count at most three times
/// within ten minutes, and a source at most twenty times within a minute.
///
/// ```swift
/// counter.hops(of: request, at: now)   // 0 if the user clicked the link, else request.hops
/// ```
public struct HopCounter: Sendable {
  /// The time for which the restarts of URLs are stored.
  public static let memory = Duration.seconds(600)
  /// The maximum number of restarts of one URL within `memory`.
  public static let maximumRestartsOfURL = 3
  /// The maximum number of restarts of one source within `sourceInterval`.
  public static let maximumRestartsOfSource = 20
  /// The default of the interval in which the restarts of a source count together.
  public static let sourceInterval = Duration.seconds(60)
  /// The maximum number of stored URLs and sources, each.
  static let capacity = 10_000

  // The keys are hashes with the seed of the process, so that the memory of the broker does not reveal URLs.
  private var restartsOfURLs: [Int: [ContinuousClock.Instant]] = [:]
  private var restartsOfSources: [String: [ContinuousClock.Instant]] = [:]

  private let sourceInterval: Duration

  /// Creates a counter without restarts, in which the restarts of a source count together within `sourceInterval`.
  public init(sourceInterval: Duration = Self.sourceInterval) { self.sourceInterval = sourceInterval }

  /// Returns the hops that `request` has made since the user acted.
  public mutating func hops(of request: OpenRequest, at now: ContinuousClock.Instant) -> UInt32 {
    guard request.hops > 0, request.caller.isByUser else { return request.hops }
    // Unidentified sources and those with unverified names share one count.
    let source = request.caller.verifiedQuestioner?.rawValue ?? ""
    let urls = Set(request.urls.map(\.text.hashValue))
    guard
      Self.recent(restartsOfSources[source], within: sourceInterval, now).count
        < Self.maximumRestartsOfSource,
      urls.allSatisfy({
        Self.recent(restartsOfURLs[$0], within: Self.memory, now).count < Self.maximumRestartsOfURL
      })
    else { return request.hops }
    Self.add(now, for: source, to: &restartsOfSources, within: sourceInterval)
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

  /// Drops expired entries when the table is full, and all entries if that is not enough.
  ///
  /// A flood of requests therefore costs the entries that precede it.
  private static func makeRoom<Key: Hashable, Value>(in known: inout [Key: Value], holds: (Value) -> Bool) {
    guard known.count >= capacity else { return }
    known = known.filter { holds($0.value) }
    if known.count >= capacity { known = [:] }
  }
}
