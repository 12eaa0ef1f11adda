// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

@testable import Systemd

@Suite struct `A timer of the wall clock` {
  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// The events of a timer, which stays on the loop until it is cancelled.
  private struct Timer: Sendable {
    let events: AsyncStream<WallClockTimer.Event>
    let set: @Sendable (Int64?) -> Void
    let cancel: @Sendable () -> Void

    init(on loop: EventLoop = .shared) {
      let (events, happened) = AsyncStream<WallClockTimer.Event>.makeStream()
      let timer = Held()
      self.events = events
      loop.submit { timer.value = WallClockTimer(on: loop) { happened.yield($0) } }
      set = { time in loop.submit { timer.value?.set(at: time) } }
      cancel = {
        loop.submit {
          timer.value?.cancel()
          timer.value = nil
          happened.finish()
        }
      }
    }

    /// A timer that only the loop's thread uses.
    private final class Held: @unchecked Sendable {
      var value: WallClockTimer?
    }

    func next() async throws -> WallClockTimer.Event? {
      try await withDeadline(Command.defaultDeadline, "the timer") { await events.first { _ in true } }
    }

    /// Sets the time and waits until it has come.
    ///
    /// Another program, or the last tests of this suite, may set the clock of the machine meanwhile. The kernel then does not
    /// report that the time has come, so the time is set again, as the daemon for notifications does.
    func fire(at time: Int64) async throws {
      set(time)
      while try await next() == .clockSet { set(time) }
    }
  }

  @Test func `fires at its time, and not before`() async throws {
    let timer = Timer()
    let time = Self.now + 50
    try await timer.fire(at: time)
    #expect(Self.now >= time)
    timer.cancel()
  }

  @Test(arguments: [Int64.min, -1, 0, 1, 1_000])
  func `fires at once for a time in the past`(time: Int64) async throws {
    let timer = Timer()
    try await timer.fire(at: time)
    timer.cancel()
  }

  @Test func `does not fire without a time, for a time in the distant future, or after it was cancelled`()
    async throws
  {
    let (none, late, cancelled, reset, last) = (Timer(), Timer(), Timer(), Timer(), Timer())
    none.set(nil)
    late.set(.max)
    cancelled.set(Self.now + 20)
    cancelled.cancel()
    reset.set(Self.now + 20)
    reset.set(nil)
    try await last.fire(at: Self.now + 60)
    for timer in [none, late, reset] { timer.cancel() }
    for timer in [none, late, cancelled, reset] {
      // The clock may be set meanwhile.
      for await event in timer.events { #expect(event == .clockSet) }
    }
    last.cancel()
  }

  /// The condition of tests that set the clock of the machine, which affects all its programs and can set the clock back.
  private static let setsClock = ConditionTrait.enabled(
    if: getenv("USHER_TEST_CLOCK") != nil, "USHER_TEST_CLOCK is not set")

  @Test(setsClock) func `reports that the clock was set, also without a time`() async throws {
    let timer = Timer()
    timer.set(nil)
    // The timer must have been set before the clock is.
    await withCheckedContinuation { isSet in EventLoop.shared.submit { isSet.resume() } }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    // The clock keeps its time.
    guard clock_settime(CLOCK_REALTIME, &time) == 0 else {
      timer.cancel()
      try Test.cancel("the clock cannot be set here")
    }
    #expect(try await timer.next() == .clockSet)
    timer.cancel()
  }

  @Test(setsClock) func `reports that the clock was set immediately before the time is`() async throws {
    let (events, happened) = AsyncStream<WallClockTimer.Event>.makeStream()
    let isSet = await withCheckedContinuation { done in
      EventLoop.shared.submit {
        let timer = WallClockTimer(on: .shared) { happened.yield($0) }
        timer?.set(at: nil)
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let isSet = clock_settime(CLOCK_REALTIME, &time) == 0
        timer?.set(at: nil)
        timer?.cancel()
        happened.finish()
        done.resume(returning: isSet)
      }
    }
    guard isSet else { try Test.cancel("the clock cannot be set here") }
    #expect(await events.first { _ in true } == .clockSet)
  }
}
