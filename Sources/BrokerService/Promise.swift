import Synchronization

/// A value that comes once, for whoever waits for it then or asks later.
///
/// ```swift
/// let answer = Promise<Int>()
/// loop.start { print(await answer.value) }   // 7
/// answer.fulfil(7)
/// answer.fulfil(8)                     // false: it has come
/// ```
final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case awaited(by: [CheckedContinuation<Value, Never>])
    case fulfilled(Value)

    var value: Value? { if case .fulfilled(let value) = self { value } else { nil } }
  }
  private let state = Mutex(State.awaited(by: []))

  /// A value that has not come.
  init() {}

  /// Gives the value to all who wait, in the order in which they came, and to all who will ask.
  ///
  /// - Returns: whether it is the first; one that comes later is dropped.
  @discardableResult
  func fulfil(_ value: Value) -> Bool {
    let waiting: [CheckedContinuation<Value, Never>]? = state.withLock { state in
      guard case .awaited(let waiting) = state else { return nil }
      state = .fulfilled(value)
      return waiting
    }
    for continuation in waiting ?? [] { continuation.resume(returning: value) }
    return waiting != nil
  }

  /// The value, once it has come; a task that is cancelled goes on waiting.
  var value: Value {
    get async {
      // Most often it is there, and nobody has to be woken.
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
