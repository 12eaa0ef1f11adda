// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Systemd

/// A thread for calls that use files of the user, one after the other; it is started by the first call.
///
/// A disk that does not respond delays only the tasks that need such files, and not the event loop.
public final class FileThread: Sendable {
  /// The thread; `nil` until the first call.
  private let thread = Mutex<EventLoop?>(nil)

  /// Creates a thread that is not started yet.
  public init() {}

  /// Returns the result of `body`, however long that takes.
  public func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    let loop = thread.withLock { thread in
      let started = thread ?? EventLoop()
      thread = started
      return started
    }
    return await withCheckedContinuation { continuation in
      loop.submit { continuation.resume(returning: body()) }
    }
  }
}
