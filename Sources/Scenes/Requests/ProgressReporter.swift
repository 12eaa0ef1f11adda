// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Synchronization

/// A reporter of a request's progress to its caller, limited to the rate at which the broker forwards it.
final class ProgressReporter: Sendable {
  private let send: @Sendable (RequestProgress) -> Void
  private let rate: Mutex<ProgressRate?>

  /// Creates a reporter that sends at most at `rate`; `nil` sends every report.
  init(at rate: ProgressRate? = ProgressRate(), _ send: @escaping @Sendable (RequestProgress) -> Void) {
    self.send = send
    self.rate = Mutex(rate)
  }

  /// Names the request to the broker as one that is being handled: an empty report, which the broker does not forward.
  func begin() { send(RequestProgress()) }

  func report(_ progress: RequestProgress) {
    if rate.withLock({ $0?.take(at: .now) ?? true }) { send(progress) }
  }
}
