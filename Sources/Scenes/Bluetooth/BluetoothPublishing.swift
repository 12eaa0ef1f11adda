// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
package import Triggers

/// A service that publishes Bluetooth peripherals of one application.
package protocol BluetoothPublishing: Sendable {
  /// Returns the peripheral with an identifier; `nil` if there is none.
  nonisolated(nonsending) func peripheral(
    _ identifier: String
  ) async throws(SceneError) -> BluetoothPeripheral?
  /// Publishes a peripheral, replacing one with its identifier.
  nonisolated(nonsending) func add(_ peripheral: BluetoothPeripheral) async throws(SceneError)
  /// Stores a value, and sends it to the devices that have subscribed to it.
  nonisolated(nonsending) func update(_ update: BluetoothValueUpdate) async throws(SceneError)
  /// Withdraws a peripheral.
  nonisolated(nonsending) func removePeripheral(_ identifier: String) async throws(SceneError)
}

/// The calls for Bluetooth peripherals, of `BluetoothPublishing`.
extension TriggersClient {
  private typealias Interface = TriggersInterface

  nonisolated(nonsending) func peripheral(
    _ identifier: String
  ) async throws(SceneError) -> BluetoothPeripheral? {
    let published = try await call(Interface.bluetoothPeripherals, as: SceneError.bluetoothFailed)
    // A caller that acts for the user sees the peripherals of all applications.
    let own = (published["peripherals"]?.dictionaries ?? []).first {
      $0["application"]?.string == application && $0["identifier"]?.string == identifier
    }
    return own.flatMap { try? BluetoothPeripheral($0) }
  }

  nonisolated(nonsending) func add(_ peripheral: BluetoothPeripheral) async throws(SceneError) {
    try await call(
      Interface.addBluetoothPeripheral, application, peripheral.entries, as: SceneError.bluetoothFailed)
  }

  nonisolated(nonsending) func update(_ update: BluetoothValueUpdate) async throws(SceneError) {
    try await call(
      Interface.updateBluetoothValue, application, update.entries, as: SceneError.bluetoothFailed)
  }

  nonisolated(nonsending) func removePeripheral(_ identifier: String) async throws(SceneError) {
    try await call(
      Interface.removeBluetoothPeripherals, application, [identifier], as: SceneError.bluetoothFailed)
  }
}
