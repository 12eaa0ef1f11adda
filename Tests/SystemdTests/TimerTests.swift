// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Systemd

@Suite struct `Timers` {
  @Test func `A timer elapses, and not too early`() async throws {
    let start = ContinuousClock.now
    try await EventLoop.shared.sleep(for: .milliseconds(20))
    #expect(ContinuousClock.now - start >= .milliseconds(20))
  }

  @Test func `A timer without a task elapses once, and not at all when it was cancelled`() async {
    let loop = EventLoop.shared
    let (moments, happened) = AsyncStream<String>.makeStream()
    loop.submit {
      let cancelled = LoopTimer(on: loop, after: .milliseconds(1)) { happened.yield("cancelled") }
      cancelled?.cancel()
      _ = LoopTimer(on: loop, after: .milliseconds(2)) {
        happened.yield("elapsed")
        // Two elapsed timers may be reported in either order.
        _ = LoopTimer(on: loop, after: .milliseconds(2)) { happened.finish() }
      }
    }
    var fired: [String] = []
    for await moment in moments { fired.append(moment) }
    #expect(fired == ["elapsed"])
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(1)])
  func `No time and less is over at once`(duration: Duration) async throws {
    try await EventLoop.shared.sleep(for: duration)
  }

  @Test func `A timer does not wait for one that was set before it`() async throws {
    let later = Task { try await EventLoop.shared.sleep(for: .seconds(3_600)) }
    try await EventLoop.shared.sleep(for: .milliseconds(1))
    later.cancel()
    await #expect(throws: CancellationError.self) { try await later.value }
  }

  @Test func `A cancelled task stops waiting at once`() async {
    let task = Task { try await EventLoop.shared.sleep(for: .seconds(3_600)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `A task cancelled before it waits does not wait`() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await EventLoop.shared.sleep(for: .seconds(3_600))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `Cancellation lets go of the timer and all that it held`() async throws {
    let loop = EventLoop.shared
    let probe = WeakProbe()
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      loop.submit {
        let held = Held()
        probe.object = held
        let timer = try? EventSource.timer(loop, after: .seconds(3_600)) { _ = held }
        probe.source = timer
        timer?.cancel()
        timer?.cancel()
        done.resume()
      }
    }
    #expect(await probe.isEmpty(on: loop))
  }

  @Test func `A waiting task that is cancelled leaves no source behind`() async {
    let loop = EventLoop.shared
    let probe = WeakProbe()
    let (made, madeContinuation) = AsyncStream<Void>.makeStream()
    let task = Task {
      await loop.wait { (_: @escaping (Bool?) -> Void) throws(SystemdError) in
        let source = try EventSource.timer(loop, after: .seconds(3_600)) {}
        probe.source = source
        madeContinuation.yield()
        return source
      }
    }
    _ = await made.first { _ in true }
    task.cancel()
    #expect(await task.value == nil)
    #expect(await probe.isEmpty(on: loop))
  }

  @Test func `Durations become whole microseconds, rounded up`() {
    #expect(Duration.nanoseconds(1).microseconds == 1)
    #expect(Duration.microseconds(7).microseconds == 7)
    #expect(Duration.seconds(-5).microseconds == 0)
    #expect(Duration.milliseconds(-1).microseconds == 0)
    #expect(Duration.seconds(Int64.max).microseconds == .max)
  }
}

final class Held: Sendable {}

// @unchecked: used on one loop's thread alone.
/// A weak reference that shows whether an object still exists.
final class WeakProbe: @unchecked Sendable {
  weak var object: AnyObject?
  weak var source: EventSource?

  func isEmpty(on loop: EventLoop) async -> Bool {
    await withCheckedContinuation { continuation in
      loop.submit { continuation.resume(returning: self.object == nil && self.source == nil) }
    }
  }
}
