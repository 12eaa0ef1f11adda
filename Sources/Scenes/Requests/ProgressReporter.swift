import BusInterfaces
import Synchronization

/// Tells a caller how far its request has come, not more often than the broker passes it on.
final class ProgressReporter: Sendable {
  private let send: @Sendable (HandlingProgress) -> Void
  private let rate = Mutex(ProgressRate())

  init(_ send: @escaping @Sendable (HandlingProgress) -> Void) { self.send = send }

  func report(_ progress: HandlingProgress) {
    if rate.withLock({ $0.take(at: .now) }) { send(progress) }
  }
}
