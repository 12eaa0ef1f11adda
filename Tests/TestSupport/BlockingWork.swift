import Foundation

/// Work that holds its thread, kept off the few threads that all tests share.
public enum BlockingWork {
  private static let seats = Seats(2)

  /// Does `body` on a thread of its own, two of them at once.
  ///
  /// No expectation belongs in it: a thread of its own is no part of the test.
  public static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await seats.sit { try await runAtOnce(body) }
  }

  /// The same without waiting for others, for work that itself waits for its test.
  public static func runAtOnce<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }
}
