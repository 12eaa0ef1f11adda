public import Freedesktop
public import RouteTables

/// A detector of redirect loops.
///
/// If an application re-opens a URL that it received less than ten seconds ago, without a user click, the URL stays in
/// the same redirect chain and is never delivered to an application already in that chain. An application that opens a
/// URL repeatedly without having received it is not in a loop.
///
/// ```swift
/// trails.note(url, on: trails.way(of: url, from: mail, at: now), to: browser, at: now)   // mail opens it
/// trails.way(of: url, from: browser, at: now)                                           // mail, browser
/// ```
public struct LoopDetector: Sendable {
  /// The time for which a chain is stored after its last hop.
  public static let window = Duration.seconds(10)
  /// The maximum number of stored chains.
  static let capacity = 1_000

  private struct Place: Hashable {
    // A hash with the seed of the process, so that the memory of the broker does not reveal the URL.
    let url: Int
    let application: ApplicationID
  }

  private struct Trail {
    let way: [ApplicationID]
    let end: ContinuousClock.Instant
  }

  private var trails: [Place: Trail] = [:]

  /// Creates a detector without chains.
  public init() {}

  /// Returns the applications that a URL from `source` has passed, the first one in front.
  ///
  /// `nil` if the broker did not deliver the URL to `source` within `window`.
  public func way(
    of url: URLString, from source: ApplicationID?, at now: ContinuousClock.Instant
  ) -> [ApplicationID]? {
    guard let source, let trail = trails[Place(url: url.text.hashValue, application: source)], trail.end > now
    else { return nil }
    return trail.way
  }

  /// Records the delivery of a URL to `target`, after the applications on its `way`.
  public mutating func note(
    _ url: URLString, on way: [ApplicationID], to target: ApplicationID, at now: ContinuousClock.Instant
  ) {
    if trails.count >= Self.capacity { trails = trails.filter { $0.value.end > now } }
    // More URLs in ten seconds cannot come from user actions, and their chains are not worth more memory.
    if trails.count >= Self.capacity { trails = [:] }
    let place = Place(url: url.text.hashValue, application: target)
    trails[place] = Trail(way: way + [target], end: now + Self.window)
  }
}

extension LoopDetector {
  /// Rejects the groups whose URLs would return to an application of their redirect chain, and records the others.
  ///
  /// A user click starts a new chain. Programs that a route runs are not part of a chain.
  public mutating func follow(
    _ shares: [RequestGroup], of request: OpenRequest, at now: ContinuousClock.Instant
  ) -> [RequestGroup] {
    shares.map { share in
      guard case .deliver(let target) = share.verdict else { return share }
      let ways = share.urls.map { url in
        request.isByClick ? nil : way(of: url, from: request.source.id, at: now)
      }
      if let way = ways.compactMap({ $0 }).first(where: { $0.contains(target.id) }) {
        return RequestGroup(urls: share.urls, verdict: .refuse(.reconnected(way + [target.id])))
      }
      for (url, way) in zip(share.urls, ways) {
        note(url, on: way ?? [request.source.id].compactMap { $0 }, to: target.id, at: now)
      }
      return share
    }
  }
}
