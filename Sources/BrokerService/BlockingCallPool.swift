import Systemd

/// Looks at what may never answer, such as a file system that hangs, on threads of their own, so that it holds up nobody but
/// who asks for it.
actor BlockingCallPool {
  /// How many may be under way: of what hangs for good, no more threads than these stay behind.
  private static let most = 16

  private nonisolated let loop: EventLoop
  private nonisolated let timeout: Duration
  private var underWay = 0
  /// The loop it lives on.
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Waits for each look as long as `timeout`.
  init(on loop: EventLoop, timeout: Duration) {
    self.loop = loop
    self.timeout = timeout
  }

  /// What `look` finds; `nil` where that is not known in time, or too much hangs already.
  func find<Finding: Sendable>(_ look: @escaping @Sendable () -> Finding) async -> Finding? {
    let (findings, end) = AsyncStream<Finding>.makeStream()
    guard underWay < Self.most else { return nil }
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
