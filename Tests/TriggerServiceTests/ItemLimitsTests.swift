// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Testing
@testable import TriggerService

/// The maximum numbers of items, and the errors that name them.
@Suite struct `The limits of items` {
  private static let limits = ItemLimits(
    ofApplication: 2, total: 3, own: { "has \($0) downloads" }, all: { "\($0) downloads are stored" },
    remedy: "cancel")

  @Test func `name the number that has reached the limit`() throws {
    try Self.limits.requireSpace(for: "org.example.A", own: 1, all: 2)
    #expect(
      throws: BusError(
        .tooMany, "org.example.A has 2 downloads, which is the limit; cancel some of them first")
    ) {
      try Self.limits.requireSpace(for: "org.example.A", own: 2, all: 2)
    }
    #expect(throws: BusError(.tooMany, "3 downloads are stored altogether, which is the limit")) {
      try Self.limits.requireSpace(for: "org.example.A", own: 1, all: 3)
    }
  }

  @Test func `are those of an ID with the same bytes`() throws {
    let keys = ["a", "b"].map { MonitoredKey(application: "org.example.\u{C4}", identifier: $0) }
    try Self.limits.requireSpace(for: "org.example.A\u{308}", among: keys)
    #expect(throws: BusError.self) {
      try Self.limits.requireSpace(for: "org.example.\u{C4}", among: keys)
    }
  }
}
