// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Testing

@Suite struct PropertyListTests {
  static let whole: PropertyList = [
    "text": "a\u{301}\n\"\\/\u{7F}\u{85}😀", "large": 9_007_199_254_740_993, "least": .integer(.min),
    "most": .integer(.max), "real": 1.0, "tenth": 0.1, "tiny": .real(.leastNonzeroMagnitude),
    "huge": .real(.greatestFiniteMagnitude),
    "zero": .real(-0.0), "yes": true, "no": false, "data": .data([0, 1, 255]), "none": .data([]),
    "list": [1, "two", 3.5, [], [:]], "": "empty key", "nested": ["a": ["b": ["c": .data([7])]]],
  ]

  @Test func `The bus preserves every type`() throws {
    #expect(try PropertyList(Self.whole.variant) == Self.whole)
    #expect(Self.whole["list"]?.variant.signature == "av")
    #expect(Self.whole.variant.signature == "a{sv}")
    #expect(PropertyList.data([1]).variant == .bytes([1]))
  }

  @Test func `JSON preserves every type`() throws {
    #expect(try PropertyList(json: Self.whole.json) == Self.whole)
    #expect(PropertyList.real(-0.0).json == "-0.0")
  }

  @Test func `A date is parsed from its text`() throws {
    let moment = try #require(DateTime("2026-11-21T14:00:00.25+01:00"))
    let date = PropertyList.date(moment)
    #expect(date.variant == "2026-11-21T14:00:00.25+01:00")
    #expect(try PropertyList(date.variant) == .string(moment.text))
    #expect(try PropertyList(json: date.json).dateTime == moment)
    #expect(date.string == moment.text)
  }

  private static let readable: [(Variant, PropertyList)] = [
    (.byte(7), 7), (.int16(-7), -7), (.uint16(7), 7), (.int32(-7), -7),
    (.uint32(7), 7), (.uint64(7), 7), (.strings(["a", "b"]), ["a", "b"]),
    (.array(of: "u", [.uint32(1)]), [1]), (.array(of: "ay", [.bytes([1])]), [.data([1])]),
    (.array(of: "a{sv}", [.dictionary(["k": true])]), [["k": true]]),
    (.variant(.variant("x")), "x"), (.objectPath("/a"), "/a"), (.signature("as"), "as"),
    (.dictionary(key: "s", value: "u", ["k": .uint32(1)]), ["k": 1]),
  ]

  @Test(arguments: readable)
  func `Other types of the bus are decoded`(variant: Variant, value: PropertyList) throws {
    #expect(try PropertyList(variant) == value)
  }

  @Test(arguments: [
    (Variant.uint64(.max), MessageError.Reason.integerOutOfRange, ""), (.double(.nan), .notFinite, ""),
    (.array(of: "v", [.variant(.double(.infinity))]), .notFinite, "[0]"),
    (
      .dictionary(["a": .dictionary(["b": .array(of: "t", [.uint64(1), .uint64(.max)])])]),
      .integerOutOfRange, "a.b[1]"
    ),
    (.dictionary(["$data": "AAEC"]), .reservedKey, ""),
    (.dictionary(["k": .dictionary(["$data": "x"])]), .reservedKey, "k"),
    ("a\0b", .nulCharacter, ""),
  ])
  func `An error names the value that a property list cannot hold`(
    variant: Variant, reason: MessageError.Reason, path: String
  ) {
    #expect(throws: MessageError(reason, at: path)) { try PropertyList(variant) }
  }

  @Test(arguments: [
    Variant.structure([.byte(1)]), .dictionary(key: "u", value: "v", [:]),
  ])
  func `Structures and dictionaries with unusual keys are not property lists`(variant: Variant) throws {
    let error = #expect(throws: MessageError.self) { try PropertyList(variant, at: "annotation") }
    #expect(error?.description.hasPrefix("annotation: this is of type ") == true)
  }
}

@Suite struct PropertyListLimitTests {
  private func nested(_ depth: Int) -> PropertyList {
    (0..<depth).reduce("leaf") { inner, level in level.isMultiple(of: 2) ? [inner] : ["k": inner] }
  }

  @Test func `Rule 7: sixteen levels are the limit`() throws {
    let deepest = nested(PropertyList.maximumDepth)
    #expect(try PropertyList(deepest.variant) == deepest)
    #expect(try PropertyList(json: deepest.json) == deepest)
    let tooDeep = nested(PropertyList.maximumDepth + 1)
    for read in [{ try PropertyList(tooDeep.variant) }, { try PropertyList(json: tooDeep.json) }] {
      let error = #expect(throws: MessageError.self) { try read() }
      #expect(error?.reason == .tooDeep(limit: 16))
    }
  }

  @Test func `Endless nesting in JSON is rejected without an overflow`() {
    for text in [String(repeating: "[", count: 1_000_000), String(repeating: #"{"a":"#, count: 100_000)] {
      let error = #expect(throws: MessageError.self) { try PropertyList(json: text) }
      #expect(error?.reason == .tooDeep(limit: 64))
    }
  }

  @Test func `Rule 7: sixty-four kibibytes are the limit`() throws {
    // The size as a variant: a signature of four bytes, a length of four, and the bytes.
    let most = PropertyList.data(.init(repeating: 7, count: 65_536 - 8))
    #expect(most.encodedSize == PropertyList.maximumSize)
    #expect(try PropertyList(json: most.json) == most)
    let tooMuch = PropertyList.data(.init(repeating: 7, count: 65_536 - 7))
    #expect(throws: MessageError(.tooLarge(bytes: 65_537, limit: 65_536), at: "annotation")) {
      try PropertyList(tooMuch.variant, at: "annotation")
    }
  }
}
