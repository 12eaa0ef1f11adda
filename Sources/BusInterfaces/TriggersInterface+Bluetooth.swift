// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The methods for Bluetooth devices.
extension TriggersInterface {
  /// Returns whether the user allows an application to be started for Bluetooth devices; asks the user once.
  public static let requestBluetoothAuthorization = BusMethod<Arguments<String>, Arguments<Bool>>(
    "RequestBluetoothAuthorization", of: name, takes: ["application"], returns: ["granted"])
  /// Returns whether the user allows an application to be started for Bluetooth devices, without asking the user.
  public static let bluetoothAuthorization = BusMethod<Arguments<String>, Arguments<String>>(
    "BluetoothAuthorization", of: name, takes: ["application"], returns: ["status"])
  /// Monitors the devices and services of a central.
  public static let addBluetoothCentral = BusMethod<Arguments<String, [String: Variant]>, Arguments<>>(
    "AddBluetoothCentral", of: name, takes: ["application", "central"])
  /// Ends the monitoring of centrals.
  public static let removeBluetoothCentrals = BusMethod<Arguments<String, [String]>, Arguments<>>(
    "RemoveBluetoothCentrals", of: name, takes: ["application", "identifiers"])
  /// Ends the monitoring of all centrals of an application.
  public static let removeAllBluetoothCentrals = BusMethod<Arguments<String>, Arguments<>>(
    "RemoveAllBluetoothCentrals", of: name, takes: ["application"])
  /// Returns the centrals of the caller, and the status of the Bluetooth service.
  public static let bluetoothCentrals = BusMethod<Arguments<>, Arguments<[String: Variant]>>(
    "BluetoothCentrals", of: name, returns: ["monitored"])

  /// Offers the services of a peripheral to other devices.
  public static let addBluetoothPeripheral = BusMethod<Arguments<String, [String: Variant]>, Arguments<>>(
    "AddBluetoothPeripheral", of: name, takes: ["application", "peripheral"])
  /// Sets a value of a peripheral, and sends it to the devices that have subscribed.
  public static let updateBluetoothValue = BusMethod<Arguments<String, [String: Variant]>, Arguments<>>(
    "UpdateBluetoothValue", of: name, takes: ["application", "update"])
  /// Withdraws the services of peripherals.
  public static let removeBluetoothPeripherals = BusMethod<Arguments<String, [String]>, Arguments<>>(
    "RemoveBluetoothPeripherals", of: name, takes: ["application", "identifiers"])
  /// Withdraws the services of all peripherals of an application.
  public static let removeAllBluetoothPeripherals = BusMethod<Arguments<String>, Arguments<>>(
    "RemoveAllBluetoothPeripherals", of: name, takes: ["application"])
  /// Returns the peripherals of the caller, and the status of the Bluetooth service.
  public static let bluetoothPeripherals = BusMethod<Arguments<>, Arguments<[String: Variant]>>(
    "BluetoothPeripherals", of: name, returns: ["published"])
}
