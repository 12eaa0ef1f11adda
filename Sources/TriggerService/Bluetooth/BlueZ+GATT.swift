// SPDX-License-Identifier: Apache-2.0
import DBus
import Triggers

/// The D-Bus interfaces with which BlueZ offers the services of a program to other devices.
extension BlueZ {
  static let gattManager: InterfaceName = "org.bluez.GattManager1"
  static let gattService: InterfaceName = "org.bluez.GattService1"
  static let gattCharacteristic: InterfaceName = "org.bluez.GattCharacteristic1"
  static let advertisingManager: InterfaceName = "org.bluez.LEAdvertisingManager1"
  static let advertisement: InterfaceName = "org.bluez.LEAdvertisement1"

  static let registerApplication = BusMethod<Arguments<ObjectPath, [String: Variant]>, Arguments<>>(
    "RegisterApplication", of: gattManager, takes: ["application", "options"])
  static let unregisterApplication = BusMethod<Arguments<ObjectPath>, Arguments<>>(
    "UnregisterApplication", of: gattManager, takes: ["application"])
  static let registerAdvertisement = BusMethod<Arguments<ObjectPath, [String: Variant]>, Arguments<>>(
    "RegisterAdvertisement", of: advertisingManager, takes: ["advertisement", "options"])
  static let unregisterAdvertisement = BusMethod<Arguments<ObjectPath>, Arguments<>>(
    "UnregisterAdvertisement", of: advertisingManager, takes: ["advertisement"])

  static let readValue = BusMethod<Arguments<[String: Variant]>, Arguments<[UInt8]>>(
    "ReadValue", of: gattCharacteristic, takes: ["options"], returns: ["value"])
  static let writeValue = BusMethod<Arguments<[UInt8], [String: Variant]>, Arguments<>>(
    "WriteValue", of: gattCharacteristic, takes: ["value", "options"])
  static let startNotify = BusMethod<Arguments<>, Arguments<>>("StartNotify", of: gattCharacteristic)
  static let stopNotify = BusMethod<Arguments<>, Arguments<>>("StopNotify", of: gattCharacteristic)
  static let release = BusMethod<Arguments<>, Arguments<>>("Release", of: advertisement)
}

extension BluetoothAddress {
  /// Reads the address from the path of a device of BlueZ, such as `/org/bluez/hci0/dev_00_1A_7D_DA_71_13`.
  init?(blueZ path: ObjectPath) {
    guard let name = path.rawValue.split(separator: "/").last, name.hasPrefix("dev_") else { return nil }
    self.init(String(name.dropFirst(4)).replacing("_", with: ":"))
  }
}

extension BusError {
  /// Creates the error of which BlueZ makes the error of the Attribute Protocol (`dbus_error_to_att_ecode`).
  init(_ error: BluetoothAttributeError) {
    let (name, message): (ErrorName, String) =
      switch error {
      case .readNotPermitted: ("org.bluez.Error.NotPermitted", "the value cannot be read")
      case .writeNotPermitted: ("org.bluez.Error.NotPermitted", "the value cannot be written")
      case .invalidOffset: ("org.bluez.Error.InvalidOffset", "the offset is beyond the value")
      case .invalidAttributeValueLength: ("org.bluez.Error.InvalidValueLength", "the value is too long")
      case .insufficientAuthorization:
        ("org.bluez.Error.NotAuthorized", "the user does not allow it to the application")
      // BlueZ makes 0x0E, “unlikely error”, of every name that is not its own.
      case .unlikelyError: (.failed, "the operation cannot be performed now")
      }
    self.init(name, message)
  }
}
