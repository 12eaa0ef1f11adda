// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// A check that the Bluetooth service reports devices to the applications that monitor them.
enum BluetoothCheck {
  /// The reply of the trigger daemon about Bluetooth devices.
  struct Status {
    /// The number of applications that monitor devices.
    var applications = 0
    /// The reason why the service reports no devices, and the remedy; `nil` if it does.
    var message: String?

    init() {}

    /// Reads the reply of `org.usher.Triggers1.BluetoothCentrals`.
    init(_ monitored: [String: Variant]) {
      applications =
        Set((monitored["centrals"]?.dictionaries ?? []).compactMap { $0["application"]?.string }).count
      message = monitored["message"]?.string
    }
  }

  static func findings(_ facts: SystemSnapshot) -> [Finding] {
    let status = facts.notifications.bluetooth
    guard status.applications > 0, let message = status.message else { return [] }
    // The messages name the command last.
    let parts = message.split(separator: "; run: ", maxSplits: 1).map(String.init)
    let subject =
      status.applications == 1 ? "an application monitors" : "\(status.applications) applications monitor"
    return [
      Finding(
        check: "bluetooth", message: "\(subject) Bluetooth devices, but \(parts[0])",
        command: parts.count == 2 ? parts[1] : "usher bluetooth list")
    ]
  }
}
