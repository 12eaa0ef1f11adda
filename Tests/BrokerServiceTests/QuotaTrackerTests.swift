// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Testing

@testable import BrokerService

@Suite struct `The size of a waiting request` {
  /// The part of a request that has sixty thousand bytes.
  enum Part: CaseIterable {
    case text, flags, fallback, session

    var options: OpenOptions {
      let text = String(repeating: "a", count: 60_000)
      var options = OpenOptions()
      switch self {
      case .text: options.others = ["x-other": .string(text)]
      case .flags:
        options.others = ["x-flags": .array(of: "b", Array(repeating: .boolean(true), count: 3_750))]
      case .fallback: options.fallback = "mimic:\(text)"
      case .session: options.session = ["LANG": text]
      }
      return options
    }
  }

  /// Returns how many deliveries, and how many questions, one caller may have if all callers together may have 1 MiB.
  @BrokerActor private static func accepted(_ options: OpenOptions) -> [Int] {
    var limits = BrokerLimits()
    limits.bytes = 1 << 20
    let caller = ChargedCaller("caller")
    let envelope = Envelope(requestID: "1", urls: ["mimic:1"], others: options.others)
    var accepted = [0, 0]
    let deliveries = QuotaTracker(limits)
    while (try? deliveries.acquire(for: envelope, with: options, to: nil, from: caller)) != nil {
      accepted[0] += 1
    }
    let questions = QuotaTracker(limits)
    while questions.acquireQuestion(about: envelope.urls, options, from: caller) != nil { accepted[1] += 1 }
    return accepted
  }

  /// Returns how many deliveries with answers about other links one caller may have if all callers together may have 1 MiB.
  @BrokerActor private static func accepted(besides answers: Int) -> Int {
    var limits = BrokerLimits()
    limits.bytes = 1 << 20
    let quotas = QuotaTracker(limits)
    let envelope = Envelope(requestID: "1", urls: ["mimic:1"])
    var accepted = 0
    while (try? quotas.acquire(
      for: envelope, with: OpenOptions(), besides: answers, to: nil, from: ChargedCaller("caller"))) != nil
    {
      accepted += 1
    }
    return accepted
  }

  @Test func `includes the answers about other links of its request`() async {
    #expect(await Self.accepted(besides: 60_000) == 4)
  }

  @Test(arguments: Part.allCases)
  func `includes its unknown options, its fallback and the session of its caller`(part: Part) async {
    // A quarter of the total is enough for four.
    #expect(await Self.accepted(part.options) == [4, 4])
  }
}
