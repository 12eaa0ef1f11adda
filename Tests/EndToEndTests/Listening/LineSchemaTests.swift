// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

@testable import UsherListen

/// The installed schemas for authors of programs behind `usher listen`, and of plain programs.
@Suite struct `The schemas of envelopes and replies` {
  private let envelopes = JSONSchema("envelope")
  private let replies = JSONSchema("reply")

  @Test func `Envelopes with all keys and with the minimum are valid`()
    async throws
  {
    var full = Envelope(
      requestID: RequestID.random(), urls: ["notes:a", "notes:b"], others: ["x-mine": .int64(1)])
    full.callerRequestID = RequestID.random()
    full.application = "org.example.Notes"
    full.sourceApplication = "org.example.Mail"
    full.assurance = .unit
    full.isSandboxed = true
    full.remote = "build.example.org"
    full.userActivation = .clicked
    full.annotation = ["a": [1, 2.5, true, "x"], "b": .data([0, 255])]
    full.origin = "https://example.org"
    full.activationToken = "token"
    full.startupID = "sequence"
    full.reason = .userActivity
    full.payload = ["type": "t"]
    full.delivery = .launch
    full.hops = 3
    full.via = "org.freedesktop.portal.Desktop"
    full.desktopAction = "new-note"
    full.openInPlace = false
    full.targetContentID = "note-7"
    full.isRedelivered = true
    full.isRepeated = true
    var least = Envelope(requestID: "1", urls: [])
    least.reason = .activate
    let lines = [full.json, Envelope(requestID: "1", urls: ["a:b"]).json, least.json]
    #expect(try await envelopes.diagnostics(about: lines) == [])
    // A new key must be added to the schema, too.
    let text = try BuiltProducts.template("desktop/schemas/envelope.schema.json")
    let schema = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let known = schema?["properties"] as? [String: Any] ?? [:]
    let keys = Set(full.entries.keys.filter { $0 != "x-mine" })
    #expect(keys == Set(known.keys))
  }

  /// docs/listening.md states the length, and an `asyncio` program that relies on it fails on a longer line.
  @Test func `The longest line of a request has at most 9 MiB`() throws {
    let url = "notes:" + String(repeating: "\"", count: (1 << 20) - 6)
    let text = String(repeating: "\\", count: 4_096)
    let value = PropertyList.string(String(repeating: "\u{1}", count: 65_536))
    var envelope = Envelope(requestID: RequestID.random(), urls: Array(repeating: url, count: 4))
    envelope.callerRequestID = RequestID.random()
    (envelope.annotation, envelope.payload) = (value, value)
    (envelope.application, envelope.sourceApplication, envelope.origin) = (text, text, text)
    (envelope.activationToken, envelope.startupID, envelope.via) = (text, text, text)
    (envelope.desktopAction, envelope.targetContentID) = (text, text)
    envelope.reason = LaunchReason(rawValue: text)
    let length = envelope.json.utf8.count
    #expect(length > 8 << 20 && length <= 9 << 20, "\(length)")
    let guide = try BuiltProducts.template("docs/listening.md")
    #expect(guide.contains("has at most 9 MiB"))
  }

