// SPDX-License-Identifier: Apache-2.0
import Foundation
import Freedesktop
import RouteFiles
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// A comparison of the broker with the written rules, on random policies.
///
/// `USHER_POLICIES=10000 scripts/test --filter PolicySemantics` compares more of them, and `USHER_POLICIES=4572-4573` one of them.
@Suite(.computes) struct PolicySemanticsTests {
  /// The application that some callers name.
  private static let target = "org.example.Target"
  private let resolver: ApplicationResolver
  private let programs: ProgramSearch
  private let desktop: ThrowAwayDesktop

  init() throws {
    desktop = try ThrowAwayDesktop()
    try desktop.installScript("viewer", "#!/bin/sh\n")
    for id in ["org.example.Viewer", "org.example.Other", Self.target] {
      try desktop.installDesktopEntry(id, exec: "viewer %u", schemes: ["notes", "memo", "zork"])
    }
    let viewer = ["org.example.Viewer"]
    try desktop.setDefaults(["notes": viewer, "memo": viewer, "zork": viewer])
    programs = ProgramSearch(path: desktop.environment["PATH"])
    resolver = ApplicationResolver(
      directories: BaseDirectories(environment: desktop.environment), programs: programs)
  }

  private func broker(_ policy: RandomPolicy) throws -> Broker {
    func write(_ layers: Set<RandomPolicy.Layer>, of owner: RouteLayer.Owner, to directory: String) throws
      -> String
    {
      try desktop.write(
        "format = 1\nowner = \"\(owner)\"\n" + policy.file(of: layers), to: "\(directory)/routes/rules.toml")
      return "\(desktop.root)/\(directory)/routes"
    }
    func layer(_ owner: RouteLayer.Owner, _ paths: [String], system: String = "") -> RouteLayer {
      let directories = RouteDirectory.layer(
        paths, rank: owner.rank(isFinal: false), system: system, isWritableByRootOnly: { _ in true })
      let files = RouteFileSet(loading: directories)
      return RouteLayer(owner: owner, table: files.table, gaps: files.gaps)
    }
    let foreign = try write([.foreign], of: .administrator, to: "foreign")
    let system = try write([.final, .administrator], of: .administrator, to: "system")
    let user = try write([.user], of: .user, to: "user")
    return Broker(
      layers: [layer(.administrator, [foreign, system], system: system), layer(.user, [user])],
      resolver: resolver, programs: programs)
  }

  private func outcome(of request: RandomPolicy.Request, by broker: Broker) throws -> RandomPolicy.Outcome? {
    let url = try URLString(request.url)
    let source = request.source.flatMap { ApplicationID(rawValue: $0) }.map { SourceApplication($0, .unit) }
    let target = request.target.flatMap { ApplicationID(rawValue: $0) }
    let asked = OpenRequest(urls: [url], source: source ?? .unknown, target: target)
    return switch broker.decide(url, of: asked).verdict {
    case .deliver(let application): .opened(by: application.id.rawValue)
    case .ask: .asked
    case .refuse(.denied): .denied
    default: nil
    }
  }

  @Test func `The broker decides as the documented rules`() throws {
    try compareAll(rewrites: false)
  }

  @Test func `The broker decides as the documented rules if callers name targets and rules replace links`()
    throws
  {
    try compareAll(rewrites: true)
  }

  /// An exception preceded a final denial that it did not name, and a route of another directory a question of the administrator's own.
  @Test(arguments: [1325, 4572] as [UInt64]) func `Earlier differences from the rules are corrected`(
    seed: UInt64
  ) throws {
    #expect(try compare(seed) != nil)
  }

  /// Compares the outcomes of many policies until one differs.
  private func compareAll(rewrites: Bool) throws {
    let wanted = ProcessInfo.processInfo.environment["USHER_POLICIES"] ?? ""
    let numbers = wanted.split(separator: "-").compactMap { UInt64($0) }
    let last = numbers.last ?? 400
    let seeds = numbers.count > 1 ? min(numbers[0], last)..<last : 0..<last
    var compared = 0
    for seed in seeds {
      guard let count = try compare(seed, rewrites: rewrites) else { return }
      compared += count
    }
    // The rules define the order of the matching routes for nearly all requests. Each rewrite leads to the same URL.
    let requests = seeds.count * RandomPolicy.requests.count
    #expect(compared > (rewrites ? 2 * requests * 95 : requests * 99) / 100)
  }

  /// Compares the outcomes of one policy; returns the number of requests whose outcome the rules define, or `nil` after a difference.
  ///
  /// - Parameter rewrites: Whether rules replace links. Each link is then decided with and without a target, too.
  private func compare(_ seed: UInt64, rewrites: Bool = false) throws -> Int? {
    var random = SeededGenerator(seed: seed)
    let policy = RandomPolicy(&random, rewrites: rewrites)
    let targets: [String?] = rewrites ? [nil, Self.target] : [nil]
    let outcomes = targets.flatMap { Array(policy.outcomes(target: $0)) }
    let broker = try broker(policy)
    for (request, expected) in outcomes {
      let decided = try outcome(of: request, by: broker)
      #expect(
        decided == expected,
        "\(request.url) of \(request.source ?? "-") to \(request.target ?? "-") by the policy \(seed):\n\(policy.file(of: Set(RandomPolicy.Layer.allCases)))"
      )
      guard decided == expected else { return nil }
    }
    return outcomes.count
  }
}
