// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A completion handler of UIKit as an asynchronous call.
///
/// The handler may be called on any thread; only its first call counts. A handler that is released without a call
/// counts as called with a default, so that the request does not wait forever.
package final class Completion<Value: Sendable>: Sendable {
  private enum State {
    case pending
    case waiting(CheckedContinuation<Value, Never>)
    case finished(Value)
  }

  private let state = Mutex(State.pending)

  private init() {}

  private func finish(_ value: Value) {
    let waiting: CheckedContinuation<Value, Never>? = state.withLock { state in
      switch state {
      case .pending:
        state = .finished(value)
        return nil
      case .waiting(let continuation):
        state = .finished(value)
        return continuation
      case .finished: return nil
      }
    }
    waiting?.resume(returning: value)
  }

  private var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let finished: Value? = state.withLock { state in
          if case .finished(let value) = state { return value }
          state = .waiting(continuation)
          return nil
        }
        if let finished { continuation.resume(returning: finished) }
      }
    }
  }

  /// The handler that the delegate holds; without it, the completion has its default.
  private final class Handler: Sendable {
    private let completion: Completion
    private let fallback: Value

    init(_ completion: Completion, _ fallback: Value) {
      self.completion = completion
      self.fallback = fallback
    }

    deinit { completion.finish(fallback) }

    func callAsFunction(_ value: Value) { completion.finish(value) }
  }

  /// Calls `body` with a completion handler, and returns the value of the handler's first call.
  ///
  /// - Parameter fallback: the value if the handler is released without a call.
  nonisolated(nonsending) package static func wait(
    orReleased fallback: Value,
    _ body: nonisolated(nonsending) (@escaping @Sendable (Value) -> Void) async throws -> Void
  ) async throws -> Value {
    let completion = Completion()
    try await body(handler(of: completion, fallback))
    return await completion.value
  }

  /// Calls a synchronous `body` of the main actor with a completion handler, and returns the value of its first call.
  ///
  /// - Parameter fallback: the value if the handler is released without a call.
  @MainActor package static func waitOnMain(
    orReleased fallback: Value, _ body: (@escaping @Sendable (Value) -> Void) throws -> Void
  ) async throws -> Value {
    let completion = Completion()
    try body(handler(of: completion, fallback))
    return await completion.value
  }

  private static func handler(of completion: Completion, _ fallback: Value) -> @Sendable (Value) -> Void {
    let handler = Handler(completion, fallback)
    return { handler($0) }
  }
}
