// SPDX-License-Identifier: Apache-2.0
import DBus

/// The status of the Bluetooth service for this daemon.
enum BluetoothServiceStatus: MonitoredServiceStatus {
  /// No application monitors devices, or publishes services.
  case off
  /// The service is being asked.
  case starting
  /// An adapter is turned on.
  case active
  /// All adapters are turned off.
  case turnedOff
  /// The computer has no adapter.
  case noAdapter
  /// BlueZ does not run.
  case notRunning
  /// The system bus cannot be reached.
  case noBus
  /// The service rejects a call; the name of the error.
  case failed(ErrorName)

  /// The status of a service that runs, by whether each adapter is turned on.
  init(adapters: some Collection<Bool>) {
    self = adapters.isEmpty ? .noAdapter : adapters.contains(true) ? .active : .turnedOff
  }

  /// The name in `BluetoothCentrals` and `BluetoothPeripherals` of `org.usher.Triggers1`.
  var name: String {
    switch self {
    case .off: "off"
    case .starting: "starting"
    case .active: "active"
    case .turnedOff: "turned-off"
    case .noAdapter: "no-adapter"
    case .notRunning: "not-running"
    case .noBus: "no-bus"
    case .failed: "failed"
    }
  }

  /// The error and its remedy; `nil` if there is none.
  var message: String? {
    switch self {
    case .off, .starting, .active: nil
    case .turnedOff: "Bluetooth is turned off; run: bluetoothctl power on"
    case .noAdapter: "the computer has no Bluetooth adapter; plug one in"
    case .notRunning:
      "BlueZ, the Bluetooth service, does not run; run: sudo apt install bluez && sudo systemctl start bluetooth.service"
    case .noBus:
      "the system bus, on which BlueZ reports devices, cannot be reached; usher-triggers connects when it starts"
    case .failed(let error):
      "BlueZ fails (\(error)); read its journal (journalctl -u bluetooth); run: systemctl --user restart usher-triggers.service"
    }
  }
}
