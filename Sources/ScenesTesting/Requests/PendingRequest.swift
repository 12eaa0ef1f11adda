// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import Scenes

/// A request that was passed to the application, and may not be answered yet.
public struct PendingRequest: Sendable {
  /// The delivered envelope.
  public let envelope: Envelope
  /// The progress reports of the application, which can be iterated once; the stream finishes with the answer.
  ///
  /// It contains every report. The broker, in contrast, omits a report within 50 ms of the last forwarded one.
  public let progress: AsyncStream<RequestProgress>
  let answer: Task<InProcessApplication.Answer?, Never>
  let rehearsal: InProcessApplication

  /// Passes a request to the application, and returns when it is in the queue.
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
    await rehearsal.enqueue(envelope, progress: { teller.yield($0) }) { answer in
      teller.finish()
      answering.yield(answer)
    }
  }

  /// The application's result, once it has answered.
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

  /// Cancels the request, like a caller: a queued request is not handled, the task of a running one is cancelled.
  public func withdraw() async { await rehearsal.cancel(envelope.requestID) }
}
