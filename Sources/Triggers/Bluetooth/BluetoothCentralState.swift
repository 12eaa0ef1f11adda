// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces

/// The devices of a central as it was informed of them.
public struct BluetoothCentralState: Hashable, Sendable {
  /// The devices of the central of which it is known whether they are connected, with that.
  public private(set) var connections: [BluetoothAddress: Bool] = [:]
  /// The devices with a service of the central that are in range.
  public private(set) var inRange: Set<BluetoothAddress> = []
  /// The time of the last discovery of each device, in milliseconds since 1970.
  public private(set) var discoveries: [BluetoothAddress: Int64] = [:]

  /// Creates the state of a central that was informed of nothing.
  public init() {}

  /// Records what a device is now, and returns the changes of which the central is informed.
  ///
  /// The first state of a device of the central is not a change, as in Core Bluetooth. A device without a service of the central, and one
  /// that is neither connected nor advertises, is not in range.
  public mutating func observe(
    _ device: BluetoothDevice, by central: BluetoothCentral, at now: WallTime
  ) -> [BluetoothEvent.Kind] {
    var kinds: [BluetoothEvent.Kind] = []
    if central.devices.contains(device.address) {
      let old = connections.updateValue(device.isConnected, forKey: device.address)
      if let old, old != device.isConnected { kinds.append(device.isConnected ? .connected : .disconnected) }
    }
    let isInRange =
      !device.services.isDisjoint(with: central.services) && (device.isConnected || device.isAdvertising)
    guard isInRange else {
      inRange.remove(device.address)
      return kinds
    }
    guard inRange.insert(device.address).inserted else { return kinds }
    let now = now.milliseconds
    // A time in the future is of a clock that was set back since.
    discoveries = discoveries.filter { (0..<BluetoothLimits.discoveryInterval).contains(now - $0.value) }
    guard discoveries[device.address] == nil else { return kinds }
    discoveries[device.address] = now
    if discoveries.count > BluetoothLimits.discoveries,
      let oldest = discoveries.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
    {
      discoveries[oldest.key] = nil
    }
    return [.discovered] + kinds
  }

  /// Keeps what is known of the devices and services of a central that replaces another one.
  public mutating func replace(_ old: BluetoothCentral, by new: BluetoothCentral) {
    connections = connections.filter { new.devices.contains($0.key) }
    guard new.services != old.services else { return }
    (inRange, discoveries) = ([], [:])
  }

  /// The addresses of devices that may have changed while nothing observed them.
  public var observed: Set<BluetoothAddress> { inRange.union(connections.keys) }

  /// Reads ``propertyList``; what cannot be read is unknown.
  public init(_ value: PropertyList) {
    for (key, value) in value["connections"]?.dictionary ?? [:] {
      if let address = BluetoothAddress(key) { connections[address] = value.boolean }
    }
    inRange = Set((value["in-range"]?.array ?? []).compactMap { $0.string.flatMap { BluetoothAddress($0) } })
    for (key, value) in value["discoveries"]?.dictionary ?? [:] {
      if let address = BluetoothAddress(key) { discoveries[address] = value.integer }
    }
  }

  /// The state as a property list.
  public var propertyList: PropertyList {
    func dictionary<Value>(
      _ values: [BluetoothAddress: Value], _ body: (Value) -> PropertyList
    ) -> PropertyList {
      .dictionary(Dictionary(uniqueKeysWithValues: values.map { ($0.key.text, body($0.value)) }))
    }
    return [
      "connections": dictionary(connections) { .boolean($0) },
      "in-range": .array(inRange.sorted().map { .string($0.text) }),
      "discoveries": dictionary(discoveries) { .integer($0) },
    ]
  }
}
