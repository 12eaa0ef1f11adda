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
/// `USHER_POLICIES=10000 scripts/test --filter PolicySemantics` compares more of them.
@Suite struct PolicySemanticsTests {
  private let resolver: ApplicationResolver
  private let programs: ProgramSearch
  private let desktop: ThrowAwayDesktop

  init() throws {
    desktop = try ThrowAwayDesktop()
    try desktop.installScript("viewer", "#!/bin/sh\n")
    for id in ["org.example.Viewer", "org.example.Other"] {
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
    return switch broker.decide(url, of: OpenRequest(urls: [url], source: source ?? .unknown)).verdict {
    case .deliver(let application): .opened(by: application.id.rawValue)
    case .ask: .asked
    case .refuse(.denied): .denied
    default: nil
    }
  }

  @Test func `The broker decides as the documented rules`() throws {
    let count = ProcessInfo.processInfo.environment["USHER_POLICIES"].flatMap { Int($0) } ?? 400
    var compared = 0
    for seed in 0..<UInt64(count) {
      var random = SeededGenerator(seed: seed)
      let policy = RandomPolicy(&random)
      let outcomes = policy.outcomes()
      compared += outcomes.count
      let broker = try broker(policy)
      for (request, expected) in outcomes {
        let decided = try outcome(of: request, by: broker)
        #expect(
          decided == expected,
          "\(request.url) of \(request.source ?? "-") by the policy \(seed):\n\(policy.file(of: Set(RandomPolicy.Layer.allCases)))"
        )
        guard decided == expected else { return }
      }
    }
    // The rules define the order of the matching routes for nearly all requests.
    #expect(compared > count * RandomPolicy.requests.count * 99 / 100)
  }
}
