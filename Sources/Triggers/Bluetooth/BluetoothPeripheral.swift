// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import DBus

/// The services that an application offers to other devices under a restoration identifier: the `peripheral` of
/// `org.usher.Triggers1.AddBluetoothPeripheral`.
public struct BluetoothPeripheral: Hashable, Sendable {
  /// `identifier` s: the restoration identifier, which the application gets back.
  public var identifier: String
  /// `services` aa{sv}: the services.
  public var services: [BluetoothService]
  /// `advertisement` a{sv}: the data by which other devices find the peripheral; `nil` if nothing is advertised.
  public var advertisement: BluetoothAdvertisement?

  /// Creates a peripheral.
  public init(
    identifier: String, services: [BluetoothService] = [], advertisement: BluetoothAdvertisement? = nil
  ) {
    self.identifier = identifier
    self.services = services
    self.advertisement = advertisement
  }

  /// A Boolean value that is `true` if the peripheral offers nothing.
  public var isEmpty: Bool { services.isEmpty && advertisement == nil }

  /// The characteristic with a name; `nil` if there is none.
  public subscript(id: BluetoothCharacteristicID) -> BluetoothCharacteristic? {
    services.first { $0.uuid == id.service }?.characteristics.first { $0.uuid == id.characteristic }
  }

  /// The names of all characteristics.
  public var characteristics: [BluetoothCharacteristicID] {
    services.flatMap { service in
      service.characteristics.map {
        BluetoothCharacteristicID(service: service.uuid, characteristic: $0.uuid)
      }
    }
  }

  /// Adds a service, or replaces the one with its UUID.
  public mutating func add(_ service: BluetoothService) {
    if let index = services.firstIndex(where: { $0.uuid == service.uuid }) {
      services[index] = service
    } else {
      services.append(service)
    }
  }

  /// Returns the peripheral with a new value, and the characteristic that has it.
  /// - Throws: ``MessageError`` if there is no such characteristic, or if the peripheral becomes too large.
  public func updated(
    by update: BluetoothValueUpdate
  ) throws(MessageError) -> (peripheral: BluetoothPeripheral, characteristic: BluetoothCharacteristicID) {
    for (index, service) in services.enumerated() where update.service.map({ $0 == service.uuid }) ?? true {
      guard let position = service.characteristics.firstIndex(where: { $0.uuid == update.characteristic })
      else {
        continue
      }
      var changed = self
      changed.services[index].characteristics[position].value = update.value
      try changed.checkSize()
      return (
        changed, BluetoothCharacteristicID(service: service.uuid, characteristic: update.characteristic)
      )
    }
    throw MessageError(.wrongValue(allowed: "a characteristic of the peripheral"), at: "characteristic")
  }

  private func checkSize() throws(MessageError) {
    let size = propertyList.encodedSize
    guard size <= BluetoothLimits.peripheralSize else {
      throw MessageError(.tooLarge(bytes: size, limit: BluetoothLimits.peripheralSize))
    }
  }

  /// Reads a peripheral.
  /// - Throws: ``MessageError`` with the key, and never with a value; the daemon replies `org.usher.Error.InvalidRequest`.
  public init(_ value: PropertyList) throws(MessageError) {
    let fields = try PropertyListFields(value)
    identifier = try fields.requiredIdentifier()
    let list = try fields.list("services")
    guard list.count <= BluetoothLimits.servicesOfPeripheral else {
      throw fields.error("services", "at most \(BluetoothLimits.servicesOfPeripheral) elements")
    }
    services = []
    for entry in list { services.append(try BluetoothService(entry)) }
    guard Set(services.map(\.uuid)).count == services.count else {
      throw fields.error("services", "services with different UUIDs")
    }
    advertisement = nil
    if let entries = try fields.fields("advertisement") {
      advertisement = try BluetoothAdvertisement(entries)
    }
    guard !isEmpty else { throw fields.error("services", "at least one service, or an advertisement") }
    try checkSize()
  }

  /// Reads the `a{sv}` of the bus.
  public init(_ entries: [String: Variant]) throws(MessageError) {
    try self.init(PropertyList(.dictionary(entries)))
  }

  /// The peripheral as a property list.
  public var propertyList: PropertyList {
    var entries: [String: PropertyList] = [
      "identifier": .string(identifier), "services": .array(services.map(\.propertyList)),
    ]
    entries["advertisement"] = advertisement?.propertyList
    return .dictionary(entries)
  }

  /// The peripheral as the `a{sv}` of the bus.
  public var entries: [String: Variant] { propertyList.variant.entries ?? [:] }
}
