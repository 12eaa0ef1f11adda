public import BusInterfaces
import Synchronization

/// The caller of a request in the form of x-callback-url, who hears of its end by a URL of its own: once, whoever says what how
/// often.
///
/// What the handler returns answers: `handled` and its value `x-success`, `notHandled` and what is thrown `x-error`, a
/// cancellation `x-cancel`. A handler that has more to say calls ``answer(_:)`` before; one whose answer comes later, because a
/// person is asked, calls ``answerLater()`` and keeps this object. When it lets go of it without an answer, that is an error.
public final class RequestCallback: Sendable {
  /// The request, with its action and parameters.
  public let url: XCallbackURL
  private let state = Mutex(State.open)
  private let send: @Sendable (String) -> Void

  private enum State {
    case open
    /// The end of the handler is no answer.
    case later
    case answered
  }

  /// - Parameter send: opens the caller's URL.
  init(_ url: XCallbackURL, _ send: @escaping @Sendable (String) -> Void) {
    self.url = url
    self.send = send
  }

  deinit {
    if state.withLock({ $0 == .later }) {
      answer(.error(code: Self.failed, message: "the application gave no answer"))
    }
  }

  /// Tells the caller; `false` where it was told before, and nothing happens then.
  @discardableResult
  public func answer(_ answer: XCallbackAnswer) -> Bool {
    let isFirst = state.withLock { state in
      defer { state = .answered }
      return state != .answered
    }
    if isFirst, let url = url.callback(for: answer) { send(url) }
    return isFirst
  }

  /// Has ``answer(_:)`` answer, and not the end of the handler.
  public func answerLater() {
    state.withLock { if $0 == .open { $0 = .later } }
  }

  /// The handler has ended.
  func close(_ result: Result<SceneResult, any Error>) {
    guard state.withLock({ $0 == .open }) else { return }
    switch result {
    case .success(let result) where result.isHandled: answer(.success(Self.parameters(of: result.value)))
    case .success: answer(.error(code: "NotHandled", message: "the application does not do this"))
    case .failure(let error) where error is CancellationError: answer(.cancel)
    case .failure(let error): answer(.error(code: Self.failed, message: "\(error)"))
    }
  }

  private static let failed = "TargetFailed"

  /// The entries of a dictionary in the order of their names; any other value as `result`.
  private static func parameters(of value: PropertyList?) -> [XCallbackURL.Parameter] {
    guard let value else { return [] }
    guard let entries = value.dictionary else { return [XCallbackURL.Parameter("result", text(value))] }
    return entries.sorted { $0.key < $1.key }.map { XCallbackURL.Parameter($0.key, text($0.value)) }
  }

  /// A string as it is, anything else as JSON.
  private static func text(_ value: PropertyList) -> String { value.string ?? value.json }
}
