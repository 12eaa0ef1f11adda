import BrokerCore
import Systemd

/// The admission of a request, for whose end the later requests of its connection and its caller wait.
@BrokerActor
struct AdmissionTicket {
  private let steps: [(admitted: Promise<Void>, leave: @BrokerActor () -> Void)]

  init(_ admitted: Promise<Void>, leave: @escaping @BrokerActor () -> Void) { steps = [(admitted, leave)] }

  private init(_ steps: [(Promise<Void>, @BrokerActor () -> Void)]) { self.steps = steps }

  /// Returns a ticket that releases both admissions together.
  func and(_ other: AdmissionTicket) -> AdmissionTicket { AdmissionTicket(steps + other.steps) }

  /// Admits the next requests.
  ///
  /// Later calls have no effect.
  func release() {
    for step in steps where step.admitted.fulfil(()) { step.leave() }
  }

  /// Admits the next requests after a delay in which other callers have their turns.
  func release(after delay: Duration) {
    guard delay > .zero else { return release() }
    BrokerActor.loop.start {
      try? await BrokerActor.loop.sleep(for: delay)
      release()
    }
  }

  /// Returns the delay before a caller's next request after one that was expensive or exceeded a limit.
  ///
  /// It leaves most of the time to other callers.
  ///
  /// - Parameters:
  ///   - urlCount: The number of URLs in the request.
  ///   - isBeyondLimit: Whether the request exceeded a limit of the caller.
  nonisolated static func delay(afterURLs urlCount: Int, isBeyondLimit: Bool) -> Duration {
    let forMany: Duration = urlCount > 16 ? .microseconds(100 * min(urlCount, 1_000)) : .zero
    return max(forMany, isBeyondLimit ? .milliseconds(5) : .zero)
  }
}
