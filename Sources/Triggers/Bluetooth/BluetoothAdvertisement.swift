// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

/// The data by which other devices find a peripheral, corresponding to the argument of `startAdvertising(_:)`.
public struct BluetoothAdvertisement: Hashable, Sendable {
  /// The name; `nil` if none is advertised.
  public var localName: String?
  /// The advertised services, by UUID.
  public var services: Set<BluetoothUUID>

  /// Creates an advertisement.
  public init(localName: String? = nil, services: Set<BluetoothUUID> = []) {
    self.localName = localName
    self.services = services
  }

  init(_ fields: PropertyListFields) throws(MessageError) {
    localName = try fields.shownText("local-name")
    // A packet of the advertising channels has 31 bytes, of which a name needs two more.
    guard localName?.utf8.count ?? 0 <= BluetoothLimits.localName else {
      throw fields.error("local-name", "at most \(BluetoothLimits.localName) bytes")
    }
    services = try fields.uuids("services", limit: BluetoothLimits.servicesOfPeripheral)
  }

  var propertyList: PropertyList {
    var entries: [String: PropertyList] = [
      "services": .array(services.sorted().map { .string($0.text) })
    ]
    entries.set("local-name", localName)
    return .dictionary(entries)
  }
}
