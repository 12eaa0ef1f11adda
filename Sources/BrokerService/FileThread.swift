// SPDX-License-Identifier: Apache-2.0
import Systemd

/// A thread for calls that use files of the user, one after the other; it is started by the first call.
///
/// A disk that does not respond delays only the tasks that need such files, and not the event loop.
public struct FileThread: Sendable {
  private let thread = EventLoop()

  /// Creates a thread.
  public init() {}

  /// Returns the result of `body`, however long that takes.
  public func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      thread.submit { continuation.resume(returning: body()) }
    }
  }
}
