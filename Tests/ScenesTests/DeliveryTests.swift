// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Scenes
import TestSupport
import Testing

@Suite struct DeliveryTests {
  @Test func `The handler receives the facts that the broker sends`() async throws {
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let log = Log()
      let application = try await stage.start { request in
        log.add(
          "\(request.urlStrings) \(request.sourceApplication ?? "-") \(request.assurance) \(request.delivery)"
        )
        return .handled(request.annotation ?? "none")
      }
      var envelope = Envelope(requestID: "1", urls: ["stage:b%zz", "stage:a"])
      envelope.sourceApplication = "org.example.Mail"
      envelope.assurance = .unit
      envelope.delivery = .launch
      envelope.annotation = ["n": 9_007_199_254_740_993, "d": .data([0, 255]), "deep": [["k": 1.0]]]
      let reply = try await application.deliver(envelope, from: broker)
      #expect(reply == Reply(handled: true, value: envelope.annotation))
      #expect(try await log.next() == #"["stage:b%zz", "stage:a"] org.example.Mail unit launch"#)
      #expect(try await application.end() == .stopped)
    }
  }

  @Test func `The result of the handler is the reply`() async throws {
    struct Broken: Error, CustomStringConvertible { let description = "the note is torn" }
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let application = try await stage.start { request in
        switch request.urlString {
        case "stage:no": return .notHandled
        case "stage:broken": throw Broken()
        case "stage:nan": return .handled(.real(.nan))
        default: return .handled
        }
      }
      func reply(_ url: String) async throws -> Reply {
        try await application.deliver(Envelope(requestID: "id-\(url.utf8.count)", urls: [url]), from: broker)
      }
      #expect(try await reply("stage:yes!") == Reply(handled: true))
      #expect(try await reply("stage:no") == Reply(handled: false))
      #expect(try await reply("stage:broken") == Reply(handled: false, error: "the note is torn"))
      let unsendable = try await reply("stage:nan")
      #expect(unsendable.handled == false && unsendable.error?.contains("NaN") == true)
      try await application.end()
    }
  }

  @Test func `Only the broker may deliver and cancel`() async throws {
    try await Stage.withStage { stage in
      let (broker, stranger) = (try await stage.broker(), try await stage.connect())
      let application = try await stage.start { _ in .handled }
      let envelope = Envelope(requestID: "1", urls: ["stage:a"])
      let refused = await #expect(throws: BusError.self) {
        try await application.deliver(envelope, from: stranger)
      }
      #expect(refused?.name == .accessDenied)
      let notCancelled = await #expect(throws: BusError.self) {
        try await stranger.call(Application1Interface.cancel, at: application.object, "1")
      }
      #expect(notCancelled?.name == .accessDenied)

      // The name is transferred to the other connection.
      try await broker.releaseName(BrokerInterface.busName)
      #expect(try await stranger.requestName(BrokerInterface.busName) == .owned)
      #expect(try await application.deliver(envelope, from: stranger).handled)
      let former = await #expect(throws: BusError.self) {
        try await application.deliver(envelope, from: broker)
      }
      #expect(former?.name == .accessDenied)
      try await application.end()
    }
  }

  @Test func `A broker that starts later is recognised`() async throws {
    try await Stage.withStage { stage in
      let application = try await stage.start { _ in .handled }
      let broker = try await stage.broker()
      #expect(try await application.deliver(Envelope(requestID: "1", urls: ["a:"]), from: broker).handled)
      try await application.end()
    }
  }

  @Test func `A malformed envelope is an invalid request`() async throws {
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let application = try await stage.start { _ in .handled }
      let error = await #expect(throws: BusError.self) {
        try await broker.call(Application1Interface.deliver, at: application.object, ["urls": "a:"])
      }
      #expect(error?.brokerError == .invalidRequest)
      #expect(error?.message == "request-id: the key is missing")
      try await application.end()
    }
  }
}

@Suite struct StandardInterfaceTests {
  @Test func `Envelope keys of a caller that is not the broker are removed`() async throws {
    try await Stage.withStage { stage in
      let stranger = try await stage.connect()
      let log = Log()
      let application = try await stage.start { request in
        log.add(JSONText.line(request.envelope.entries.filter { $0.key != "request-id" }))
        return .handled
      }
      try await application.open(
        ["stage:a", "stage:b"],
        [
          "org.usher.assurance": "sandbox", "org.usher.source-application": "x",
          "desktop-startup-id": "token", "k": "v",
        ],
        from: stranger)
      #expect(
        try await log.next()
          == #"{"activation-token":"token","application":"org.example.Stage-App","assurance":"unknown","#
          + #""delivery":"running","k":"v","urls":["stage:a","stage:b"]}"#)
      try await application.end()
    }
  }

  @Test func `Envelope keys of the broker are accepted`() async throws {
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let log = Log()
      let application = try await stage.start { request in
        log.add("\(request.requestID) \(request.sourceApplication ?? "-") \(request.annotation?.json ?? "-")")
        return .handled
      }
      var envelope = Envelope(requestID: "7", urls: ["stage:a"])
      envelope.sourceApplication = "org.example.Mail"
      envelope.annotation = ["k": 1]
      try await application.open(envelope.urls, envelope.platformData, from: broker)
      #expect(try await log.next() == #"7 org.example.Mail {"k":1}"#)
      try await application.end()
    }
  }

  @Test func `Rejections and failures are errors`() async throws {
    try await Stage.withStage { stage in
      let stranger = try await stage.connect()
      let application = try await stage.start { request in
        if request.urlString == "stage:fail" { throw CancellationError() }
        return .notHandled
      }
      let refused = await #expect(throws: BusError.self) {
        try await application.open(["stage:a"], from: stranger)
      }
      #expect(refused?.brokerError == .notHandled)
      let failed = await #expect(throws: BusError.self) {
        try await application.open(["stage:fail"], from: stranger)
      }
      #expect(failed?.brokerError == .targetFailed)
      let empty = await #expect(throws: BusError.self) { try await application.open([], from: stranger) }
      #expect(empty?.brokerError == .invalidRequest)
      try await application.end()
    }
  }

  @Test func `Activations are requests without URLs`() async throws {
    try await Stage.withStage { stage in
      let stranger = try await stage.connect()
      let log = Log()
      let application = try await stage.start { request in
        log.add(
          "\(request.reason) \(request.urlStrings) \(request.desktopAction ?? "-") \(request.payload?.json ?? "-")"
        )
        return request.desktopAction == "new" ? .handled : .notHandled
      }
      try await stranger.call(ApplicationInterface.activate, at: application.object, [:])
      #expect(try await log.next() == "activate [] - -")
      try await stranger.call(
        ApplicationInterface.activateAction, at: application.object, "new", [.strings(["a"])], [:])
      #expect(try await log.next() == #"shortcut-item [] new ["a"]"#)
      let unknown = await #expect(throws: BusError.self) {
        try await stranger.call(ApplicationInterface.activateAction, at: application.object, "old", [], [:])
      }
      #expect(unknown?.brokerError == .notHandled)
      try await application.end()
    }
  }
}
