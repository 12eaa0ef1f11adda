public import BusInterfaces
public import Scenes

/// A request that the application has, and may not have answered yet.
public struct PendingRequest: Sendable {
  /// What was handed over.
  public let envelope: Envelope
  /// What the application tells while it handles the request, to be gone through once; it ends with the answer.
  ///
  /// All of it is here. The broker leaves out what comes sooner than 50 ms after what it passed on before.
  public let progress: AsyncStream<RequestProgress>
  let answer: Task<InProcessApplication.Answer?, Never>
  let rehearsal: InProcessApplication

  /// Hands a request over, and returns when it is in the queue.
  init(_ envelope: Envelope, to rehearsal: InProcessApplication, hasEnded: Bool) async {
    self.envelope = envelope
    self.rehearsal = rehearsal
    let (progress, teller) = AsyncStream<RequestProgress>.makeStream()
    let (answers, answering) = AsyncStream<InProcessApplication.Answer>.makeStream()
    self.progress = progress
    answer = Task { await answers.first { _ in true } }
    guard !hasEnded else {
      teller.finish()
      answering.yield(.failed("the application has ended"))
      return
    }
    await rehearsal.take(envelope, progress: { teller.yield($0) }) { answer in
      teller.finish()
      answering.yield(answer)
    }
  }

  /// What the application made of it, when it has.
  public var result: SceneResult {
    get async throws(RequestFailure) {
      switch await answer.value {
      case .replied(let reply):
        if let error = reply.error { throw .failed(error) }
        return reply.handled ? reply.value.map(SceneResult.handled) ?? .handled : .notHandled
      case .cancelled, nil: throw .cancelled
      case .failed(let error): throw .failed(error)
      }
    }
  }

  /// Withdraws the request, as a caller does who gives up: what waits is not handled, the task of what is handled is cancelled.
  public func withdraw() async { await rehearsal.cancel(envelope.requestID) }
}
