// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Testing

/// Tests of the number of program starts for callers.
@Suite struct `The rates of starts` {
  private let start = ContinuousClock.now
  private let rate = StartRateLimiter.Rate(burst: 3, perSecond: 2)
  private let plenty = StartRateLimiter.Rate(burst: 1_000, perSecond: 1_000)

  /// Returns the number of starts for a caller that asks every ten milliseconds until `end`.
  private func taken(_ rates: inout StartRateLimiter, _ caller: String, _ milliseconds: Range<Int>) -> Int {
    stride(from: milliseconds.lowerBound, to: milliseconds.upperBound, by: 10).count {
      rates.take(for: caller, at: start + .milliseconds($0))
    }
  }

  @Test func `allow a burst, then a rate, and again a burst after a pause`() {
    var rates = StartRateLimiter(perCaller: rate, inAll: plenty)
    #expect(taken(&rates, "a", 0..<10) == 1)
    #expect(taken(&rates, "a", 10..<500) == 2)
    #expect(taken(&rates, "a", 500..<10_500) == 20)
    #expect(taken(&rates, "a", 20_000..<20_030) == 3)
    #expect(taken(&rates, "a", 20_030..<20_500) == 0)
  }

  @Test func `apply to each caller and to all callers together`() {
    var rates = StartRateLimiter(perCaller: rate, inAll: .init(burst: 5, perSecond: 1))
    #expect(taken(&rates, "a", 0..<100) == 3)
    #expect(taken(&rates, "b", 100..<200) == 2)
    #expect(taken(&rates, "c", 200..<1_000) == 0)
    #expect(taken(&rates, "c", 1_000..<2_000) == 1)
  }

  @Test func `do not count a start that is given back`() {
    var rates = StartRateLimiter(perCaller: rate, inAll: rate)
    #expect(taken(&rates, "a", 0..<30) == 3)
    rates.giveBack(for: "a")
    #expect(taken(&rates, "a", 30..<50) == 1)
    #expect(taken(&rates, "b", 50..<60) == 0)
  }

  /// Returns the order of the waiting starts, with their times.
  private func line(
    _ rates: inout StartRateLimiter, from milliseconds: Int = 0
  ) -> [(caller: String, milliseconds: Int)] {
    var (order, now): ([(String, Int)], Int) = ([], milliseconds)
    while let next = rates.next(at: start + .milliseconds(now)) {
      switch next {
      case .start(let caller): order.append((caller, now))
      case .wait(let duration):
        #expect(duration > .zero)
        now += max(1, Int(duration / .milliseconds(1)))
      }
    }
    return order
  }

  @Test func `let waiting callers take turns, independent of the number of their starts`() {
    var rates = StartRateLimiter(
      perCaller: .init(burst: 1_000, perSecond: 1_000), inAll: .init(burst: 1, perSecond: 10))
    #expect(taken(&rates, "a", 0..<10) == 1)
    for caller in ["a", "a", "a", "a", "b", "c", "b"] { rates.enqueue(caller) }
    let order = line(&rates)
    #expect(order.map(\.caller) == ["a", "b", "c", "a", "b", "a", "a"])
    #expect(order.last.map { (690...710).contains($0.milliseconds) } == true, "\(order)")
    #expect(rates.next(at: start + .seconds(100)) == nil)
  }

  @Test func `admit a caller that has starts left`() {
    var rates = StartRateLimiter(perCaller: rate, inAll: plenty)
    #expect(taken(&rates, "a", 0..<30) == 3)
    for caller in ["a", "a", "b"] { rates.enqueue(caller) }
    #expect(line(&rates, from: 30).map(\.caller) == ["b", "a", "a"])
  }

  @Test func `keep the order of one caller's starts`() {
    var rates = StartRateLimiter(perCaller: rate, inAll: plenty)
    rates.enqueue("a")
    // A caller's next start does not overtake its own waiting one.
    #expect(taken(&rates, "a", 0..<10) == 0)
    #expect(line(&rates).map(\.caller) == ["a"])
  }

  @Test func `forget callers without recent starts`() {
    var rates = StartRateLimiter(perCaller: rate, inAll: plenty)
    for number in 0..<5_000 {
      #expect(taken(&rates, "caller \(number)", number * 100..<number * 100 + 1) == 1)
    }
    #expect(taken(&rates, "caller 0", 500_000..<500_030) == 3)
  }
}
