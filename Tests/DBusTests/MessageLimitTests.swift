// SPDX-License-Identifier: Apache-2.0
import DBus
import TestSupport
import Testing

/// Tests of the limits for the content of messages.
@Suite struct `A limited message` {
  private static let interface: InterfaceName = "org.example.Limits"
  private static let count = BusMethod<Arguments<[Variant]>, Arguments<UInt32>>(
    "Count", of: interface, takes: ["values"], returns: ["count"])
  private static let many = 70_000

  /// Serves ``count`` with a limit.
  private static func with(
    _ limit: MessageLimit, _ body: @escaping @Sendable (BusFixture, RemoteObject) async throws -> Void
  ) async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(
        BusObject(
          "/org/example/Limits",
          [.method(count, within: limit) { _, values in UInt32(values.count) }]))
      try await body(fixture, try await fixture.object("/org/example/Limits"))
    }
  }

  /// The array counts as a value, and so does each element and its variant.
  private static let within: [[Variant]] = [
    [], [.byte(1), .byte(2), .byte(3), .byte(4)], ["abcdefgh"], ["abcd", .bytes([1, 2, 3, 4])],
  ]

  private static let beyond: [[Variant]] = [
    [.byte(1), .byte(2), .byte(3), .byte(4), .byte(5)], ["abcdefghi"], ["abcd", .bytes([1, 2, 3, 4, 5])],
    [.array(of: "as", Array(repeating: .strings([]), count: 8))],
    [(1...8).reduce(true) { value, _ in .variant(value) }],
  ]

  @Test func `is served up to the limit`() async throws {
    try await Self.with(MessageLimit(values: 9, bytes: 8)) { fixture, object in
      for values in Self.within {
        let served = try await fixture.client.call(Self.count, at: object, values)
        #expect(served == UInt32(values.count))
      }
    }
  }

  @Test func `is refused beyond it`() async throws {
    try await Self.with(MessageLimit(values: 9, bytes: 8)) { fixture, object in
      for values in Self.beyond {
        let error = await #expect(throws: BusError.self, "\(values)") {
          try await fixture.client.call(Self.count, at: object, values)
        }
        #expect(error?.name == .limitsExceeded, "\(error?.description ?? "")")
        #expect(error?.isOfUnreadableReply == false)
      }
    }
  }

  @Test func `is each call by default, and the connection stays usable`() async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      let object = try await fixture.object()
      let flags = Variant.array(of: "b", Array(repeating: true, count: Self.many))
      let error = await #expect(throws: BusError.self) {
        try await fixture.client.call(Thing.echo, at: object, flags)
      }
      #expect(error?.name == .limitsExceeded, "\(error?.description ?? "")")
      #expect(try await fixture.client.call(Thing.echo, at: object, "small") == "small")
    }
  }

  @Test func `is a reply only if its method says so`() async throws {
    let (trusted, limited) = (Self.numbers(.unlimited), Self.numbers(.standard))
    try await BusFixture.run { fixture in
      try await fixture.server.export(
        BusObject("/org/example/Limits", [.method(trusted) { _ in Array(repeating: 7, count: Self.many) }]))
      let object = try await fixture.object("/org/example/Limits")
      #expect(try await fixture.client.call(trusted, at: object).count == Self.many)
      let error = await #expect(throws: BusError.self) { try await fixture.client.call(limited, at: object) }
      #expect(error?.name == .limitsExceeded, "\(error?.description ?? "")")
      #expect(error?.isOfUnreadableReply == true)
    }
  }

  /// An application could answer with a document of 100 MB, which was copied.
  @Test func `is the reply to Introspect`() async throws {
    let large = BusMethod<Arguments<String>, Arguments<>>(
      "Large", of: Self.interface, takes: [String(repeating: "a", count: 17 << 20)])
    try await BusFixture.run { fixture in
      try await fixture.server.export(BusObject("/org/example/Limits", [.method(large) { _, _ in }]))
      let object = try await fixture.object("/org/example/Limits")
      let error = await #expect(throws: BusError.self) {
        try await fixture.client.call(Introspectable.introspect, at: object)
      }
      #expect(error?.name == .limitsExceeded, "\(error?.description ?? "")")
      #expect(error?.isOfUnreadableReply == true)
    }
  }

  private static func numbers(_ limit: MessageLimit) -> BusMethod<Arguments<>, Arguments<[Int32]>> {
    BusMethod("Numbers", of: interface, returns: ["numbers"], replyLimit: limit)
  }

  /// A message may refer to one descriptor any number of times, and each reference would be a descriptor of the server.
  @Test func `has no descriptor in a variant by default`() async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      let object = try await fixture.object()
      let descriptor = try #require(UnixFD(duplicating: 0))
      for value in [Variant.unixFD(descriptor), .array(of: "h", [.unixFD(descriptor)])] {
        let error = await #expect(throws: BusError.self) {
          try await fixture.client.call(Thing.echo, at: object, value)
        }
        #expect(error?.name == .invalidArgs, "\(error?.description ?? "")")
        #expect(error?.message.contains("file descriptor") == true, "\(error?.description ?? "")")
      }
    }
  }
}

/// NaN is not equal to itself, so that a dictionary with many such keys would be read in quadratic time.
@Suite struct `A dictionary with NaN as its key` {
  private static let typed = BusMethod<Arguments<[Double: UInt8]>, Arguments<>>(
    "Typed", of: "org.example.Keys", takes: ["entries"])

  @Test func `is refused`() async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      try await fixture.server.export(BusObject("/keys", [.method(Self.typed) { _, _ in }]))
      let (object, keys) = (try await fixture.object(), try await fixture.object("/keys"))
      let entries: [Variant: Variant] = [.double(.nan): .byte(1)]
      let errors = [
        await #expect(throws: BusError.self) {
          try await fixture.client.call(
            Thing.echo, at: object, .dictionary(key: "d", value: "y", entries))
        },
        await #expect(throws: BusError.self) {
          try await fixture.client.call(Self.typed, at: keys, [.nan: 1])
        },
      ]
      for error in errors {
        #expect(error?.name == .invalidArgs, "\(error?.description ?? "")")
        #expect(error?.message.contains("NaN") == true, "\(error?.description ?? "")")
      }
    }
  }
}
