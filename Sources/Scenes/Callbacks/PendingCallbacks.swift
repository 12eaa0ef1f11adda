// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Synchronization

/// The callback answers for which an application waits.
final class PendingCallbacks: Sendable {
  typealias Answer = Result<XCallbackAnswer, SceneError>

  private struct State {
    var waiting: [CallbackAddress: AsyncStream<Answer>.Continuation] = [:]
    /// The error of every wait, because no answer can arrive any longer; `nil` until then.
    var closingError: SceneError?
  }

  private let state = Mutex(State())

  /// Returns a stream that yields the answer to an address once, and finishes after the answer or without one.
  ///
  /// - Throws: the error with which all waits were ended.
  func wait(at address: CallbackAddress) throws(SceneError) -> AsyncStream<Answer> {
    let (answers, answering) = AsyncStream<Answer>.makeStream()
    let closingError: SceneError? = state.withLock { state in
      if state.closingError == nil { state.waiting[address] = answering }
      return state.closingError
    }
    if let closingError { throw closingError }
    return answers
  }

  /// Finishes all waits with an error, which later waits throw.
  func endAll(with error: SceneError) {
    let ended = state.withLock { state in
      state.closingError = error
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for answering in ended {
      answering.yield(.failure(error))
      answering.finish()
    }
  }

  /// Finishes the wait at an address with an answer, and returns `false` if no wait was pending there.
  @discardableResult
  func end(_ address: CallbackAddress, with answer: Answer) -> Bool {
    guard let answering = state.withLock({ $0.waiting.removeValue(forKey: address) }) else { return false }
    answering.yield(answer)
    answering.finish()
    return true
  }

  /// Consumes a request that answers a callback, and returns its reply; `nil` if the request is no such answer.
  ///
  /// An answer without a pending wait is consumed too, and reported as not handled: it is late, repeated or forged.
  func consume(_ request: SceneRequest) -> Reply? {
    guard request.reason == .url, request.urlStrings.count == 1,
      let came = CallbackAddress.read(request.urlString)
    else { return nil }
    return Reply(handled: end(came.address, with: .success(came.answer)))
  }

  /// Returns `true` if a URL has the form of a callback answer, pending or not.
  static func isAnswer(_ url: String) -> Bool { CallbackAddress.read(url) != nil }
}
