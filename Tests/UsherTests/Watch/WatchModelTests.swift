// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Testing

@testable import UsherCommand

@Suite struct `The view of requests` {
  private func ids(_ model: WatchModel) -> [String] { model.list.requests.map(\.entry.requestID) }

  @Test func `has one row for each delivery, with its states and outcome, the newest first`() throws {
    var model = WatchSample.model()
    model.receive(WatchSample.event(1, "queued"))
    model.receive(WatchSample.event(2, "queued"))
    model.receive(WatchSample.event(1, "sent", after: 3, adding: ["delivery": "launch"]))
    model.receive(WatchSample.ended(1))
    #expect(ids(model) == ["request-2", "request-1"])
    let first = try #require(model.list.requests.last?.entry)
    #expect(first.states.map(\.state) == ["queued", "sent"] && first.states.map(\.at) == [0, 3_000])
    #expect(first.outcome == "handled" && first.duration == 12_000 && first.delivery == "launch")
    #expect(first.arrival == WatchSample.start + 1_000_000)
    #expect(model.requests.pendingCount == 1)
  }

  @Test func `joins the history with the events, in any order`() throws {
    var history = WatchSample.object(1, "ended", adding: ["outcome": "handled", "duration": .uint64(12_000)])
    history["state"] = nil
    history["states"] = .array(
      of: "a{sv}",
      [
        .dictionary(["state": "queued", "at": .uint64(0)]), .dictionary(["state": "sent", "at": .uint64(2)]),
      ])
    let past = WatchEvent.request(try #require(RequestEntry(history)))
    let events = [past, WatchSample.event(1, "sent", after: 3), WatchSample.ended(1)]
    for order in [[0, 1, 2], [1, 0, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1]] {
      var model = WatchSample.model()
      for index in order { model.receive(events[index]) }
      let requests = model.list.requests
      #expect(requests.count == 1 && requests[0].entry.outcome == "handled", "\(order)")
      #expect(requests[0].entry.states.map(\.state) == ["queued", "sent"], "\(order)")
      #expect(model.requests.pendingCount == 0)
    }
  }

  @Test func `tells deliveries apart by application and URL, and requests by their time`() {
    var model = WatchSample.model()
    model.receive(WatchSample.event(1, "queued"))
    model.receive(WatchSample.event(1, "queued", adding: ["application": "org.example.Other"]))
    model.receive(WatchSample.event(1, "queued", urls: ["notes:other"]))
    #expect(model.list.requests.count == 3)
    for number in [1, 9] {
      model.receive(WatchSample.event(number, "ended", urls: ["no:1"], adding: ["request-id": "same"]))
    }
    #expect(model.list.requests.count == 5)
  }

  @Test func `stores the last 1,000 requests`() {
    var model = WatchSample.model()
    for number in 0..<5_000 { model.receive(WatchSample.event(number, number % 2 == 0 ? "queued" : "ended")) }
    #expect(model.list.requests.count == 1_000 && ids(model).first == "request-4999")
    #expect(model.requests.pendingCount <= 1_100)
  }

  @Test func `keeps the newest request selected until another is selected, which then stays in its row`() {
    var model = WatchSample.model(rows: 10)
    for number in 0..<20 { model.receive(WatchSample.ended(number)) }
    #expect(model.list.selected == 0 && model.layout.listRows == 7)
    model.press(.down)
    model.press(.character("j"))
    #expect(model.list.request?.entry.requestID == "request-17" && model.list.top == 0)
    for number in 20..<25 { model.receive(WatchSample.ended(number)) }
    #expect(model.list.request?.entry.requestID == "request-17")
    #expect(model.list.selected - model.list.top == 2 && model.list.top == 5)
    model.press(.pageDown)
    #expect(model.list.request?.entry.requestID == "request-10")
    model.press(.end)
    #expect(model.list.request?.entry.requestID == "request-0" && model.list.top == 18)
    model.press(.pageUp)
    model.press(.up)
    #expect(model.list.request?.entry.requestID == "request-8")
    model.press(.home)
    #expect(model.list.selected == 0 && model.list.top == 0)
    model.receive(WatchSample.ended(30))
    #expect(model.list.request?.entry.requestID == "request-30")
  }

  @Test func `opens the selected request, which newer ones do not replace`() {
    var model = WatchSample.model()
    model.press(.enter)
    #expect(model.page == .list)
    model.receive(WatchSample.ended(1))
    model.press(.enter)
    #expect(model.page == .request && model.openedRequest?.entry.requestID == "request-1")
    model.receive(WatchSample.ended(2))
    #expect(model.openedRequest?.entry.requestID == "request-1")
    model.press(.escape)
    #expect(model.page == .list && model.list.request?.entry.requestID == "request-1")
  }

  @Test func `scrolls an opened request to its last line, and no further`() {
    var model = WatchSample.model(rows: 8, columns: 40)
    model.receive(WatchSample.ended(1))
    model.press(.enter)
    model.press(.up)
    #expect(model.scroll == 0)
    for _ in 0..<200 { model.press(.down) }
    let last = model.scroll
    #expect(last > 0)
    model.press(.end)
    #expect(model.scroll == last)
    #expect(WatchSample.lines(model).contains { $0.contains("request-1") })
    model.resize(to: ScreenSize(rows: 100, columns: 100))
    #expect(model.scroll == 0)
  }

  @Test func `is filtered by words, as they are typed`() {
    var model = WatchSample.model()
    model.receive(WatchSample.ended(1))
    model.receive(WatchSample.ended(2, "failed", error: "Denied"))
    model.receive(
      WatchSample.event(3, "ended", adding: ["application": "org.example.Maps", "outcome": "handled"]))
    func enter(_ text: String) { for character in text { model.press(.character(character)) } }
    model.press(.character("/"))
    enter("mail DENq")
    #expect(model.isTyping && !model.isFinished && ids(model) == [])
    model.press(.backspace)
    #expect(ids(model) == ["request-2"])
    model.press(.enter)
    #expect(!model.isTyping && model.filter == "mail DEN" && ids(model) == ["request-2"])
    model.press(.escape)
    #expect(model.filter.isEmpty && ids(model).count == 3)
    model.press(.character("/"))
    enter("maps")
    #expect(ids(model) == ["request-3"])
    model.press(.deleteLine)
    #expect(model.isTyping && ids(model).count == 3)
    model.press(.backspace)
    #expect(!model.isTyping)
  }

  @Test func `does not change while it is paused, and counts the events`() {
    var model = WatchSample.model()
    model.receive(WatchSample.event(1, "queued"))
    model.press(.character("p"))
    model.receive(WatchSample.ended(1))
    model.receive(WatchSample.ended(2))
    #expect(ids(model) == ["request-1"] && model.list.request?.entry.outcome == nil)
    #expect(
      model.eventsWhilePaused == 2 && WatchSample.lines(model)[0].contains("paused, 2 events since then"))
    model.press(.character("p"))
    #expect(ids(model) == ["request-2", "request-1"] && model.eventsWhilePaused == nil)
    #expect(model.list.requests.allSatisfy { $0.entry.outcome == "handled" })
  }

