// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Triggers

/// The D-Bus interfaces of BlueZ, the Bluetooth service of the system bus.
enum BlueZ {
  typealias Interfaces = [String: [String: Variant]]

  static let busName: BusName = "org.bluez"
  static let objectManager = RemoteObject(busName, "/")
  static let device: InterfaceName = "org.bluez.Device1"
  static let adapter: InterfaceName = "org.bluez.Adapter1"

  private static let objectManagerInterface: InterfaceName = "org.freedesktop.DBus.ObjectManager"

  static let getManagedObjects = BusMethod<Arguments<>, Arguments<[ObjectPath: Interfaces]>>(
    "GetManagedObjects", of: objectManagerInterface, returns: ["objects"])
  static let interfacesAdded = BusSignal<Arguments<ObjectPath, Interfaces>>(
    "InterfacesAdded", of: objectManagerInterface, carries: ["object", "interfaces"])
  static let interfacesRemoved = BusSignal<Arguments<ObjectPath, [String]>>(
    "InterfacesRemoved", of: objectManagerInterface, carries: ["object", "interfaces"])

  static let setDiscoveryFilter = BusMethod<Arguments<[String: Variant]>, Arguments<>>(
    "SetDiscoveryFilter", of: adapter, takes: ["properties"])
  static let startDiscovery = BusMethod<Arguments<>, Arguments<>>("StartDiscovery", of: adapter)
  static let stopDiscovery = BusMethod<Arguments<>, Arguments<>>("StopDiscovery", of: adapter)
}

extension BusError {
  /// A Boolean value that is `true` if the service has exited before it answered.
  var isExitOfService: Bool {
    [.noReply, .disconnected, .nameHasNoOwner, .serviceUnknown].contains(busFailure)
  }
}

extension BluetoothDevice {
  /// Reads the properties of a device of BlueZ; `nil` without an address.
  init?(blueZ values: [String: Variant]) {
    guard let address = values["Address"]?.string.flatMap({ BluetoothAddress($0) }) else { return nil }
    let name = (values["Alias"] ?? values["Name"])?.string
    self.init(
      address: address,
      // BlueZ makes an alias of the address if the device has no name.
      name: name.flatMap { $0.isEmpty || $0 == address.text.replacing(":", with: "-") ? nil : $0 },
      services: Set((values["UUIDs"]?.strings ?? []).compactMap { BluetoothUUID($0) }),
      isConnected: values["Connected"]?.boolean == true,
      // BlueZ has the signal strength only of devices that it receives during a discovery.
      isAdvertising: values["RSSI"] != nil)
  }
}
