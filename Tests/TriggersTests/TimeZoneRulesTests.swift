// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
@testable import Triggers

@Suite struct `Time zones` {
  @Test func `are rejected or read if their files are damaged, and never trap`() throws {
    var random = SeededGenerator(seed: 11)
    let bytes = Array(try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin")))
    for _ in 0..<2_000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      damaged.removeLast(Int.random(in: 0...3, using: &random))
      guard let rules = TimeZoneRules(damaged) else { continue }
      _ = CalendarComponents(hour: 2, minute: 30).next(after: 1_774_000_000, in: rules)
    }
  }
}
