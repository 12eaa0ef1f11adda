extension EventLoop {
  /// Waits for `duration` on the monotonic clock, without a thread that sleeps.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled; the timer is gone then.
  public func sleep(for duration: Duration) async throws(CancellationError) {
    let elapsed = await wait { resume throws(SystemdError) in
      try EventSource.timer(self, after: duration) { resume(true) }
    }
    guard elapsed == true else { throw CancellationError() }
  }

  /// Waits for one event of a source, or for the task's cancellation, which gives `nil`.
  ///
  /// The source is made and cancelled on the loop; nothing is left behind in either case. A source that
  /// cannot be made gives `nil` too.
  func wait<Value: Sendable>(
    for source: @escaping @Sendable (@escaping (Value?) -> Void) throws(SystemdError) -> EventSource
  ) async -> Value? {
    let waiter = Waiter<Value>()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        submit { waiter.start(continuation, source) }
      }
    } onCancel: {
      submit { waiter.finish(nil) }
    }
  }
}

// @unchecked: used on the loop's thread alone, through `submit`.
/// One task that waits for one event.
private final class Waiter<Value: Sendable>: @unchecked Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Value?, Never>, EventSource)
    case finished
  }
  private var state = State.new

  func start(
    _ continuation: CheckedContinuation<Value?, Never>,
    _ source: (@escaping (Value?) -> Void) throws(SystemdError) -> EventSource
  ) {
    guard case .new = state else {
      continuation.resume(returning: nil)
      return
    }
    do {
      state = .waiting(continuation, try source { self.finish($0) })
    } catch {
      state = .finished
      continuation.resume(returning: nil)
    }
  }

  func finish(_ value: Value?) {
    if case .waiting(let continuation, let source) = state {
      source.cancel()
      continuation.resume(returning: value)
    }
    state = .finished
  }
}
