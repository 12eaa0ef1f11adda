// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Testing

@Suite struct OpenOptionsTests {
  @Test func `The bus preserves every option`() throws {
    var options = OpenOptions()
    options.annotation = ["from": "demo"]
    options.sourceApplication = "org.example.Mail"
    options.activationToken = "token"
    options.startupID = "startup"
    options.session = ["DISPLAY": ":0", "LANG": "de_DE.UTF-8"]
    options.target = "org.example.Notes"
    options.wait = .handled
    options.timeout = .milliseconds(1500)
    options.fallback = "https://example.org/"
    options.origin = "https://example.org"
    options.hops = 3
    options.requestID = "r:1"
    options.reason = LaunchReason(rawValue: "push")
    options.payload = .data([1])
    options.desktopAction = "new"
    options.openInPlace = true
    options.launch = false
    options.plainErrors = true
    options.targetContentID = "7"
    options.others = ["x-future": true]
    #expect(options.entries["timeout"] == .uint64(1_500_000))
    #expect(options.entries.count == 20)
    #expect(try OpenOptions(options.entries) == options)
  }

  @Test func `Default values are omitted, and can be read`() throws {
    #expect(OpenOptions().entries.isEmpty)
    let options = try OpenOptions([:])
    #expect(options == OpenOptions())
    #expect(options.wait == .delivered && options.timeout == .seconds(20) && options.reason == .url)
  }

  @Test(arguments: [
    Variant.uint64(5_000_000), .uint32(5_000_000), .int32(5_000_000), .int64(5_000_000),
    .variant(.uint64(5_000_000)),
  ])
  func `The timeout may have any integer type`(value: Variant) throws {
    #expect(try OpenOptions(["timeout": value]).timeout == .seconds(5))
  }

  @Test(
    arguments: [
      ("wait", "forever", "wait: the value must be one of: accepted, delivered, handled"),
      ("wait", .uint32(1), "wait: this is of type u, but it must be a string (s)"),
      ("timeout", .uint64(0), "timeout: the value must be 1000 to 86400000000 microseconds"),
      ("timeout", .int32(-1), "timeout: the value must be 1000 to"),
      ("timeout", .uint64(.max), "timeout: the value must be 1000 to"),
      ("timeout", .double(20), "timeout: this is of type d, but it must be an integer (t)"),
      ("timeout", "20s", "timeout: this is of type s, but it must be an integer (t)"),
      ("hops", .int32(-1), "hops: the value must be 0 to 4294967295 hops"),
      ("target", "", "target: the value must be 1 to 4096 bytes without control characters"),
      ("target", "a\nb", "target: the value must be"),
      ("source-application", .boolean(true), "source-application: this is of type b"),
      ("origin", .string(String(repeating: "o", count: 4097)), "origin: the value must be"),
      ("request-id", "a/b", "request-id: the value must be"),
      ("request-id", "", "request-id: the value must be"),
      ("request-id", .string(String(repeating: "1", count: 129)), "request-id: the value must be"),
      ("plain-errors", "yes", "plain-errors: this is of type s, but it must be a boolean (b)"),
      ("open-in-place", "true", "open-in-place: this is of type s, but it must be a boolean (b)"),
      (
        "annotation", .bytes([UInt8](repeating: 0, count: 65_536)), "annotation: 65544 bytes exceed the limit"
      ),
      ("annotation", .structure([.byte(1)]), "annotation: this is of type (y)"),
      ("session", ":0", "session: this is of type s, but it must be a dictionary of strings (a{sv})"),
      (
        "session", .dictionary(["DISPLAY": .uint32(0)]),
        "session.DISPLAY: this is of type u, but it must be a string"
      ),
      ("payload", .dictionary(["a": .double(.infinity)]), "payload.a: NaN"),
      ("$data", "AAEC", "$data: the key $data is reserved for data"),
      (
        "x-future", .dictionary(["a": .array(of: "v", [.variant(.dictionary(["$data": "x"]))])]),
        "x-future: the key $data"
      ),
      ("x-future", .uint64(.max), "x-future: the integer is outside the range"),
      ("x-future", .array(of: "d", [.double(.nan)]), "x-future: NaN"),
      (
        "x-future", .dictionary(key: "d", value: "b", [.double(-.infinity): true, .double(.infinity): true]),
        "x-future: NaN"
      ),
      ("x-future", .structure([.variant(.unixFD(UnixFD(owning: -1)))]), "x-future: this is of type h"),
    ] as [(String, Variant, String)])
  func aWrongOptionIsNamed(key: String, value: Variant, sentence: String) {
    let error = #expect(throws: MessageError.self) { try OpenOptions([key: value]) }
    #expect(error?.description.hasPrefix(sentence) == true, "\(String(describing: error))")
    #expect(error.map { BusError($0).brokerError } == .invalidRequest)
  }

  @Test func `Options of later versions can be read from JSON again`() throws {
    let values: [Variant] = [
      .uint64(UInt64(Int64.max)), .int64(.min), .double(.greatestFiniteMagnitude), .bytes([1]),
      .objectPath("/a"),
      .structure(["a", .array(of: "as", [.strings([])])]),
      .dictionary(key: "y", value: "s", [.byte(1): "one", .byte(2): "two"]),
    ]
    for value in values {
      let options = try OpenOptions(["x-future": value])
      let read = try OpenOptions([String: Variant](json: JSONText.line(options.entries)))
      #expect(JSONText.line(read.entries) == JSONText.line(options.entries))
    }
  }

  @Test func `Options of later versions are passed on`() throws {
    let options = try OpenOptions(["x-future": .uint32(1), "$x": "1", "assurance": "sandbox"])
    let envelope = Envelope(requestID: "1", urls: ["a:"], others: options.others)
    #expect(envelope.others == ["x-future": .uint32(1), "$x": "1"])
  }
}
