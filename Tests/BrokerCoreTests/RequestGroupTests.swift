// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables
import Synchronization
import TestSupport
import Testing

@testable import BrokerCore

/// Tests of a request of several URLs, split by target.
@Suite struct `The groups of a request` {
  private let desktop: ThrowAwayDesktop

  init() throws {
    desktop = try ThrowAwayDesktop()
    try desktop.installScript("notes", "#!/bin/sh\n")
    try desktop.installDesktopEntry("org.example.Notes", exec: "notes %u")
    try desktop.installDesktopEntry("org.example.Mail", exec: "notes %u")
    try desktop.setDefaults(["note": ["org.example.Notes"], "post": ["org.example.Mail"]])
  }

  private func broker() throws -> Broker {
    let programs = ProgramSearch(path: desktop.environment["PATH"])
    let resolver = ApplicationResolver(
      directories: BaseDirectories(environment: desktop.environment), programs: programs)
    return Broker(layers: [], resolver: resolver, programs: programs)
  }

  private static func request(_ texts: [String]) throws -> OpenRequest {
    OpenRequest(urls: try texts.map { try URLString($0) })
  }

  @Test func `are one for each application and one for each URL that no application opens`() throws {
    let texts = ["note:1", "nobody:1", "post:1", "note:2", "nobody:2", "post:2", "note:3"]
    let groups = try broker().groups(of: try Self.request(texts))
    #expect(
      groups.map(\.texts) == [
        ["note:1", "note:2", "note:3"], ["nobody:1"], ["post:1", "post:2"], ["nobody:2"],
      ])
    #expect(groups.map(\.application) == ["org.example.Notes", nil, "org.example.Mail", nil])
  }

  @Test(arguments: [(0, 1), (1, 1), (8, 1), (9, 2), (64, 8), (65, 9)])
  func `are equal if eight URLs are decided at a time`(
    count: Int, turns: Int
  ) async throws {
    let texts = (0..<count).map { ["note:\($0)", "post:\($0)", "nobody:\($0)"][$0 % 3] }
    let (broker, request) = (try self.broker(), try Self.request(texts))
    let taken = Mutex(0)
    let groups = await broker.groups(of: request, urlsPerTurn: 8) { turn in
      taken.withLock { $0 += 1 }
      return turn()
    }
    #expect(groups == broker.groups(of: request))
    #expect(taken.withLock { $0 } == turns)
  }
}
