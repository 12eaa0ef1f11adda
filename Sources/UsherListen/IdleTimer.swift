// SPDX-License-Identifier: Apache-2.0
/// A timer that reports when no request has arrived for a time.
actor IdleTimer {
  private let timeout: Duration?
  private var busy = 0
  private var timer: Task<Void, Never>?
  private var tell: (@Sendable () -> Void)?

  /// Creates a timer that expires after `timeout`; `nil` for never.
  init(after timeout: Duration?) { self.timeout = timeout }

  /// Starts the timer, which calls `tell` when it expires.
  func watch(_ tell: @escaping @Sendable () -> Void) {
    self.tell = tell
    wait()
  }

  func began() {
    busy += 1
    timer?.cancel()
  }

  func ended() {
    busy -= 1
    wait()
  }

  private func wait() {
    guard let timeout, let tell, busy == 0 else { return }
    timer?.cancel()
    timer = Task {
      try? await Task.sleep(for: timeout)
      if !Task.isCancelled { tell() }
    }
  }
}
