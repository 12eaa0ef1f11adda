// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
import Synchronization

/// The callback of a request in the form of x-callback-url, which answers the caller once by opening a URL of the caller.
///
/// Unless the handler answers explicitly, its result selects the URL: `handled` and its value open `x-success`,
/// `notHandled` and a thrown error open `x-error`, a cancellation opens `x-cancel`. A handler calls ``answer(_:)`` to
/// send a different answer. A handler whose answer is ready only after it returns, for example because the user is
/// prompted, calls ``answerLater()`` and retains this object. If the object is released without an answer, the caller
/// gets an error.
public final class RequestCallback: Sendable {
  /// The request, with its action and parameters.
  public let url: XCallbackURL
  private let state = Mutex(State.open)
  private let send: @Sendable (String) -> Void

  private enum State {
    case open
    /// The handler's return is not an answer; the handler answers explicitly.
    case later
    case answered
  }

  /// Creates the callback of a request.
  ///
  /// - Parameter send: opens a URL of the caller.
  init(_ url: XCallbackURL, _ send: @escaping @Sendable (String) -> Void) {
    self.url = url
    self.send = send
  }

  deinit {
    if state.withLock({ $0 == .later }) {
      answer(.error(code: Self.failed, message: "the application did not answer"))
    }
  }

  /// Answers the caller, and returns `false` without effect if the caller already has an answer.
  @discardableResult
  public func answer(_ answer: XCallbackAnswer) -> Bool {
    let isFirst = state.withLock { state in
      defer { state = .answered }
      return state != .answered
    }
    if isFirst, let url = url.callback(for: answer) { send(url) }
    return isFirst
  }

  /// Defers the answer to a call of ``answer(_:)``, so that the handler's return does not answer the caller.
  public func answerLater() {
    state.withLock { if $0 == .open { $0 = .later } }
  }

  /// Answers the caller with the handler's result, unless the handler answered or called ``answerLater()``.
  func close(_ result: Result<SceneResult, any Error>) {
    guard state.withLock({ $0 == .open }) else { return }
    switch result {
    case .success(let result) where result.isHandled: answer(.success(Self.parameters(of: result.value)))
    case .success:
      answer(
        .error(code: "NotHandled", message: "the application does not support this x-callback-url action"))
    case .failure(let error) where error is CancellationError: answer(.cancel)
    case .failure(let error): answer(.error(code: Self.failed, message: "\(error)"))
    }
  }

  private static let failed = "TargetFailed"

  /// Returns the entries of a dictionary, sorted by key; for any other value one parameter `result`.
  private static func parameters(of value: PropertyList?) -> [XCallbackURL.Parameter] {
    guard let value else { return [] }
    guard let entries = value.dictionary else { return [XCallbackURL.Parameter("result", text(value))] }
    return entries.sorted { $0.key < $1.key }.map { XCallbackURL.Parameter($0.key, text($0.value)) }
  }

  /// Returns a string unchanged, and any other value as JSON.
  private static func text(_ value: PropertyList) -> String { value.string ?? value.json }
}
