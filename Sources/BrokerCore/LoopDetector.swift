// SPDX-License-Identifier: Apache-2.0
public import Freedesktop
public import RouteTables

/// A detector of redirect loops.
///
/// If an application re-opens a URL that it received less than ten seconds ago, without a user click, the URL stays in
/// the same redirect chain and is never delivered to an application already in that chain. An application that opens a
/// URL repeatedly without having received it is not in a loop.
///
/// ```swift
/// var detector = LoopDetector()
/// detector.record(url, after: [mail], to: browser, at: now)     // mail opens it, the browser receives it
/// detector.applications(before: url, from: browser, at: now)    // [mail, browser]
/// ```
public struct LoopDetector: Sendable {
  /// The default of the time for which a chain is stored after its last hop.
  public static let window = Duration.seconds(10)
  /// The maximum number of stored chains.
  static let capacity = 1_000

  private struct Key: Hashable {
    // A hash with the seed of the process, so that the memory of the broker does not reveal the URL.
    let url: Int
    let application: ApplicationID
  }

  private struct Chain {
    let applications: [ApplicationID]
    let expiry: ContinuousClock.Instant
  }

  private let window: Duration
  private var chains: [Key: Chain] = [:]

  /// Creates a detector without chains, which stores each for `window` after its last hop.
  public init(window: Duration = Self.window) { self.window = window }

  /// Returns the applications that a URL from `source` has passed, the first one in front.
  ///
  /// `nil` if the broker did not deliver the URL to `source` within `window`.
  public func applications(
    before url: URLString, from source: ApplicationID?, at now: ContinuousClock.Instant
  ) -> [ApplicationID]? {
    guard let source, let chain = chains[Key(url: url.text.hashValue, application: source)],
      chain.expiry > now
    else { return nil }
    return chain.applications
  }

  /// Returns the applications that a URL has passed before the broker delivered it to a part of `application` within `window`.
  private func applications(
    before url: URLString, fromPartsOf application: ApplicationID, at now: ContinuousClock.Instant
  ) -> [ApplicationID] {
    let (hash, prefix) = (url.text.hashValue, "\(application).")
    return chains.filter { key, chain in
      key.url == hash && key.application.rawValue.hasPrefix(prefix) && chain.expiry > now
    }.values.flatMap(\.applications)
  }

  /// Records the delivery of a URL to `target`, after the applications that it has already passed.
  public mutating func record(
    _ url: URLString, after applications: [ApplicationID], to target: ApplicationID,
    at now: ContinuousClock.Instant
  ) {
    if chains.count >= Self.capacity { chains = chains.filter { $0.value.expiry > now } }
    // More URLs in ten seconds cannot come from user actions, and their chains are not worth more memory.
    if chains.count >= Self.capacity { chains = [:] }
    let key = Key(url: url.text.hashValue, application: target)
    chains[key] = Chain(applications: applications + [target], expiry: now + window)
  }
}

extension LoopDetector {
  /// Rejects the groups whose URLs would return to an application of their redirect chain, and records the others.
  ///
  /// A user click starts a new chain. Programs that a route runs are not part of a chain.
  public mutating func follow(
    _ groups: [RequestGroup], of request: OpenRequest, at now: ContinuousClock.Instant
  ) -> [RequestGroup] {
    // An application in a sandbox may claim to be any part of itself, and may have received the URL as itself or as a part.
    let caller = request.caller
    let senders = [caller.questioner, caller.source.id].compactMap(\.self).unique
    let whole = caller.sandbox != nil || caller.source.mayBeSandboxed ? caller.questioner : nil
    return groups.map { group in
      guard case .deliver(let target) = group.verdict else { return group }
      let passed = group.urls.map { url in
        guard !caller.isByClick else { return [ApplicationID]() }
        let received = senders.flatMap { applications(before: url, from: $0, at: now) ?? [] }
        return (received + (whole.map { applications(before: url, fromPartsOf: $0, at: now) } ?? [])).unique
      }
      if let loop = passed.first(where: { $0.contains(target.programID) }) {
        return RequestGroup(links: group.links, verdict: .refuse(.redirectLoop(loop + [target.programID])))
      }
      for (url, applications) in zip(group.urls, passed) {
        record(
          url, after: applications.isEmpty ? senders : applications, to: target.programID, at: now)
      }
      return group
    }
  }
}