  @Test func `Invalid envelopes do not match the schema`() async throws {
    let lines = [
      #"{"urls":["a:b"]}"#, #"{"request-id":"1"}"#, #"{"request-id":"1","reason":"url"}"#,
      #"{"request-id":"1","urls":[]}"#, #"{"request-id":"-","urls":["a:b"]}"#,
      #"{"request-id":"1","urls":["a:b"],"assurance":"surely"}"#,
      #"{"request-id":"1","urls":["a:b"],"origin":""}"#,
      #"{"request-id":"1","urls":["a:b"],"annotation":null}"#,
    ]
    let diagnostics = try await envelopes.diagnostics(about: lines)
    #expect(
      Set(diagnostics.compactMap { $0.split(separator: ":").first }).count == lines.count, "\(diagnostics)")
  }

  @Test func `A line is a reply exactly if it matches the schema`() async throws {
    let good = [
      #"{"handled":true}"#, #"{"handled":false}"#, #"{"handled":true,"value":{"note":[7,{"$data":"AA=="}]}}"#,
      #"{"error":"locked"}"#, #"{"error":"locked","handled":false}"#, #"{"handled":true,"request-id":"1"}"#,
      #"{"handled":true,"mine":1}"#, #"{"handled":true,"value":null}"#, #"{"progress":{}}"#,
      #"{"progress":{"completed":3,"total":10,"message":"counting"}}"#,
      #"{"request-id":"1","progress":{"completed":3}}"#, #"{"request-id":"1","withdrawn":true}"#,
    ]
    let bad = [
      #"{}"#, #"{"request-id":"1","withdrawn":false}"#, #"{"handled":"yes"}"#, #"{"handled":1}"#,
      #"{"value":1}"#, #"{"handled":true,"value":[null]}"#,
      #"{"error":7}"#, #"{"progress":1}"#, #"{"progress":{"completed":-1}}"#, #"{"progress":{"message":""}}"#,
    ]
    #expect(try await replies.diagnostics(about: good) == [])
    let diagnostics = try await replies.diagnostics(about: bad)
    #expect(
      Set(diagnostics.compactMap { $0.split(separator: ":").first }).count == bad.count, "\(diagnostics)")
    for line in good { #expect(try ReplyLine(line.utf8).diagnostic == nil, "\(line)") }
    for line in bad {
      // `null` is not a value of any key, so that such a line is not read further.
      do { #expect(try ReplyLine(line.utf8).diagnostic != nil, "\(line)") } catch {
        #expect(line.contains("null"))
      }
    }
    for line in ["{", #"{"handled":true}x"#, #"{"handled":true,"request-id":7}"#] {
      #expect(throws: MessageError.self, "\(line)") { try ReplyLine(line.utf8) }
    }
  }

  /// One value that cannot be sent failed all requests of the program, with the advice to write the ID that the line had.
  @Test(arguments: [
    (#"{"request-id":"a","handled":true,"value":{"x":null}}"#, "reply a"),
    (#" {"request-id" : "a", "handled":true,"value":"\u0000"}"#, "reply a"),
    (#"{"request-id":"a","value":"\ud800","handled":true}"#, "reply a"),
    (#"{"request-id":"a","value":36893488147419103232}"#, "reply a"),
    (#"{"request-id":"a","value":NaN}"#, "reply a"), (#"{"request-id":"a","handled":tru"#, "reply a"),
    (#"{"request-id":"a","progress":{"total":null}}"#, "progress a"),
    (#"  { a: 1 }"#, "other"), ("\u{FEFF}{\"request-id\":\"a\",\"value\":null}", "reply a"),
    (#"{"handled":true,"request-id":"a","value":NaN}"#, "unattributed"),
    (#"{"request-id":"a","request-id":"b","handled":true}"#, "unattributed"), ("{ a: 1 }", "unattributed"),
    (#"{"a":{"request-id":"a"},"value":NaN}"#, "unattributed"),
  ])
  func `A line that cannot be read fails the request with whose ID it begins`(
    line: String, expected: String
  ) {
    let kind: String
    do throws(MessageError) {
      kind =
        switch try ReplyLine(line.utf8) {
        case .reply(.failure, to: let id): "reply \(id ?? "-")"
        case .progress(.failure, of: let id): "progress \(id ?? "-")"
        case .other: "other"
        case let line: "\(line)"
        }
    } catch { kind = "unattributed" }
    #expect(kind == expected)
  }

  @Test func `The input of a program behind usher listen matches the schema`() async throws {
    try await InstalledDesktop.with { desk in
      let listening = try await Listening.register(on: desk)
      var lines: [String] = []
      for arguments in [
        ["lines:value"], ["--annotation", #"{"data":{"$data":"AAEC"},"at":1.5}"#, "lines:a", "lines:b"],
        ["--reason", "activate", "--app", Listening.id],
        ["--action", "new", "--app", Listening.id],
        [
          "--source-application", "org.example.Mail", "--open-in-place", "--target-content-id", "7",
          "lines:c",
        ],
      ] {
        try await desk.run("usher", ["open", "--wait", "handled"] + arguments).orThrow()
        lines.append(try await listening.next().line["line"]?.string ?? "")
      }
      #expect(try await envelopes.diagnostics(about: lines) == [])
    }
  }
}
