// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteFiles
import RouteTables
import Synchronization
import TestSupport
import Testing

@testable import BrokerCore

/// A broker with route files of an administrator and a user, on a desktop whose viewer opens every scheme of the tests.
struct WorkplaceRules {
  private let desktop: ThrowAwayDesktop
  private let broker: Broker

  /// The layers by their owners and texts.
  ///
  /// Many tests have the rules in common, and reading those takes most of their time.
  private static let layers = Mutex<[String: RouteLayer]>([:])

  /// Reads the routes, to which the two lines of every file are prepended; throws the first diagnostic.
  init(administrator: String = "", user: String = "") throws {
    desktop = try ThrowAwayDesktop()
    try desktop.installScript("viewer", "#!/bin/sh\n")
    let schemes = ["http", "https", "ftp", "file", "notes", "app", "webcal", "ldap"]
    try desktop.installDesktopEntry(
      "org.example.Viewer", exec: "viewer %u", schemes: schemes,
      lines: ["MimeType=text/plain;inode/directory;"])
    try desktop.setDefaults(Dictionary(uniqueKeysWithValues: schemes.map { ($0, ["org.example.Viewer"]) }))
    func layer(_ owner: RouteLayer.Owner, _ text: String) throws -> RouteLayer {
      let key = "\(owner)\n\(text)"
      if let layer = Self.layers.withLock({ $0[key] }) { return layer }
      let head = text.contains("format = 1") ? "" : "format = 1\nowner = \"\(owner)\"\n"
      let set = RouteFileSet([
        RouteFileSource(name: "\(owner).toml", text: head + text, rank: owner.rank(isFinal: false))
      ])
      try #require(set.diagnostics.isEmpty, "\(set.diagnostics)")
      let layer = RouteLayer(owner: owner, table: set.table)
      Self.layers.withLock { $0[key] = layer }
      return layer
    }
    let programs = ProgramSearch(path: desktop.environment["PATH"])
    let resolver = ApplicationResolver(
      directories: BaseDirectories(environment: desktop.environment), programs: programs)
    broker = Broker(
      layers: [try layer(.administrator, administrator), try layer(.user, user)], resolver: resolver,
      programs: programs)
  }

  /// Returns the scope of an answer to a route of the user about a host.
  static func scope(of route: String, host: String) -> GrantScope {
    GrantScope(
      host: host, askedBy: .route(PromptingRoute(rank: .user, name: "user/\(route)")), isSandboxed: false)
  }

  /// The outcome of a link.
  enum Outcome: Hashable {
    case opened, asked, denied, unreadable, noURL, other
  }

  /// Returns the broker's decision for the URL that it makes of `text`.
  func outcome(_ text: String, grants: [Grant] = [], from source: SourceApplication = .unknown) -> Outcome {
    guard let verdict = verdict(text, grants: grants, from: source) else { return .noURL }
    return switch verdict {
    case .refuse(.denied): .denied
    case .refuse(.unreadable): .unreadable
    case .refuse: .other
    case .ask: .asked
    default: .opened
    }
  }

  /// Returns the broker's verdict on the URL that it makes of `text`; `nil` if there is no such URL.
  func verdict(
    _ text: String, grants: [Grant] = [], from source: SourceApplication = .unknown
  ) -> Decision.Verdict? {
    decision(text, grants: grants, from: source)?.verdict
  }

  /// Returns the broker's decision on the URL that it makes of `text`; `nil` if there is no such URL.
  func decision(_ text: String, grants: [Grant] = [], from source: SourceApplication = .unknown) -> Decision?
  {
    guard let url = try? CorrectedURL(text).url else { return nil }
    var request = OpenRequest(urls: [url], source: source)
    request.answers.grants = grants
    return broker.decide(url, of: request)
  }
}
