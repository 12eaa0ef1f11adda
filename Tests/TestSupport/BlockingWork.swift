// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Blocking work, run outside the few threads that all tests share.
public enum BlockingWork {
  private static let seats = Semaphore(2)

  /// Runs `body` on a thread of its own, at most two at once.
  ///
  /// It must not contain expectations, because the thread is not part of the test's task.
  public static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await seats.withPermit { try await runAtOnce(body) }
  }

  /// Runs `body` on a thread of its own without a limit, for work that waits for its test.
  public static func runAtOnce<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }
}
