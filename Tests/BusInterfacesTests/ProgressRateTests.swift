// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Testing

@Suite struct `The rate of progress` {
  @Test func `passes on at most twenty a second, and the first at once`() {
    var rate = ProgressRate()
    let start = ContinuousClock.now
    let passed = (0..<2_000).filter { rate.take(at: start + .milliseconds($0)) }
    #expect(passed.count == 40)
    #expect(passed.first == 0)
    let gaps = zip(passed, passed.dropFirst()).map { $1 - $0 }
    #expect(gaps.allSatisfy { $0 >= 50 })
  }
}
