/// Something that happens on a loop's thread once a while has passed, without a task that waits for it.
///
/// It is made and cancelled on that thread.
public final class LoopTimer {
  private var source: EventSource?

  /// Calls `body` on the thread of `loop` after `duration`; `nil` when the kernel gives no timer.
  public init?(on loop: EventLoop, after duration: Duration, _ body: @escaping () -> Void) {
    source = try? EventSource.timer(loop, after: duration) {
      self.cancel()
      body()
    }
    guard source != nil else { return nil }
  }

  /// Lets it not happen any more.
  public func cancel() {
    source?.cancel()
    source = nil
  }
}
