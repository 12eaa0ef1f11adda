// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

/// A group of values that a peripheral offers to other devices, corresponding to `CBMutableService`.
public struct BluetoothService: Hashable, Sendable {
  /// The UUID, which is unique in its peripheral.
  public var uuid: BluetoothUUID
  /// A Boolean value that is `false` if the service only completes another one.
  public var isPrimary: Bool
  /// The values, in the order in which other devices find them.
  public var characteristics: [BluetoothCharacteristic]

  /// Creates a service.
  public init(_ uuid: BluetoothUUID, isPrimary: Bool = true, characteristics: [BluetoothCharacteristic] = [])
  {
    self.uuid = uuid
    self.isPrimary = isPrimary
    self.characteristics = characteristics
  }

  /// The service as BlueZ registers it: a change of a value changes nothing.
  public var withoutValues: BluetoothService {
    var service = self
    for index in service.characteristics.indices { service.characteristics[index].value = nil }
    return service
  }

  /// The UUIDs of the services that BlueZ itself offers: Generic Access and Generic Attribute.
  private static let reserved = ["1800", "1801"].map { BluetoothUUID($0) }

  init(_ fields: PropertyListFields) throws(MessageError) {
    uuid = try fields.requiredUUID("uuid")
    guard !Self.reserved.contains(uuid) else {
      throw fields.error("uuid", "a service that BlueZ does not offer itself, as it does 1800 and 1801")
    }
    isPrimary = try fields.flag("primary", default: true)
    let list = try fields.list("characteristics")
    guard list.count <= BluetoothLimits.characteristics else {
      throw fields.error("characteristics", "at most \(BluetoothLimits.characteristics) elements")
    }
    characteristics = []
    for entry in list { characteristics.append(try BluetoothCharacteristic(entry)) }
    guard Set(characteristics.map(\.uuid)).count == characteristics.count else {
      throw fields.error("characteristics", "characteristics with different UUIDs")
    }
  }

  var propertyList: PropertyList {
    [
      "uuid": .string(uuid.text), "primary": .boolean(isPrimary),
      "characteristics": .array(characteristics.map(\.propertyList)),
    ]
  }
}
