// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import DBus
package import Systemd

/// A pool of detached threads for calls that may block forever, for example on a file system that hangs.
///
/// A blocked call delays only the task that waits for it. Each thread occupies a place until its call returns, also if
/// no task waits for it any more, which limits the threads. The callers share the places (`SharedQuota`), and those
/// that wait for one take turns, so that a file system on which all calls of one caller hang leaves places to the others.
package actor BlockingCallPool {
  /// A call that waits for a place.
  private struct Call {
    let expires: ContinuousClock.Instant
    let start: @Sendable () -> Void
  }

  private nonisolated let loop: EventLoop
  private nonisolated let timeout: Duration
  private var places: SharedQuota
  private var waiting = FairQueue<String, Call>()
  /// The event loop that runs the actor.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Creates a pool of at most `capacity` threads that waits for each call for at most `timeout`.
  package init(on loop: EventLoop, timeout: Duration, capacity: Int) {
    self.loop = loop
    self.timeout = timeout
    self.places = SharedQuota(capacity: capacity)
  }

  /// Returns the result of `look`; `nil` if it does not return in time, which includes the time until it has a place.
  ///
  /// - Parameter caller: The caller that occupies the place, which is only compared.
  package func find<Finding: Sendable>(
    for caller: String, _ look: @escaping @Sendable () -> Finding
  ) async -> Finding? {
    let (findings, end) = AsyncStream<Finding>.makeStream()
    let call = Call(expires: .now + timeout) { [self] in
      let isStarted = DetachedThread.run { [self] in
        end.yield(look())
        end.finish()
        loop.start { await self.release(caller) }
      }
      guard !isStarted else { return }
      end.finish()
      loop.start { await self.release(caller) }
    }
    guard let timer = LoopTimer(on: loop, after: timeout, { end.finish() }) else { return nil }
    waiting.append(call, for: caller)
    startCalls()
    defer {
      timer.cancel()
      // The calls of a caller wait in the order in which they expire.
      waiting.drop(from: caller) { $0.expires <= .now }
    }
    return await findings.first { _ in true }
  }

  private func release(_ caller: String) {
    places.release(1, for: caller)
    startCalls()
  }

  private func startCalls() {
    while let call = waiting.popFirst(where: { places.take(1, for: $0) }) { call.start() }
  }
}
