public import Freedesktop
public import RouteTables

/// The ways that links have gone lately, so that one that goes round is told from one that is opened again.
///
/// A link that comes back from the application it was given to, within ten seconds and without a person's click, goes on on
/// its way: it is opened by nobody whom it has passed. Whoever repeats a link that it was not given is no loop.
///
/// ```swift
/// trails.note(url, on: trails.way(of: url, from: mail, at: now), to: browser, at: now)   // mail opens it
/// trails.way(of: url, from: browser, at: now)                                           // mail, browser
/// ```
public struct LoopDetector: Sendable {
  /// How long a way is remembered after each step.
  public static let window = Duration.seconds(10)
  /// How many links are remembered.
  static let capacity = 1_000

  private struct Place: Hashable {
    // By its hash with the process's own seed: what is remembered of a link says nothing about it.
    let url: Int
    let application: ApplicationID
  }

  private struct Trail {
    let way: [ApplicationID]
    let end: ContinuousClock.Instant
  }

  private var trails: [Place: Trail] = [:]

  /// No link has gone anywhere.
  public init() {}

  /// The applications that a link which comes from `source` has passed, the first in front; `nil` where it did not come to
  /// `source` by the broker.
  public func way(
    of url: URLString, from source: ApplicationID?, at now: ContinuousClock.Instant
  ) -> [ApplicationID]? {
    guard let source, let trail = trails[Place(url: url.text.hashValue, application: source)], trail.end > now
    else { return nil }
    return trail.way
  }

  /// Notes that a link goes to `target`, after those on its `way`.
  public mutating func note(
    _ url: URLString, on way: [ApplicationID], to target: ApplicationID, at now: ContinuousClock.Instant
  ) {
    if trails.count >= Self.capacity { trails = trails.filter { $0.value.end > now } }
    // More in ten seconds is no person's doing, and what is remembered of it is not worth more room.
    if trails.count >= Self.capacity { trails = [:] }
    let place = Place(url: url.text.hashValue, application: target)
    trails[place] = Trail(way: way + [target], end: now + Self.window)
  }
}

extension LoopDetector {
  /// The same shares, but for those that would send a link where it has just been; what goes on is noted.
  ///
  /// A request with a person's click, and one for a program that a route runs, begins a new way.
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
