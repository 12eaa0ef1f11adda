// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Testing

@Suite struct ReceiptTests {
  private let notes = Delivery(
    application: "org.example.Notes", outcome: .handled, kind: .running, value: ["note": 7, "tab": "edit"])
  private let missing = Delivery(
    application: nil, outcome: .failed, error: BrokerErrorName.noHandler.errorName, message: "nobody opens x:"
  )

  @Test func `The bus preserves every key`() throws {
    let receipt = Receipt(requestID: "1", deliveries: [notes, missing], others: ["x": true])
    #expect(receipt.entries["deliveries"]?.signature == "aa{sv}")
    #expect(try Receipt(receipt.entries) == receipt)
  }

  @Test func `A stored delivery can be read again`() throws {
    var question = Delivery(application: nil, outcome: .failed, error: BrokerErrorName.denied.errorName)
    (question.choices, question.urls) = (["org.example.A", "org.example.B"], ["x:1"])
    (question.question, question.wasAsked) = ("A wants to open x:1", true)
    for delivery in [notes, missing, question] {
      #expect(try Delivery([String: Variant](json: JSONText.line(delivery.entries))) == delivery)
    }
  }

  @Test func `JSON has the keys of the bus`() {
    #expect(
      Receipt(requestID: "1", deliveries: [notes]).json
        == #"{"deliveries":[{"application":"org.example.Notes","delivery":"running","outcome":"handled","#
        + #""value":{"note":7,"tab":"edit"}}],"outcome":"handled","request-id":"1"}"#)
  }

  @Test func `Outcomes are ordered`() {
    #expect(Outcome.allCases == Outcome.allCases.sorted())
    #expect(Outcome.unknown < .accepted && Outcome.accepted < .delivered && Outcome.delivered < .handled)
    #expect(Assurance.allCases == [.unknown, .claimed, .executable, .unit, .sandbox])
    #expect(Assurance.claimed < .unit)
  }

  @Test(
    arguments: [
      ([.handled, .delivered], .delivered), ([.handled, .unknown], .unknown), ([.unknown, .failed], .failed),
      ([], .accepted),
    ] as [([Outcome], Outcome)])
  func `The weakest delivery determines the state of the request`(outcomes: [Outcome], weakest: Outcome) {
    let deliveries = outcomes.map { Delivery(application: "a", outcome: $0) }
    #expect(Receipt(requestID: "1", deliveries: deliveries).outcome == weakest)
  }

  @Test func `An outcome that is not the weakest is rejected`() {
    var entries = Receipt(requestID: "1", deliveries: [missing]).entries
    entries["outcome"] = "handled"
    #expect(throws: MessageError.self) { try Receipt(entries) }
  }

  @Test func `An invalid delivery is named by its index`() {
    let entries: [String: Variant] = [
      "request-id": "1", "outcome": "failed",
      "deliveries": .array(of: "a{sv}", [.dictionary(["outcome": "lost"])]),
    ]
    let error = #expect(throws: MessageError.self) { try Receipt(entries) }
    #expect(error?.path == "deliveries[0].outcome")
  }

  @Test(
    arguments: [
      (.handled, nil, .handled, 0), (.delivered, nil, .delivered, 0), (.delivered, nil, .handled, 5),
      (.unknown, nil, .accepted, 5), (.failed, .noHandler, .accepted, 2), (.failed, .denied, .accepted, 3),
      (.failed, .launchFailed, .accepted, 4), (.failed, nil, .accepted, 6),
      (.unknown, .launchFailed, .delivered, 4),
    ] as [(Outcome, BrokerErrorName?, OpenOptions.Wait, Int32)])
  func `The exit status says whether the requested state was reached`(
    outcome: Outcome, error: BrokerErrorName?, goal: OpenOptions.Wait, code: Int32
  ) {
    let delivery = Delivery(application: "a", outcome: outcome, error: error?.errorName ?? .failed)
    #expect(Receipt(requestID: "1", deliveries: [delivery]).exitStatus(waitingFor: goal) == code)
  }
}

@Suite struct BrokerErrorNameTests {
  @Test func `Every name is a valid error name and can be parsed`() {
    for name in BrokerErrorName.allCases {
      #expect(ErrorName.isValid(name.rawValue))
      #expect(BusError(name, "why").brokerError == name)
    }
    #expect(BusError(.noReply, "").brokerError == nil)
  }

  @Test func `Exit statuses are those of the manual`() {
    let codes = Dictionary(uniqueKeysWithValues: BrokerErrorName.allCases.map { ($0, $0.exitStatus) })
    #expect(
      codes == [
        .noHandler: 2, .denied: 3, .launchFailed: 4, .timeout: 5, .targetFailed: 6, .notHandled: 6, .loop: 7,
        .tooMany: 8, .cancelled: 9, .invalidRequest: 64, .invalidURL: 65, .needsBus: 69,
      ])
  }
}

@Suite struct ReplyTests {
  @Test func `The bus and JSON preserve a reply`() throws {
    let reply = Reply(handled: true, value: ["note": 7, "tab": "edit"])
    #expect(try Reply(reply.entries) == reply)
    #expect(try Reply(json: reply.json) == reply)
    #expect(Reply(handled: false, error: "no such note").json == #"{"error":"no such note","handled":false}"#)
  }

  @Test(arguments: [#"{}"#, #"{"handled":1}"#, "[]", "yes", #"{"handled":true,"value":null}"#])
  func `A malformed reply is rejected`(text: String) {
    #expect(throws: MessageError.self) { try Reply(json: text) }
  }
}
