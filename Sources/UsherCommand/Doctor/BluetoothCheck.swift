// SPDX-License-Identifier: Apache-2.0

/// A check that the Bluetooth service works for the applications that monitor devices, or that offer services to devices.
enum BluetoothCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    snapshot.notifications.bluetooth.findings(
      "bluetooth", object: "Bluetooth devices", list: "usher bluetooth list")
      + snapshot.notifications.peripherals.findings(
        "bluetooth", verb: "offer", object: "services to Bluetooth devices",
        list: "usher bluetooth services")
  }
}
