// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus

/// The time in which the user is not asked again, because the last question of the machine was not allowed.
@BrokerActor
final class RefusalPause {
  private var end = ContinuousClock.now
  private var lastWithdrawal: ContinuousClock.Instant?

  /// Begins the time, so that a machine cannot ask until the user gives in.
  func begin() { end = .now + RelayLimits.refusal }

  /// Records that the machine has withdrawn a question while the user was asked; a second one within `RelayLimits.refusal` begins the pause.
  func noteWithdrawal() {
    if let last = lastWithdrawal, last.duration(to: .now) < RelayLimits.refusal { begin() }
    lastWithdrawal = .now
  }

  /// Returns the error for a question of a machine; `nil` if the user may be asked.
  func obstacle(for machine: RemoteMachine) -> BusError? {
    let rest = ContinuousClock.now.duration(to: end)
    guard rest > .zero else { return nil }
    return BusError(
      .denied,
      "the user has not allowed a sign-in or a registration of \(machine.shortTitle) within the last \(RelayLimits.refusal.components.seconds) s, "
        + "and is not asked again yet; try again in \(rest.components.seconds + 1) s")
  }
}
