// SPDX-License-Identifier: Apache-2.0
import State
import Testing

@testable import BrokerService

@Suite struct `The times of a request` {
  @Test func `The date, the duration and the timeout count from the arrival, not from the admission`() {
    let arrival = ContinuousClock.now - .seconds(3_600)
    let times = RequestTimes(arrived: arrival, timeout: .seconds(25), lifetime: .seconds(600))
    #expect(times.date <= BootClock.microsecondsSince1970 - 3_600_000_000)
    #expect(BootClock.microseconds(since: times.arrival) >= 3_600_000_000)
    #expect(times.deadline == arrival + .seconds(25))
  }

  @Test func `A request does not expire before its caller's timeout`() {
    let times = RequestTimes(arrived: .now, timeout: .seconds(900), lifetime: .seconds(600))
    #expect(times.expires >= times.deadline)
  }

  @Test func `A request that outlives its caller is known as such by the next broker`() {
    var times = RequestTimes(arrived: .now, timeout: .seconds(20), lifetime: .seconds(600))
    for outlives in [false, true] {
      if outlives { times.deadline = times.expires }
      let (deadline, expires) = times.stored
      let pending = PendingRequest(
        number: 1, caller: "c", id: "i", digest: [], details: "", deadline: deadline, expires: expires,
        parts: [])
      #expect(times.outlivesCaller == outlives && RequestTimes(of: pending).outlivesCaller == outlives)
    }
  }

  @Test(arguments: [Int64.min, -1, 0, 1_000_000_000, Int64.max])
  func `A stored time of any value can be read and stored again`(stored: Int64) {
    let instant = BootClock.instant(at: stored)
    // The two clocks are read one after the other, so the times differ slightly.
    #expect(BootClock.instant(at: BootClock.nanoseconds(at: instant)) - instant < .seconds(60))
  }
}
