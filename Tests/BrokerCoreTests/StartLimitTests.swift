// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Testing

@Suite struct `A limit of starts` {
  private let start = ContinuousClock.now

  private func failures(_ seconds: [Double]) -> StartLimit {
    var limit = StartLimit()
    for second in seconds { limit.fail(at: start + .seconds(second)) }
    return limit
  }

  @Test func `ignores four failures, and failures that are far apart`() {
    #expect(StartLimit().delay(at: start) == nil)
    #expect(failures([0, 1, 2, 3]).delay(at: start + .seconds(3)) == nil)
    #expect(failures((0..<20).map { Double($0) * 2.6 }).delay(at: start + .seconds(50)) == nil)
  }

  @Test func `delays starts after the fifth failure in ten seconds, and reports the delay`() {
    let limit = failures([0, 2, 4, 6, 10])
    #expect(limit.delay(at: start + .seconds(10)) == .seconds(10))
    #expect(limit.delay(at: start + .seconds(19)) == .seconds(1))
    #expect(limit.delay(at: start + .seconds(20)) == nil)
  }

  @Test func `counts failures in another interval together, also after a successful start`() {
    var limit = StartLimit(interval: .seconds(100))
    for second in [0, 20, 40, 60, 80] { limit.fail(at: start + .seconds(second)) }
    #expect(limit.delay(at: start + .seconds(80)) == .seconds(10))
    limit.succeed()
    for second in [200, 220, 240, 260, 300] { limit.fail(at: start + .seconds(second)) }
    #expect(limit.delay(at: start + .seconds(300)) == .seconds(10))
  }

  @Test func `doubles the delay after each further failure, up to five minutes`() {
    var limit = failures([0, 0, 0, 0, 0])
    var now = start
    for rest in [10, 20, 40, 80, 160, 300, 300] {
      #expect(limit.delay(at: now) == .seconds(rest))
      now += .seconds(rest)
      #expect(limit.delay(at: now) == nil)
      limit.fail(at: now)
    }
  }

  @Test func `forgets failures after a successful start, and after an hour`() {
    var limit = failures([0, 0, 0, 0, 0])
    limit.succeed()
    limit.fail(at: start)
    #expect(limit.delay(at: start) == nil)
    #expect(failures([0, 0, 0, 0, 0, 3_601]).delay(at: start + .seconds(3_601)) == nil)
  }
}
