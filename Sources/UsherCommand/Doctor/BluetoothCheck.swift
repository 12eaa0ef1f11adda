// SPDX-License-Identifier: Apache-2.0

/// A check that the Bluetooth service reports devices to the applications that monitor them.
enum BluetoothCheck {
  static func findings(_ facts: SystemSnapshot) -> [Finding] {
    facts.notifications.bluetooth.findings(
      "bluetooth", object: "Bluetooth devices", list: "usher bluetooth list")
  }
}
