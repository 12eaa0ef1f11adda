// SPDX-License-Identifier: Apache-2.0
import DBus
import TestSupport
import Testing

/// Tests of the limit that a server sets for a list of strings.
@Suite struct `A limited list of strings` {
  private static let interface: InterfaceName = "org.example.Lists"
  private static let count = BusMethod<Arguments<[String], String>, Arguments<UInt32>>(
    "Count", of: interface, takes: ["list", "other"], returns: ["count"])
  private static let error = BusError("org.example.Error.TooLong", "three strings of six bytes at most")

  private static func with(_ body: @escaping @Sendable (BusFixture, RemoteObject) async throws -> Void)
    async throws
  {
    try await BusFixture.run { fixture in
      let limit = StringListLimit(count: 3, bytes: 6, error: error)
      try await fixture.server.export(
        BusObject("/org/example/Lists", [.method(count, limit: limit) { _, list, _ in UInt32(list.count) }]))
      try await body(fixture, try await fixture.object("/org/example/Lists"))
    }
  }

  @Test(arguments: [[], ["abcdef"], ["a", "b", "c"], ["ab", "cd", "ef"], ["", "", ""]])
  func `is served up to the limit`(list: [String]) async throws {
    try await Self.with { fixture, object in
      let served = try await fixture.client.call(Self.count, at: object, list, "x")
      #expect(served == UInt32(list.count))
    }
  }

  @Test(arguments: [["a", "b", "c", "d"], ["", "", "", ""], ["abcdefg"], ["abc", "def", "g"]])
  func `is refused beyond it, with the server's error`(list: [String]) async throws {
    try await Self.with { fixture, object in
      let error = await #expect(throws: BusError.self) {
        try await fixture.client.call(Self.count, at: object, list, "x")
      }
      #expect(error?.name == Self.error.name && error?.message == Self.error.message)
    }
  }

  @Test func `leaves arguments of other types to be refused as such`() async throws {
    try await Self.with { fixture, object in
      let wrong = BusMethod<Arguments<[Int32], String>, Arguments<UInt32>>(
        "Count", of: Self.interface, takes: ["list", "other"], returns: ["count"])
      let error = await #expect(throws: BusError.self) {
        try await fixture.client.call(wrong, at: object, [1, 2, 3, 4], "x")
      }
      #expect(error?.name == .invalidArgs)
      #expect(error?.message == "wrong arguments of Count: expected the D-Bus signature (ass), got (ais)")
    }
  }
}
