// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
package import Triggers

/// A service that monitors Bluetooth devices for one application.
package protocol BluetoothMonitoring: Sendable {
  /// Asks the user once, and returns the answer.
  nonisolated(nonsending) func requestBluetoothAuthorization() async throws(SceneError) -> Bool
  /// Returns the user's answer.
  nonisolated(nonsending) func bluetoothAuthorization() async throws(SceneError)
    -> BluetoothAuthorizationStatus
  /// Returns the central with an identifier; `nil` if there is none.
  nonisolated(nonsending) func central(_ identifier: String) async throws(SceneError) -> BluetoothCentral?
  /// Monitors a central, replacing one with its identifier.
  nonisolated(nonsending) func add(_ central: BluetoothCentral) async throws(SceneError)
  /// Ends the monitoring of a central.
  nonisolated(nonsending) func removeCentral(_ identifier: String) async throws(SceneError)
}

/// The calls for Bluetooth devices, of `BluetoothMonitoring`.
extension TriggersClient {
  private typealias Interface = TriggersInterface

  nonisolated(nonsending) func requestBluetoothAuthorization() async throws(SceneError) -> Bool {
    // The user may take any time to answer.
    try await call(
      Interface.requestBluetoothAuthorization, application, timeout: nil, as: SceneError.bluetoothFailed)
  }

  nonisolated(nonsending) func bluetoothAuthorization() async throws(SceneError)
    -> BluetoothAuthorizationStatus
  {
    let status = try await call(
      Interface.bluetoothAuthorization, application, as: SceneError.bluetoothFailed)
    return BluetoothAuthorizationStatus(rawValue: status) ?? .notDetermined
  }

  nonisolated(nonsending) func central(
    _ identifier: String
  ) async throws(SceneError) -> BluetoothCentral? {
    let monitored = try await call(Interface.bluetoothCentrals, as: SceneError.bluetoothFailed)
    // A caller that acts for the user sees the centrals of all applications.
    let own = (monitored["centrals"]?.dictionaries ?? []).first {
      $0["application"]?.string == application && $0["identifier"]?.string == identifier
    }
    return own.flatMap { try? BluetoothCentral($0) }
  }

  nonisolated(nonsending) func add(_ central: BluetoothCentral) async throws(SceneError) {
    try await call(
      Interface.addBluetoothCentral, application, central.entries, as: SceneError.bluetoothFailed)
  }

  nonisolated(nonsending) func removeCentral(_ identifier: String) async throws(SceneError) {
    try await call(
      Interface.removeBluetoothCentrals, application, [identifier], as: SceneError.bluetoothFailed)
  }
}
