// SPDX-License-Identifier: Apache-2.0
import BrokerService
import DBus
import Triggers

/// The receiver of the operations of other devices.
@BrokerActor
protocol GATTServerDelegate: AnyObject, Sendable {
  /// Returns a value from an offset on.
  func read(
    _ id: BluetoothCharacteristicID, of key: MonitoredKey, at offset: Int, by device: BluetoothAddress?
  ) async throws(BluetoothAttributeError) -> [UInt8]
  /// Stores a value that a device has sent.
  func write(
    _ value: [UInt8], to id: BluetoothCharacteristicID, of key: MonitoredKey, at offset: Int,
    by device: BluetoothAddress?
  ) async throws(BluetoothAttributeError)
  /// Records that the first device has subscribed, or that the last one has ended its subscription.
  func setSubscribed(
    _ isSubscribed: Bool, to id: BluetoothCharacteristicID, of key: MonitoredKey
  ) async throws(BluetoothAttributeError)
  /// Records that all subscriptions to values of a service have ended, because BlueZ has exited, or has lost its adapter.
  func loseSubscriptions(to service: BluetoothUUID, of key: MonitoredKey)
}

/// The objects of one service or advertisement on the system bus, which only BlueZ may call.
struct GATTObjects {
  /// The path that is registered with BlueZ.
  let root: ObjectPath
  /// The objects, the root among them.
  private(set) var objects: [BusObject] = []
  /// The paths of the characteristics.
  private(set) var characteristics: [BluetoothCharacteristicID: ObjectPath] = [:]
  private let owner: BusName

  private init(at root: ObjectPath, for owner: BusName) {
    self.root = root
    self.owner = owner
  }

  private mutating func add(_ path: ObjectPath, _ members: [BusMember]) {
    objects.append(
      BusObject(path, members) { [owner] sender, _ in
        // Every program of the machine can find this connection on the system bus.
        sender == owner ? nil : BusError(.accessDenied, "only BlueZ may call this object")
      })
  }

  private static func path(_ parent: ObjectPath, _ child: String) -> ObjectPath {
    ObjectPath(unchecked: "\(parent)/\(child)")
  }

  // MARK: Services

  /// Creates the objects of a service: a root with `ObjectManager`, the service, and its characteristics.
  static func service(
    _ service: BluetoothService, of key: MonitoredKey, at root: ObjectPath, for owner: BusName,
    _ delegate: any GATTServerDelegate
  ) -> GATTObjects {
    var made = GATTObjects(at: root, for: owner)
    let path = path(root, "service")
    var managed: [ObjectPath: BlueZ.Interfaces] = [
      path: [
        BlueZ.gattService.rawValue: [
          "UUID": .string(service.uuid.text), "Primary": .boolean(service.isPrimary),
        ]
      ]
    ]
    made.add(
      path,
      [
        .property(BusProperty<String>("UUID", of: BlueZ.gattService)) { service.uuid.text },
        .property(BusProperty<Bool>("Primary", of: BlueZ.gattService)) { service.isPrimary },
      ])
    for (index, characteristic) in service.characteristics.enumerated() {
      let id = BluetoothCharacteristicID(service: service.uuid, characteristic: characteristic.uuid)
      let child = Self.path(path, "characteristic\(index)")
      managed[child] = [
        BlueZ.gattCharacteristic.rawValue: [
          "UUID": .string(characteristic.uuid.text), "Service": .objectPath(path),
          "Flags": .strings(characteristic.flags),
        ]
      ]
      made.characteristics[id] = child
      made.add(child, members(of: characteristic, in: path) + calls(of: id, key, delegate))
    }
    let answer = managed
    made.add(root, [.method(BlueZ.getManagedObjects) { _ in answer }])
    return made
  }

  private static func members(
    of characteristic: BluetoothCharacteristic, in service: ObjectPath
  ) -> [BusMember] {
    [
      .property(BusProperty<String>("UUID", of: BlueZ.gattCharacteristic)) { characteristic.uuid.text },
      .property(BusProperty<ObjectPath>("Service", of: BlueZ.gattCharacteristic)) { service },
      .property(BusProperty<[String]>("Flags", of: BlueZ.gattCharacteristic)) { characteristic.flags },
    ]
  }

  private static func calls(
    of id: BluetoothCharacteristicID, _ key: MonitoredKey, _ delegate: any GATTServerDelegate
  ) -> [BusMember] {
    [
      .method(BlueZ.readValue) { [weak delegate] _, options async throws(BusError) in
        let options = Options(options)
        do throws(BluetoothAttributeError) {
          guard let delegate else { throw .unlikelyError }
          return try await delegate.read(id, of: key, at: options.offset, by: options.device)
        } catch { throw BusError(error) }
      },
      .method(BlueZ.writeValue) { [weak delegate] _, value, options async throws(BusError) in
        let options = Options(options)
        // A question whether the device may write at all; the permissions have answered it.
        guard !options.isPreparation else { return }
        do throws(BluetoothAttributeError) {
          guard let delegate else { throw .unlikelyError }
          try await delegate.write(value, to: id, of: key, at: options.offset, by: options.device)
        } catch { throw BusError(error) }
      },
      .method(BlueZ.startNotify) { [weak delegate] _ async throws(BusError) in
        do throws(BluetoothAttributeError) {
          try await delegate?.setSubscribed(true, to: id, of: key)
        } catch { throw BusError(error) }
      },
      .method(BlueZ.stopNotify) { [weak delegate] _ async throws(BusError) in
        do throws(BluetoothAttributeError) {
          try await delegate?.setSubscribed(false, to: id, of: key)
        } catch { throw BusError(error) }
      },
    ]
  }

  /// The options of a read or write.
  private struct Options {
    var offset = 0
    var device: BluetoothAddress?
    var isPreparation = false

    init(_ options: [String: Variant]) {
      // A value that is no offset of a value is rejected as one that is too large.
      offset = options["offset"]?.integer.map { Int(clamping: $0) } ?? 0
      if case .objectPath(let path)? = options["device"] { device = BluetoothAddress(blueZ: path) }
      isPreparation = options["prepare-authorize"]?.boolean == true
    }
  }

  // MARK: Advertisements

  /// Creates the object of an advertisement.
  static func advertisement(
    _ advertisement: BluetoothAdvertisement, at root: ObjectPath, for owner: BusName,
    released: @escaping @Sendable () async -> Void
  ) -> GATTObjects {
    var made = GATTObjects(at: root, for: owner)
    var members: [BusMember] = [
      .property(BusProperty<String>("Type", of: BlueZ.advertisement)) { "peripheral" },
      .property(BusProperty<[String]>("ServiceUUIDs", of: BlueZ.advertisement)) {
        advertisement.services.sorted().map(\.text)
      },
      .method(BlueZ.release) { _ in await released() },
    ]
    if let name = advertisement.localName {
      members.append(.property(BusProperty<String>("LocalName", of: BlueZ.advertisement)) { name })
    }
    made.add(root, members)
    return made
  }
}
