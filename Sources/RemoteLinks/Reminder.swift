// SPDX-License-Identifier: Apache-2.0
import BrokerService
import Systemd

/// Repeated messages to clients that wait for the user, because a client expects a message within its timeout.
@BrokerActor
enum Reminder {
  /// Calls `remind` at intervals of ``RelayLimits/reminder``, until the task is cancelled.
  static func start(_ remind: @escaping @BrokerActor () -> Void) -> Task<Void, Never> {
    EventLoop.shared.start {
      while (try? await EventLoop.shared.sleep(for: RelayLimits.reminder)) != nil { remind() }
    }
  }
}
