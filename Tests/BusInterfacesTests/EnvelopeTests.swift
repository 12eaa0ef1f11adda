// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Testing

@Suite struct EnvelopeTests {
  private var full: Envelope {
    var envelope = Envelope(
      requestID: "r-1", urls: ["notes:b", "notes:a", "notes:a"],
      others: ["x-future": .uint32(7), "assurance": "sandbox"])
    envelope.callerRequestID = "c-1"
    envelope.application = "org.example.Notes"
    envelope.sourceApplication = "org.example.Mail"
    envelope.assurance = .unit
    envelope.isSandboxed = true
    envelope.remote = "build.example.org"
    envelope.userActivation = .clicked
    envelope.annotation = ["n": 9_007_199_254_740_993, "d": .data([1])]
    envelope.origin = "https://example.org"
    envelope.activationToken = "token"
    envelope.startupID = "startup"
    envelope.reason = LaunchReason(rawValue: "push")
    envelope.payload = [1, 2]
    envelope.delivery = .launch
    envelope.isRedelivered = true
    envelope.isRepeated = true
    envelope.hops = 2
    envelope.via = "xdg-open"
    envelope.desktopAction = "new"
    envelope.openInPlace = false
    envelope.targetContentID = "notes:7"
    return envelope
  }

  @Test func `The bus preserves every key`() throws {
    let entries = full.entries
    #expect(try Envelope(entries) == full)
    #expect(
      entries.mapValues(\.signature.rawValue) == [
        "request-id": "s", "caller-request-id": "s", "urls": "as", "application": "s",
        "source-application": "s", "assurance": "s",
        "sandboxed": "b", "remote": "s", "user-activation": "s", "annotation": "a{sv}", "origin": "s",
        "activation-token": "s", "startup-id": "s",
        "reason": "s", "payload": "av",
        "delivery": "s", "redelivered": "b", "repeated": "b", "hops": "u", "via": "s", "desktop-action": "s",
        "open-in-place": "b",
        "target-content-id": "s", "x-future": "u",
      ])
  }

  @Test func `JSON preserves every known key`() throws {
    let read = try Envelope(json: full.json)
    #expect(read.others == ["x-future": .int64(7)])
    #expect(read.json == full.json)
    #expect(!full.json.contains("\n"))
  }

  @Test func `Absent values stay absent`() throws {
    let envelope = Envelope(requestID: "1", urls: ["notes:"])
    #expect(envelope.entries == ["request-id": "1", "urls": .strings(["notes:"])])
    #expect(try Envelope(envelope.entries) == envelope)
    #expect(envelope.json == #"{"request-id":"1","urls":["notes:"]}"#)
  }

  @Test func `An unknown user activation is ignored`() throws {
    let entries: [String: Variant] = [
      "request-id": "1", "urls": .strings(["a:"]), "user-activation": "swore",
    ]
    #expect(try Envelope(entries).userActivation == nil)
    #expect(throws: MessageError.self) { try Envelope(entries.merging(["sandboxed": "yes"]) { $1 }) }
  }

  @Test func `Unknown keys never replace known keys`() {
    let envelope = Envelope(
      requestID: "1", urls: ["notes:"],
      others: [
        "assurance": "sandbox", "source-application": "x", "urls": "y", "user-activation": "allowed",
        "z": "z",
      ])
    #expect(envelope.others == ["z": "z"])
    #expect(envelope.entries["assurance"] == nil && envelope.entries["user-activation"] == nil)
  }

  @Test func `An assurance of a later version is trusted less`() throws {
    let envelope = try Envelope(["request-id": "1", "urls": .strings(["a:"]), "assurance": "certain"])
    #expect(envelope.assurance == .unknown)
  }

  @Test(
    arguments: [
      ([:], "request-id: the key is missing"),
      (["request-id": "1"], "urls: the key is missing"),
      (["request-id": "1", "urls": .strings([])], "urls: the key is missing"),
      (["request-id": "../1", "urls": .strings(["a:"])], "request-id: the value must be 1 to 128 letters"),
      (
        ["request-id": "1", "urls": "a:"], "urls: this is of type s, but it must be an array of strings (as)"
      ),
      (
        ["request-id": "1", "urls": .array(of: "v", [.variant("a:"), .variant(true)])],
        "urls[1]: this is of type b"
      ),
      (["request-id": "1", "urls": .strings(["a:"]), "via": ""], "via: the value must be 1 to 4096 bytes"),
      (
        ["request-id": "1", "urls": .strings(["a:"]), "delivery": "later"],
        "delivery: the value must be one of: running, launch"
      ),
      (["request-id": "1", "urls": .strings(["a:"]), "annotation": .double(.nan)], "annotation: NaN"),
    ] as [([String: Variant], String)])
  func whatIsNoEnvelopeIsNamed(entries: [String: Variant], sentence: String) {
    let error = #expect(throws: MessageError.self) { try Envelope(entries) }
    #expect(error?.description.hasPrefix(sentence) == true, "\(String(describing: error))")
  }

  @Test func `Targets of the standard interface get the envelope as platform data`() throws {
    let data = full.platformData
    #expect(data["activation-token"] == "token")
    #expect(data["desktop-startup-id"] == "startup")
    #expect(data["org.usher.source-application"] == "org.example.Mail")
    #expect(data["org.usher.urls"] == nil)
    #expect(data["org.usher.activation-token"] == nil)
    #expect(try Envelope(urls: full.urls, platformDataFromBroker: data) == full)
  }

  @Test func `Platform data of other callers has no keys of Usher`() {
    var data = full.platformData
    data["x"] = "y"
    let envelope = Envelope(requestID: "own", urls: ["a:"], unverifiedPlatformData: data)
    #expect(
      envelope.entries == [
        "request-id": "own", "urls": .strings(["a:"]), "activation-token": "token", "x": "y",
      ])
  }
}
