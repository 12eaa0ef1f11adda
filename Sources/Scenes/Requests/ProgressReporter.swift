import BusInterfaces
import Synchronization

/// Tells a caller how far its request has come, not more often than somebody could see.
final class ProgressReporter: Sendable {
  /// The broker takes twenty a second of a request.
  private static let interval = Duration.milliseconds(50)

  private let send: @Sendable (HandlingProgress) -> Void
  private let last = Mutex<ContinuousClock.Instant?>(nil)

  init(_ send: @escaping @Sendable (HandlingProgress) -> Void) { self.send = send }

  func report(_ progress: HandlingProgress) {
    let isTooSoon = last.withLock { last in
      if let last, ContinuousClock.now - last < Self.interval { return true }
      last = .now
      return false
    }
    if !isTooSoon { send(progress) }
  }
}
