// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Testing

@Suite struct PropertyListJSONTests {
  private static let readable: [(String, PropertyList)] = [
    ("1", 1), ("1.0", .real(1)), ("1e2", .real(100)), ("-0", .integer(0)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)), ("true", true),
    (#""\ud83d\ude00""#, "😀"), (" [ ] ", []), (#"{"$data":""}"#, .data([])),
    (#"{"$data":"AAEC"}"#, .data([0, 1, 2])),
    (#"{"d":{"$data":"/+8="}}"#, ["d": .data([0xFF, 0xEF])]), (#"{"$data":"AA=="}"#, .data([0])),
  ]

  @Test(arguments: readable)
  func `JSON written by a user is parsed`(text: String, value: PropertyList) throws {
    #expect(try PropertyList(json: text) == value)
  }

  @Test func `Keys are sorted`() {
    let value: PropertyList = ["b": 1, "a": [1.0, 2], "c": .data([0, 1, 2])]
    #expect(value.json == #"{"a":[1.0,2],"b":1,"c":{"$data":"AAEC"}}"#)
  }

  @Test(arguments: [
    ("9223372036854775808", "outside the range of a signed 64-bit integer"),
    ("1e400", "NaN, infinity and numbers beyond the range"),
    (#""\u0000""#, "must not contain U+0000"), (#"{"a\u0000":1}"#, "must not contain U+0000"),
    (#""\ud800""#, "is not Unicode"), (#""\udc00x""#, "is not Unicode"),
    (#"{"a":1,"a":2}"#, "twice"), ("{\"\u{E9}\":1,\"e\u{301}\":2}", "twice"),
    ("", "there is no text"), ("NaN", "invalid JSON"), ("{'a':1}", "invalid JSON"), ("[1,]", "invalid JSON"),
    ("1 2", "invalid JSON"), ("[1", "invalid JSON"), ("\"a\u{1}\"", "invalid JSON"), ("\0", "invalid JSON"),
    ("null", "null is not allowed"), (#"{"a":[null]}"#, "a[0]: null is not allowed"),
    (#"{"$data":"AAEC","x":1}"#, "BASE64"), (#"{"$data":1}"#, "BASE64"), (#"{"$data":"A"}"#, "BASE64"),
    (#"{"$data":"AB=="}"#, "BASE64"), (#"{"$data":"A==="}"#, "BASE64"), (#"{"$data":"===="}"#, "BASE64"),
    (#"{"$data":"AA==AAAA"}"#, "BASE64"), (#"{"$data":"AA\n=="}"#, "BASE64"),
    (#"{"$data":"AA-_"}"#, "BASE64"),
  ])
  func everyMistakeIsNamed(text: String, sentence: String) {
    let error = #expect(throws: MessageError.self) { try PropertyList(json: text) }
    #expect(error?.description.contains(sentence) == true, "\(String(describing: error))")
  }

  @Test func `The message has line and column`() throws {
    let error = #expect(throws: MessageError.self) {
      try PropertyList(json: "{\n  \"a\": 1,\n  \"b\" 2\n}", at: "annotation")
    }
    #expect(error?.position == .init(line: 3, column: 7))
    #expect(error?.description == "annotation, line 3, column 7: invalid JSON: ':' expected near '2'")
  }

  @Test func `Errors in JSON have the path of the value`() throws {
    let error = #expect(throws: MessageError.self) {
      try PropertyList(json: #"{"items":[0,{"k":null}]}"#, at: "annotation")
    }
    #expect(error?.path == "annotation.items[1].k")
  }

  @Test func `A line contains no control characters for terminals`() {
    #expect(JSONText.line("\u{1B}[31m\u{9B}x\n\u{7F}") == #""\u001b[31m\u009bx\n\u007f""#)
  }

  @Test func `Every bus value can be printed as a line`() {
    let entries: [String: Variant] = [
      "t": .uint64(.max), "d": .double(.nan), "s": .structure([.byte(1), "x"]), "o": .objectPath("/a"),
      "i": .dictionary(key: "u", value: "s", [.uint32(2): "b", .uint32(1): "a"]),
    ]
    #expect(
      JSONText.line(entries)
        == #"{"d":null,"i":{"1":"a","2":"b"},"o":"/a","s":[1,"x"],"t":18446744073709551615}"#)
  }
}
