// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrokerService

/// Tests of the receipts that are stored for callers which repeat their requests.
@Suite struct `Answered requests` {
  private func keys(_ caller: String, _ numbers: Range<Int>) -> [RequestKey] {
    numbers.map { RequestKey(caller: caller, id: "\($0)") }
  }

  /// Returns the remaining ones of these keys after they were answered in this order.
  private func left(_ keys: [RequestKey], of capacity: Int) -> [RequestKey] {
    var answered = AnsweredRequests(capacity: capacity)
    var left: [RequestKey] = []
    for key in keys {
      left.append(key)
      if let dropped = answered.add(key) { left.removeAll { $0 == dropped } }
    }
    return left
  }

  @Test func `of a single caller are the most recent ones`() {
    #expect(left(keys("a", 0..<250), of: 100) == keys("a", 150..<250))
  }

  @Test func `of other callers stay, however many requests of one caller are answered`() {
    let others = (0..<9).flatMap { keys("caller \($0)", 0..<10) }
    #expect(left(others + keys("greedy", 0..<500), of: 100) == others + keys("greedy", 490..<500))
    #expect(left(keys("greedy", 0..<500) + others, of: 100) == keys("greedy", 490..<500) + others)
  }

  @Test func `of many callers are the most recent ones`() {
    let all = (0..<250).flatMap { keys("caller \($0)", 0..<1) }
    #expect(left(all, of: 100) == Array(all.suffix(100)))
  }
}
