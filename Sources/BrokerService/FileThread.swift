import Systemd

/// A thread for what reads the user's files, one thing after the other: a disk that does not answer holds up what asks for such files,
/// and not the event loop.
struct FileThread: Sendable {
  private let thread = EventLoop()

  /// What `body` finds, however long that takes.
  func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      thread.submit { continuation.resume(returning: body()) }
    }
  }
}
