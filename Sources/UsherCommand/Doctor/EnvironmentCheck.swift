// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Freedesktop

/// A check that the broker chooses the same applications in its environment as this process does here.
enum EnvironmentCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    snapshot.brokerComparisons.filter(isOther).map { comparison in
      Finding(
        check: "environment",
        message:
          "\(comparison.scheme): the broker chooses \(text(comparison.broker)), but this command chooses "
          + "\(text(comparison.here)), because XDG_DATA_DIRS, XDG_CONFIG_DIRS or PATH differs between the two environments",
        command:
          "dbus-update-activation-environment --systemd PATH XDG_DATA_HOME XDG_DATA_DIRS XDG_CONFIG_HOME "
          + "XDG_CONFIG_DIRS XDG_CURRENT_DESKTOP && \(snapshot.bus.process.restart)")
    }
  }

  /// Only plain results are compared, because rules with a source may decide differently for each of the two callers.
  private static func isOther(_ comparison: BrokerComparison) -> Bool {
    let plain: [Explanation.Verdict] = [.deliver, .none]
    return plain.contains(comparison.broker.verdict) && plain.contains(comparison.here.verdict)
      && comparison.broker.application != comparison.here.application
  }

  private static func text(_ explanation: Explanation) -> String {
    explanation.application ?? "no application"
  }
}
