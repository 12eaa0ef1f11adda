// SPDX-License-Identifier: Apache-2.0
package import BrokerCore
import BusInterfaces
package import DBus

/// The time in which the user is not asked about sign-ins and registrations of a machine, because the last one was not allowed.
///
/// The broker has one for each machine, which refuses questions that wait for their turn, and the relay has one that refuses later requests
/// at once.
@BrokerActor
package final class RefusalPause {
  private var end = ContinuousClock.now
  private var lastWithdrawal: ContinuousClock.Instant?

  /// Creates a pause that has not begun.
  package init() {}

  /// Begins the time, so that a machine cannot ask until the user gives in.
  package func begin() { end = .now + BrokerLimits.refusal }

  /// Records that the machine has withdrawn a question while the user was asked; a second one within `BrokerLimits.refusal` begins the pause.
  package func noteWithdrawal() {
    if let last = lastWithdrawal, last.duration(to: .now) < BrokerLimits.refusal { begin() }
    lastWithdrawal = .now
  }

  /// Returns the error for a question of a machine; `nil` if the user may be asked.
  package func obstacle(for machine: RemoteMachine) -> BusError? {
    let rest = ContinuousClock.now.duration(to: end)
    guard rest > .zero else { return nil }
    return BusError(
      .denied,
      "the user has not allowed a sign-in or a registration of \(machine.shortTitle) within the last \(BrokerLimits.refusal.components.seconds) s, "
        + "and is not asked again yet; try again in \(rest.components.seconds + 1) s")
  }
}
