// SPDX-License-Identifier: Apache-2.0
import Systemd

/// A pool of detached threads for calls that may block forever, for example on a file system that hangs.
///
/// A blocked call delays only the task that waits for it.
actor BlockingCallPool {
  private nonisolated let loop: EventLoop
  private nonisolated let timeout: Duration
  private var underWay = 0
  /// The event loop that runs the actor.
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Creates a pool that waits for each call for at most `timeout`.
  init(on loop: EventLoop, timeout: Duration) {
    self.loop = loop
    self.timeout = timeout
  }

  /// Returns the result of `look`; `nil` if it does not return in time, or if too many calls are blocked.
  func find<Finding: Sendable>(_ look: @escaping @Sendable () -> Finding) async -> Finding? {
    let (findings, end) = AsyncStream<Finding>.makeStream()
    guard underWay < BrokerLimits.maximumBlockingCalls else { return nil }
    let isAsked = DetachedThread.run {
      end.yield(look())
      end.finish()
      self.loop.start { await self.ended() }
    }
    guard isAsked else { return nil }
    underWay += 1
    let timer = loop.start { [loop, timeout] in
      try? await loop.sleep(for: timeout)
      end.finish()
    }
    defer { timer.cancel() }
    return await findings.first { _ in true }
  }

  private func ended() { underWay -= 1 }
}
