// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Systemd

/// A value that is set once, and that tasks can await before or after that.
///
/// ```swift
/// let answer = Promise<Int>()
/// loop.start { print(await answer.value) }   // 7
/// answer.fulfil(7)
/// answer.fulfil(8)                     // false: it is set already
/// ```
package final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case awaited(by: [CheckedContinuation<Value, Never>])
    case fulfilled(Value)

    var value: Value? { if case .fulfilled(let value) = self { value } else { nil } }
  }
  private let state = Mutex(State.awaited(by: []))

  /// Creates a promise without a value.
  package init() {}

  /// Sets the value and resumes all waiting tasks in the order of their arrival.
  ///
  /// - Returns: Whether this is the first value; later ones are dropped.
  @discardableResult
  package func fulfil(_ value: Value) -> Bool {
    let waiting: [CheckedContinuation<Value, Never>]? = state.withLock { state in
      guard case .awaited(let waiting) = state else { return nil }
      state = .fulfilled(value)
      return waiting
    }
    for continuation in waiting ?? [] { continuation.resume(returning: value) }
    return waiting != nil
  }

  /// A Boolean value that indicates whether the value is set.
  package var isFulfilled: Bool { state.withLock { $0.value != nil } }

  /// The value, once it is set.
  ///
  /// A cancelled task continues to wait.
  package var value: Value {
    get async {
      // The value is usually set already, so that no continuation is needed.
      if let value = state.withLock({ $0.value }) { return value }
      return await withCheckedContinuation { continuation in
        let value: Value? = state.withLock { state in
          if case .awaited(let waiting) = state { state = .awaited(by: waiting + [continuation]) }
          return state.value
        }
        if let value { continuation.resume(returning: value) }
      }
    }
  }
}

extension Promise {
  /// Returns the value, or `late` if it is not set within `limit`; a later one is dropped.
  @BrokerActor
  func value(within limit: Duration, otherwise late: Value) async -> Value {
    let timer = LoopTimer(on: BrokerActor.loop, after: limit) { self.fulfil(late) }
    defer { timer?.cancel() }
    return await value
  }
}
