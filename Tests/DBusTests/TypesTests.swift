// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import TestSupport
import Testing

/// A round trip of values through a real bus, which writes and reads them.
private struct RoundTrip: Sendable {
  let fixture: BusFixture

  /// Serves a method with exactly these types, and calls it.
  func pass<each Value: BusConvertible>(_ values: repeat each Value) async throws -> (repeat each Value) {
    let names = Arguments<repeat each Value>.signatures.indices.map { "a\($0)" }
    let method = BusMethod<Arguments<repeat each Value>, Arguments<repeat each Value>>(
      "Pass", of: "org.example.Pass", takes: names, returns: names)
    let limit = MessageLimit(descriptorsInVariants: true)
    try await fixture.server.export(
      BusObject(
        "/pass",
        [.method(method, within: limit) { (_, values: repeat each Value) in (repeat each values) }]))
    let object = try await fixture.object("/pass")
    return try await fixture.client.call(method, at: object, repeat each values)
  }
}

@Suite struct `Types` {
  @Test func `Every type is preserved`() async throws {
    try await BusFixture.run { fixture in
      let trip = RoundTrip(fixture: fixture)
      let numbers = try await trip.pass(
        UInt8.max, Int16.min, UInt16.max, Int32.min, UInt32.max, Int64.min, UInt64.max, -0.5, true, false)
      #expect(numbers.0 == .max && numbers.1 == .min && numbers.2 == .max && numbers.3 == .min)
      #expect(numbers.4 == .max && numbers.5 == .min && numbers.6 == .max && numbers.7 == -0.5)
      #expect(numbers.8 && !numbers.9)
      let doubles = try await trip.pass([Double.nan, .infinity, -.infinity, -0.0, .leastNonzeroMagnitude])
      #expect(doubles[0].isNaN && doubles[1...] == [.infinity, -.infinity, -0.0, .leastNonzeroMagnitude])
      let texts = try await trip.pass(
        "", "é e\u{301} 🧷\n\t\u{1}", "/a/b" as ObjectPath, "a{sv}(ii)" as Signature)
      #expect(texts.0.isEmpty && Array(texts.1.utf8) == Array("é e\u{301} 🧷\n\t\u{1}".utf8))
      #expect(texts.2 == "/a/b" && texts.3 == "a{sv}(ii)")
      let structure = try await trip.pass(BusStruct("a", BusStruct(Int32(1), [Variant.byte(2)]), UInt8(3)))
      #expect(structure.members.0 == "a" && structure.members.2 == 3)
      #expect(structure.members.1.members.0 == 1 && structure.members.1.members.1 == [.byte(2)])
      let arrays = try await trip.pass(
        [["a"], [], ["b", "c"]], [UInt8](), [String](), [Int64](), [BusStruct<String>]())
      #expect(arrays.0 == [["a"], [], ["b", "c"]])
      #expect(arrays.1.isEmpty && arrays.2.isEmpty && arrays.3.isEmpty && arrays.4.isEmpty)
    }
  }