  @Test func `reports that the broker exited, and which outcomes are open`() {
    var model = WatchSample.model(rows: 40)
    model.receive(WatchSample.ended(1))
    model.receive(WatchSample.event(2, "sent"))
    model.receive(.lost)
    #expect(WatchSample.lines(model)[0].contains("the broker exited; waiting for the next one"))
    #expect(model.list.requests.map(\.isInterrupted) == [true, false])
    #expect(WatchSample.lines(model).contains { $0.contains("? sent") })
    #expect(WatchSample.lines(model).contains("The broker exited before it reported the outcome."))
    model.receive(.unreachable("no bus"))
    #expect(WatchSample.lines(model)[0].contains("no bus"))
    model.receive(.connected(version: "0.2.0"))
    model.receive(WatchSample.ended(2))
    #expect(model.list.requests.map(\.isInterrupted) == [false, false])
    #expect(WatchSample.lines(model)[0].contains("the broker exited; monitoring the next one"))
    model.press(.home)
    #expect(WatchSample.lines(model)[0] == "usher monitor  2 requests  usherd 0.2.0")
  }

  @Test func `reports missed lines until the history has replaced them`() {
    var model = WatchSample.model()
    model.receive(.missed(7))
    model.receive(.missed(.max))
    model.receive(.missed(-1))
    #expect(WatchSample.lines(model)[0].contains("they arrived too fast"))
    model.receive(.complete)
    #expect(model.missed == 0 && !WatchSample.lines(model)[0].contains("missed"))
  }

  @Test func `asks for the decision of the request that it shows, once`() throws {
    var model = WatchSample.model()
    model.receive(WatchSample.ended(1))
    #expect(model.wantedDecision == nil)
    model.press(.enter)
    let (id, question) = try #require(model.wantedDecision)
    #expect(question.url == "notes://note/1" && question.caller.application == "org.example.Mail")
    #expect(question.command == "usher explain --as org.example.Mail:unit notes://note/1")
    #expect(WatchSample.lines(model).contains("  …"))
    let decision = WatchedDecision([
      "steps": .strings(["a route matches"]), "message": "org.example.Other opens it",
      "application": "org.example.Other", "remedy": "usher register",
    ])
    model.receive(.decided(id, decision))
    #expect(model.wantedDecision == nil)
    let lines = WatchSample.lines(model)
    #expect(lines.contains("  1. a route matches") && lines.contains("  2. org.example.Other opens it"))
    let text = lines.joined(separator: " ").replacing(#/ +/#, with: " ")
    #expect(text.contains("Without its query and fragment, which the history does not store, the rules of"))
    #expect(text.contains("org.example.Other."))
    // A part of the path is secret.
    model.receive(WatchSample.event(2, "ended", urls: ["https://h.example/…"]))
    model.press(.escape)
    model.press(.home)
    model.press(.enter)
    #expect(model.wantedDecision == nil)
    #expect(WatchSample.lines(model).contains { $0.contains("cannot be explained") })
  }

  @Test(
    arguments: [
      ["event": "request"], ["event": "request", "request-id": "x"], [:], ["event": "other"],
      ["event": "request", "request-id": "x", "time": .int64(.min), "duration": .int64(.max)],
      ["event": "request", "request-id": "x", "time": .uint64(.max)],
    ] as [[String: Variant]])
  func `ignores what is not an event`(object: [String: Variant]) { #expect(WatchEvent(object) == nil) }

  @Test func `quits with q, except where q is typed`() {
    for page in [[], [.enter], [.character("?")]] as [[TerminalKey]] {
      var model = WatchSample.model()
      model.receive(WatchSample.ended(1))
      for key in page { model.press(key) }
      #expect(!model.isFinished)
      model.press(.character("q"))
      #expect(model.isFinished)
    }
  }
}
