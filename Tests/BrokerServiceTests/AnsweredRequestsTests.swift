// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrokerService

/// Tests of the receipts that are stored for callers which repeat their requests.
@Suite struct `Answered requests` {
  private func keys(_ caller: String, _ numbers: Range<Int>) -> [RequestKey] {
    numbers.map { RequestKey(caller: caller, id: "\($0)") }
  }

  /// Returns the remaining ones of these keys after they were answered in this order.
  private func left(
    _ keys: [RequestKey], of capacity: Int, size: (RequestKey) -> Int = { _ in 0 }
  ) -> [RequestKey] {
    var answered = AnsweredRequests(capacity: capacity, unit: 1_000)
    var left: [RequestKey] = []
    for key in keys {
      left.append(key)
      let dropped = answered.add(key, size: size(key))
      left.removeAll(where: dropped.contains)
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

  @Test func `with long answers count as several, and displace none of other callers`() {
    let size = { (key: RequestKey) in key.caller == "greedy" ? 4_500 : 900 }
    let others = (0..<9).flatMap { keys("caller \($0)", 0..<10) }
    #expect(left(keys("greedy", 0..<50), of: 100, size: size) == keys("greedy", 30..<50))
    #expect(left(others + keys("greedy", 0..<50), of: 100, size: size) == others + keys("greedy", 48..<50))
    #expect(left(keys("greedy", 0..<50) + others, of: 100, size: size) == keys("greedy", 48..<50) + others)
  }

  @Test func `of which one has an endless answer are not all forgotten, and neither is that one`() {
    let others = (0..<9).flatMap { keys("caller \($0)", 0..<10) }
    let size = { (key: RequestKey) in key.caller == "greedy" ? 1 << 40 : 0 }
    #expect(left(others + keys("greedy", 0..<3), of: 100, size: size) == others + keys("greedy", 2..<3))
  }

  @Test func `of many callers are the most recent ones`() {
    let all = (0..<250).flatMap { keys("caller \($0)", 0..<1) }
    #expect(left(all, of: 100) == Array(all.suffix(100)))
  }
}
