import BusInterfaces
import DBus

/// One request in a target's queue.
///
/// It belongs to its `Target` and is never seen outside.
final class TargetRequest {
  enum State {
    /// Not sent yet: it can be withdrawn.
    case queued
    /// Sent: nobody can take it back.
    case sent
    /// Seen to arrive; whether it is handled is still open.
    case delivered(Delivery)
    /// Over.
    case finished(Delivery)
  }

  let number: Int
  var envelope: Envelope
  let wait: OpenOptions.Wait
  var state = State.queued
  /// How often it was sent.
  var attempts = 0
  /// Where it was last sent as an envelope.
  var addressee: BusAddressee?
  /// Carries the one answer to whoever asks for it, now or later.
  let answers: AsyncStream<Delivery>
  private let answering: AsyncStream<Delivery>.Continuation

  init(number: Int, envelope: Envelope, wait: OpenOptions.Wait) {
    self.number = number
    self.envelope = envelope
    self.wait = wait
    (answers, answering) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
  }

  var isQueued: Bool { if case .queued = state { true } else { false } }
  var isSent: Bool { if case .sent = state { true } else { false } }
  var isFinished: Bool { if case .finished = state { true } else { false } }

  /// What can be said to a caller who is satisfied by `wait`.
  var answer: Delivery? {
    switch state {
    case .queued, .sent: nil
    case .delivered(let delivery): wait == .handled ? nil : delivery
    case .finished(let delivery): delivery
    }
  }

  /// Answers the caller; what is said later is too late.
  func tell(_ delivery: Delivery) {
    answering.yield(delivery)
    answering.finish()
  }

  func move(to state: State) {
    guard !isFinished else { return }
    self.state = state
    if let answer { tell(answer) }
  }
}
