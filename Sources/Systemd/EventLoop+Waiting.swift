// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

extension EventLoop {
  /// Waits for `duration` on the monotonic clock without blocking a thread.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled, which also cancels the timer.
  public func sleep(for duration: Duration) async throws(CancellationError) {
    let elapsed = await wait { resume throws(SystemdError) in
      try EventSource.timer(self, after: duration) { resume(true) }
    }
    guard elapsed == true else { throw CancellationError() }
  }

  /// Reads the lines of a pipe, a socket or a terminal until it ends.
  ///
  /// It never returns for another file, such as `/dev/null`, unless the task is cancelled.
  ///
  /// - Parameter receive: Called with each complete line that is valid UTF-8, and not too long.
  public func readLines(of descriptor: Int32, _ receive: @Sendable (String) -> Void) async {
    var lines = LineBuffer()
    while true {
      let isReadable = await wait { resume throws(SystemdError) in
        try EventSource.readable(self, descriptor: descriptor) { resume(true) }
      }
      guard isReadable == true else { break }
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR) else { return }
      lines.append(bytes.prefix(max(0, count)))
      while let line = lines.next() {
        if case .line(let bytes) = line, let text = String(validating: bytes, as: UTF8.self) { receive(text) }
      }
    }
    for await _ in AsyncStream<Never>.makeStream().stream {}
  }

  /// Waits for one event of a source; `nil` if the task is cancelled or the source cannot be created.
  ///
  /// The source is created and cancelled on the loop, and removed in either case.
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

// @unchecked: used only on the loop's thread, through `submit`.
/// A task that waits for one event.
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
