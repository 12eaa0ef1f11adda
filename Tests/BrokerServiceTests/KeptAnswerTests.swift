// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Testing

@testable import BrokerService

/// Tests of what the broker keeps of an answer for a caller that repeats its request.
@Suite struct `The kept answer to a request` {
  private static let link = "play:1?token=secret"

  private static func delivery(message: String) -> Delivery {
    var delivery = Delivery(
      application: nil, outcome: .failed, error: BrokerErrorName.denied.errorName, message: message)
    delivery.choices = ["org.example.A", "org.example.B"]
    delivery.titles = ["A", "B"]
    delivery.question = "Open \(link) with which application?"
    delivery.urls = [link]
    return delivery
  }

  @Test(arguments: [true, false])
  func `has the outcome of a question, and neither its links nor its text`(isError: Bool) throws {
    let receipt = Receipt(requestID: "1", deliveries: [Self.delivery(message: "the route asks")])
    let name = BrokerErrorName.denied.errorName
    let kept = KeptAnswer(
      isError
        ? .failure(BusError(name, "the route asks", details: receipt.entries)) : .success(receipt)
    ).result
    let answer =
      switch kept {
      case .success(let receipt): receipt
      case .failure(let error): try Receipt(error.details)
      }
    #expect(!"\(kept)".contains("secret"), "\(kept)")
    let delivery = try #require(answer.deliveries.first)
    #expect(answer.requestID == "1" && delivery.outcome == .failed && delivery.error == name)
    // A question is not a failure, so that no fallback is opened.
    #expect(delivery.choices == ["org.example.A", "org.example.B"] && delivery.message == "the route asks")
  }

  @Test func `has a limited size, however many messages of any length the broker writes`() throws {
    let long = String(repeating: "a", count: 100_000)
    let single = KeptAnswer(
      .success(Receipt(requestID: "1", deliveries: [Self.delivery(message: long)])))
    #expect(single.size < 5_000, "\(single.size)")
    let receipt = Receipt(
      requestID: "1", deliveries: Array(repeating: Self.delivery(message: long), count: 512))
    for answer in [
      KeptAnswer(.success(receipt)),
      KeptAnswer(.failure(BusError(.failed, long, details: receipt.entries))),
    ] {
      #expect(answer.size < 512 << 10, "\(answer.size)")
      #expect(try answer.bytes < 512 << 10)
    }
  }

  @Test(arguments: [
    "/home/a/secret", "/secret cannot be opened: secret",
    "/secret\u{301}\u{600} /é/" + String(repeating: "a", count: 10_000),
  ])
  func `has no path of a file`(path: String) throws {
    let message = Refusal.noFile(path: path, reason: "the file does not exist").description
    #expect(message.hasPrefix("/"))
    let delivery = Delivery(
      application: nil, outcome: .failed, error: BrokerErrorName.noHandler.errorName, message: message)
    let receipt = Receipt(requestID: "1", deliveries: [delivery])
    let answer = KeptAnswer(.failure(BusError(.noHandler, message, details: receipt.entries)))
    guard case .failure(let kept) = answer.result else {
      Issue.record("it is a receipt")
      return
    }
    let sentence = "the file cannot be opened: the file does not exist"
    #expect(kept.message == sentence)
    #expect(try Receipt(kept.details).deliveries.first?.message == sentence)
  }

  @Test func `has the whole message of an error that is not long`() throws {
    let error = BusError(.invalidRequest, "uris must not be empty")
    guard case .failure(let kept) = KeptAnswer(.failure(error)).result else {
      Issue.record("it is a receipt")
      return
    }
    #expect(kept == error)
  }
}

extension KeptAnswer {
  /// The number of bytes in its messages.
  fileprivate var bytes: Int {
    get throws {
      switch result {
      case .success(let receipt): receipt.deliveries.reduce(0) { $0 + ($1.message?.utf8.count ?? 0) }
      case .failure(let error): try Receipt(error.details).json.utf8.count + error.message.utf8.count
      }
    }
  }
}
