// SPDX-License-Identifier: Apache-2.0
import Systemd

/// A thread for calls that read the user's files, one after the other.
///
/// A disk that does not respond delays only the tasks that need such files, and not the event loop.
struct FileThread: Sendable {
  private let thread = EventLoop()

  /// Returns the result of `body`, however long that takes.
  func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      thread.submit { continuation.resume(returning: body()) }
    }
  }
}
