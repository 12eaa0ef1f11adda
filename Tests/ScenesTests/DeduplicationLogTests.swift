// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Scenes

@Suite struct `The journal of an application` {
  @Test func `that has the earliest possible time has expired`() throws {
    let directory = try TemporaryDirectory.inMemory()
    let path = try directory.write(
      "1 {\"handled\":true}\n", to: "usher/org.example.App.requests", permissions: 0o600)
    try TemporaryDirectory.setEarliestTime(of: path)
    let journal = try #require(try DeduplicationLog(of: "org.example.App", in: directory.path))
    #expect(journal.isExpired)
  }
}
