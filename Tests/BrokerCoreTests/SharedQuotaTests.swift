// SPDX-License-Identifier: Apache-2.0
@testable import BrokerCore
import TestSupport
import Testing

/// Tests of a shared capacity, and of the shares that callers get.
@Suite struct `A quota shared by callers` {
  /// Expects an equal value; `#expect` cannot call mutating functions.
  private func expect(_ isRight: Bool, _ taken: Bool, at location: SourceLocation = #_sourceLocation) {
    #expect(isRight == taken, sourceLocation: location)
  }

  /// Returns the shares of callers that each take as much as possible, one unit at a time and in turns.
  private func parts(of capacity: Int, _ callers: [String]) -> [String: Int] {
    var room = SharedQuota(capacity: capacity)
    var isTaking = true
    while isTaking {
      isTaking = false
      for caller in callers where room.take(1, for: caller) { isTaking = true }
    }
    return Dictionary(uniqueKeysWithValues: callers.map { ($0, room.held(by: $0)) })
  }

  @Test(arguments: [(1, 250), (2, 200), (7, 100), (97, 10)])
  func `gives some callers equal amounts, and keeps three times as much free`(callers: Int, part: Int) {
    let names = (0..<callers).map { "caller \($0)" }
    let parts = parts(of: 1_000, names)
    #expect(parts.values.allSatisfy { (part - 1...part + 1).contains($0) }, "\(parts)")
    #expect(1_000 - parts.values.reduce(0, +) >= 3 * (part - 1))
  }

  @Test func `has some left after two dozen callers that each used their maximum`() {
    var room = SharedQuota(capacity: 4_000)
    for caller in 0..<24 { while room.take(1, for: "caller \(caller)") {} }
    expect(true, room.take(1, for: "one more"))
  }

  @Test func `is never too small for nothing, and remembers no caller that holds nothing`() {
    var room = SharedQuota(capacity: 8)
    room.hold(8, for: "a")
    #expect(room.shortage(of: 0, for: "a") == nil && room.shortage(of: 0, for: "b") == nil)
    expect(true, room.take(0, for: "b"))
    #expect(room.held == ["a": 8])
  }

  @Test func `reports whether the total or the caller's part is exhausted`() {
    var room = SharedQuota(capacity: 12)
    expect(true, room.take(3, for: "a"))
    #expect(room.shortage(of: 1, for: "a") == .part(held: 3))
    #expect(room.shortage(of: 10, for: "b") == .full)
    expect(true, room.take(9, for: "b"))
    #expect(room.shortage(of: 1, for: "b") == .part(held: 9))
    #expect(room.shortage(of: 1, for: "c") == .full)
    room.release(3, for: "a")
    #expect(room.held(by: "a") == 0 && room.taken == 9)
    expect(true, room.take(1, for: "c"))
  }

  @Test func `counts earlier accepted amounts even beyond the limit`() {
    var room = SharedQuota(capacity: 100)
    room.hold(200, for: "b")
    #expect(room.shortage(of: 1, for: "c") == .full)
    room.release(200, for: "b")
    expect(true, room.take(1, for: "c"))
  }

  /// Tests as many random steps as needed to find a wrong sum.
  @Test func `is empty again after all amounts are released`() {
    var random = SeededGenerator(seed: 23)
    var room = SharedQuota(capacity: 64)
    var taken: [(Int, String)] = []
    for _ in 0..<5_000 {
      let (amount, caller) = (1 + random.below(5), "caller \(random.below(8))")
      if random.oneIn(2), !taken.isEmpty {
        let (amount, caller) = taken.remove(at: random.below(taken.count))
        room.release(amount, for: caller)
      } else if room.take(amount, for: caller) {
        taken.append((amount, caller))
      }
      #expect(room.taken == taken.reduce(0) { $0 + $1.0 } && room.taken <= room.capacity)
      #expect(room.held(by: caller) == taken.filter { $0.1 == caller }.reduce(0) { $0 + $1.0 })
    }
  }
}
