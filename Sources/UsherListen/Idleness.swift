/// Tells when nothing has come for so long.
actor Idleness {
  private let patience: Duration?
  private var busy = 0
  private var timer: Task<Void, Never>?
  private var tell: (@Sendable () -> Void)?

  /// After `patience`; `nil` for never.
  init(after patience: Duration?) { self.patience = patience }

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
    guard let patience, let tell, busy == 0 else { return }
    timer?.cancel()
    timer = Task {
      try? await Task.sleep(for: patience)
      if !Task.isCancelled { tell() }
    }
  }
}