  @Test func `Dictionaries take each basic type as their key`() async throws {
    try await BusFixture.run { fixture in
      let trip = RoundTrip(fixture: fixture)
      let integers = try await trip.pass(
        [UInt8(1): "y"], [Int16(-1): "n"], [UInt16(1): "q"], [Int32(-1): "i"], [UInt32(1): "u"],
        [Int64(-1): "x"],
        [UInt64(1): "t"])
      #expect(
        integers.0 == [1: "y"] && integers.1 == [-1: "n"] && integers.2 == [1: "q"] && integers.3 == [-1: "i"]
      )
      #expect(integers.4 == [1: "u"] && integers.5 == [-1: "x"] && integers.6 == [1: "t"])
      let others = try await trip.pass(
        [true: 1 as Int32, false: 0], [0.5: "d"], ["é": ["x": Variant.byte(1)]], ["/a" as ObjectPath: "o"],
        ["as" as Signature: "g"], [String: [String: [UInt8]]]())
      #expect(
        others.0 == [true: 1, false: 0] && others.1 == [0.5: "d"] && others.2 == ["é": ["x": .byte(1)]])
      #expect(others.3 == ["/a": "o"] && others.4 == ["as": "g"] && others.5.isEmpty)
    }
  }

  static let variants: [Variant] = [
    .byte(255), .boolean(true), .int16(-1), .uint16(1), .int32(.min), .uint32(.max), .int64(.min),
    .uint64(.max),
    .double(0.1), "", "é\n", .objectPath("/"), .signature("a{sv}"), .bytes([]), .bytes([0, 255]),
    .array(of: "s", []), .strings(["a", ""]), .array(of: "v", [.variant("x"), .variant(.byte(1))]),
    .array(of: "a{sv}", [.dictionary(["a": .byte(1)]), .dictionary([:])]),
    .array(of: "ay", [.bytes([1]), .bytes([])]),
    .array(of: "(sb)", [.structure(["a", true])]), .array(of: "as", []),
    .dictionary([:]), .dictionary(["a": "b", "n": .dictionary(["m": .variant("deep")])]),
    .dictionary(key: "u", value: "s", [.uint32(1): "one", .uint32(2): "two"]),
    .dictionary(key: "o", value: "a(y)", [.objectPath("/a"): .array(of: "(y)", [.structure([.byte(1)])])]),
    .dictionary(key: "b", value: "b", [:]), .structure(["a", .structure([.variant(.int16(1))])]),
    .variant(.variant(.variant("three deep"))),
  ]

  @Test func `Every variant is preserved`() async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      let object = try await fixture.object()
      for value in Self.variants {
        #expect(try await fixture.client.call(Thing.echo, at: object, value) == value)
      }
      let all = try await RoundTrip(fixture: fixture).pass(Self.variants)
      #expect(all == Self.variants)
    }
  }

  @Test func `A megabyte of bytes and of text`() async throws {
    try await BusFixture.run { fixture in
      let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let text = String(repeating: "ü", count: 1 << 19)
      let passed = try await RoundTrip(fixture: fixture).pass(bytes, Variant.bytes(bytes), text)
      #expect(passed.0 == bytes && passed.1 == .bytes(bytes) && passed.2 == text)
    }
  }

  @Test func `A file descriptor arrives open, also inside other values`() async throws {
    try await BusFixture.run { fixture in
      let pipe = Pipe()
      let writeEnd = try #require(UnixFD(duplicating: pipe.fileHandleForWriting.fileDescriptor))
      let passed = try await RoundTrip(fixture: fixture).pass(
        writeEnd, [Variant.unixFD(writeEnd)], ["fd": writeEnd])
      guard case .unixFD(let inside)? = passed.1.first, let named = passed.2["fd"] else {
        Issue.record("no descriptor came back")
        return
      }
      #expect(Set([writeEnd.rawValue, passed.0.rawValue, inside.rawValue, named.rawValue]).count == 4)
      for (descriptor, letter) in [(passed.0, "a"), (inside, "b"), (named, "c")] {
        #expect(fcntl(descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0)
        #expect(write(descriptor.rawValue, letter, 1) == 1)
      }
      #expect(pipe.fileHandleForReading.readData(ofLength: 3) == Data("abc".utf8))
    }
  }

  @Test func `A descriptor that is closed is an error, not a trap`() async throws {
    try await BusFixture.run { fixture in
      let trip = RoundTrip(fixture: fixture)
      await #expect(throws: BusError.self) { try await trip.pass(UnixFD(owning: -1)) }
    }
  }

  static let unwritable: [Variant] = [
    "a\0b", .objectPath(ObjectPath(unchecked: "no path")), .signature(Signature(unchecked: "zz")),
    .structure([]),
    .array(of: "s", [.int32(1)]), .array(of: "", []), .array(of: Signature(unchecked: "ss"), []),
    .dictionary(key: "v", value: "s", [:]), .dictionary(key: "s", value: "s", [.int32(1): "x"]),
    .dictionary(["a\0": "b"]), .array(of: Signature(unchecked: "é"), []),
    .objectPath(ObjectPath(unchecked: "/\0")),
  ]

  @Test func `Values that D-Bus cannot carry are InvalidArgs, and the connection stays usable`() async throws
  {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      let object = try await fixture.object()
      for value in Self.unwritable {
        let error = await #expect(throws: BusError.self, "\(value)") {
          try await fixture.client.call(Thing.echo, at: object, value)
        }
        #expect(error?.name == .invalidArgs, "\(value): \(error?.description ?? "")")
        #expect(error?.attempt == "org.example.Thing.Echo on \(object)")
      }
      #expect(try await fixture.client.call(Thing.echo, at: object, "still there") == "still there")
    }
  }
}
