// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import RemoteProtocol
import Testing

@testable import RemoteLinks

@Suite struct `The result of a remote client's request` {
  private static func message(_ deliveries: [Delivery]) -> RemoteMessage {
    let receipt = Receipt(requestID: "1", deliveries: deliveries)
    return RemoteMessage(OpenResult(receipt, waitingFor: .handled, by: .broker), of: "one", stay: .seconds(7))
  }

  @Test func `has the values and the receipt`() throws {
    let notes = Delivery(application: "org.example.Notes", outcome: .handled, value: ["id": 7])
    let message = Self.message([notes])
    #expect(message["id"] == "one" && message["status"] == "0" && message["stay"] == "7")
    #expect(message["error"] == nil && message.values(of: "value") == [#"{"id":7}"#])
    let json = try PropertyList(json: message["json"] ?? "")
    #expect(json["deliveries"]?.array?.count == 1 && json["message"] == nil)
  }

  @Test func `says that values are left out that are too long for the connection`() throws {
    let large = Delivery(
      application: "org.example.Notes", outcome: .handled,
      value: .string(String(repeating: "v", count: 60_000)))
    let message = Self.message(Array(repeating: large, count: 8))
    #expect(message.bytes != nil && message["status"] == "0" && message["stay"] == "7")
    #expect(message["error"] == nil && message.values(of: "value").isEmpty)
    #expect(message["line"]?.contains("left out") == true)
    let json = try PropertyList(json: message["json"] ?? "")
    #expect(json["outcome"] == "handled" && json["deliveries"]?.array?.isEmpty == true)
  }

  @Test func `has the beginning of an error that is too long for the connection`() throws {
    let marks = "no: e" + String(repeating: "\u{301}", count: 300_000)
    let error = BusError(.targetFailed, marks)
    let message = RemoteMessage(OpenResult(error, of: "1", by: .broker), of: "one")
    #expect(message.bytes != nil && message["status"] == "\(BrokerErrorName.targetFailed.exitStatus)")
    let text = try #require(message["error"])
    #expect(text.hasPrefix("the desktop reports: no: ") && text.contains("left out"))
    #expect(text.utf8.count < 5_000)
    let json = try PropertyList(json: message["json"] ?? "")
    #expect(json["error"]?.string == "org.usher.Error.TargetFailed" && json["outcome"] == "failed")
  }
}
