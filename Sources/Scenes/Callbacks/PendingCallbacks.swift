import BusInterfaces
import Synchronization

/// The answers that an application waits for.
final class PendingCallbacks: Sendable {
  typealias Answer = Result<XCallbackAnswer, SceneError>

  private let waiting = Mutex<[CallbackAddress: AsyncStream<Answer>.Continuation]>([:])

  /// Waits at an address, until it has got one answer or is closed.
  func wait(at address: CallbackAddress) -> AsyncStream<Answer> {
    let (answers, answering) = AsyncStream<Answer>.makeStream()
    waiting.withLock { $0[address] = answering }
    return answers
  }

  /// Ends the waiting at an address, if it goes on; whether it did.
  @discardableResult
  func end(_ address: CallbackAddress, with answer: Answer) -> Bool {
    guard let answering = waiting.withLock({ $0.removeValue(forKey: address) }) else { return false }
    answering.yield(answer)
    answering.finish()
    return true
  }

  /// Takes what came for somebody who waits; `nil` where it is no answer.
  ///
  /// One that nobody waits for is an answer, too, and not handled: it came too late, or again, or from somebody who guesses.
  func take(_ request: SceneRequest) -> Reply? {
    guard request.reason == .url, request.urlStrings.count == 1,
      let came = CallbackAddress.read(request.urlString)
    else { return nil }
    return Reply(handled: end(came.address, with: .success(came.answer)))
  }

  /// Whether a URL brings an answer, of whatever wait.
  static func isAnswer(_ url: String) -> Bool { CallbackAddress.read(url) != nil }
}
