/// Tells when nothing has come for so long.
actor IdleTimer {
  private let timeout: Duration?
  private var busy = 0
  private var timer: Task<Void, Never>?
  private var tell: (@Sendable () -> Void)?

  /// After `timeout`; `nil` for never.
  init(after timeout: Duration?) { self.timeout = timeout }

  /// Tells it by `tell`, from now on.
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
