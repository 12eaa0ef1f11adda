import BusInterfaces
import Synchronization

/// Tells a caller how far its request has come, not more often than the broker passes it on.
final class ProgressReporter: Sendable {
  private let send: @Sendable (RequestProgress) -> Void
  private let rate: Mutex<ProgressRate?>

  /// A reporter at `rate`; without one everything is told.
  init(at rate: ProgressRate? = ProgressRate(), _ send: @escaping @Sendable (RequestProgress) -> Void) {
    self.send = send
    self.rate = Mutex(rate)
  }

  func report(_ progress: RequestProgress) {
    if rate.withLock({ $0?.take(at: .now) ?? true }) { send(progress) }
  }
}
