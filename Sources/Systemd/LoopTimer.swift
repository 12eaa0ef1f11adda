// SPDX-License-Identifier: Apache-2.0
/// A timer that calls a function on a loop's thread, without a waiting task.
///
/// It is created and cancelled on that thread.
public final class LoopTimer {
  private var source: EventSource?

  /// Calls `body` on the thread of `loop` after `duration`; `nil` if the kernel cannot create a timer.
  public init?(on loop: EventLoop, after duration: Duration, _ body: @escaping () -> Void) {
    source = try? EventSource.timer(loop, after: duration) {
      self.cancel()
      body()
    }
    guard source != nil else { return nil }
  }

  /// Cancels the timer.
  public func cancel() {
    source?.cancel()
    source = nil
  }
}
