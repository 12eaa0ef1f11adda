// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Logging
import Systemd
import Triggers

/// The daemon's client of BlueZ, which exists only while an application monitors devices.
///
/// It follows all devices by the signals of BlueZ, and has a discovery only while a central monitors services. BlueZ ends the discovery of
/// a client that exits. The client starts neither BlueZ nor an adapter, and connects no device.
@BrokerActor
final class BlueZClient {
  private let loop: EventLoop
  private let service: SystemService
  private let log: Logger
  private(set) var status = BluetoothServiceStatus.off {
    didSet {
      guard status != oldValue, let message = status.message else { return }
      log.warning("\(message)")
    }
  }
  private var bus: BusConnection?
  private var tasks: [Task<Void, Never>] = []
  /// The properties of the devices and adapters of BlueZ.
  private var objects: [ObjectPath: (interface: String, values: [String: Variant])] = [:]
  private var services: Set<BluetoothUUID> = []
  /// The services that each adapter discovers for this client.
  private var discoveries: [ObjectPath: Set<BluetoothUUID>] = [:]
  private var isDiscovering = false
  /// Called with each device that has changed.
  var changed: (BluetoothDevice) -> Void = { _ in }
  /// Called after all devices were read.
  var loaded: () -> Void = {}

  init(on loop: EventLoop, at address: BusAddress = .system, log: Logger) {
    self.loop = loop
    self.log = log
    service = SystemService(BlueZ.busName, on: loop, at: address)
    service.changed = { [weak self] state in await self?.serviceChanged(to: state) }
  }

  /// A Boolean value that is `true` after all devices were read, until BlueZ exits.
  private(set) var isLoaded = false

  /// The known devices; of two adapters that know one device, the connected one counts.
  var devices: [BluetoothAddress: BluetoothDevice] {
    var devices: [BluetoothAddress: BluetoothDevice] = [:]
    for (_, object) in objects {
      guard let device = Self.device(object), devices[device.address]?.isConnected != true else { continue }
      devices[device.address] = device
    }
    return devices
  }

  /// Follows the devices, and discovers those with the services.
  func follow(discovering services: Set<BluetoothUUID>) {
    self.services = services
    if status == .off {
      status = .starting
      service.start()
    }
    discover()
  }

  /// Ends the discovery, and closes the connection to the system bus.
  func stop() {
    guard status != .off else { return }
    let adapters = Array(discoveries.keys)
    forget()
    status = .off
    services = []
    service.stop { bus in
      for path in adapters {
        _ = try? await bus.call(
          BlueZ.stopDiscovery, at: RemoteObject(BlueZ.busName, path), autoStart: false)
      }
    }
  }

  private func forget() {
    for task in tasks { task.cancel() }
    (tasks, bus, objects, discoveries, isLoaded) = ([], nil, [:], [:], false)
  }

  // MARK: BlueZ

  private func serviceChanged(to state: SystemService.State) async {
    guard status != .off else { return }
    forget()
    switch state {
    case .noBus: status = .noBus
    case .absent: status = .notRunning
    case .present(let bus, _):
      status = .starting
      do throws(BusError) { try await load(from: bus) } catch {
        guard status != .off, self.bus === bus else { return }
        forget()
        // The next owner of the name is another BlueZ.
        guard !error.isExitOfService else { return }
        status = .failed(error.name)
      }
    }
  }

  /// Reads all objects, after the signals about their changes are received.
  private func load(from bus: BusConnection) async throws(BusError) {
    self.bus = bus
    let added = try await bus.signals(BlueZ.interfacesAdded, from: BlueZ.busName, at: "/")
    let removed = try await bus.signals(BlueZ.interfacesRemoved, from: BlueZ.busName, at: "/")
    let changes = try await bus.signals(
      PropertiesInterface.propertiesChanged, from: BlueZ.busName, argument0: BlueZ.device)
    let adapters = try await bus.signals(
      PropertiesInterface.propertiesChanged, from: BlueZ.busName, argument0: BlueZ.adapter)
    let objects = try await bus.call(BlueZ.getManagedObjects, at: BlueZ.objectManager, autoStart: false)
    guard self.bus === bus else { return }
    for (path, interfaces) in objects { add(path, interfaces) }
    tasks = [
      loop.start { for await signal in added { self.added(signal.values.0, signal.values.1, on: bus) } },
      loop.start { for await signal in removed { self.removed(signal.values.0, signal.values.1, on: bus) } },
      loop.start {
        for await signal in changes {
          self.update(signal.path, signal.values.1, invalidated: signal.values.2, on: bus)
        }
      },
      loop.start {
        for await signal in adapters {
          self.update(signal.path, signal.values.1, invalidated: signal.values.2, on: bus)
        }
      },
    ]
    isLoaded = true
    adaptersChanged()
    loaded()
  }

  private static func device(
    _ object: (interface: String, values: [String: Variant])
  ) -> BluetoothDevice? {
    object.interface == BlueZ.device.rawValue ? BluetoothDevice(blueZ: object.values) : nil
  }

  private func add(_ path: ObjectPath, _ interfaces: BlueZ.Interfaces) {
    for name in [BlueZ.device.rawValue, BlueZ.adapter.rawValue] {
      guard let values = interfaces[name] else { continue }
      objects[path] = (name, values)
    }
  }

  private func added(_ path: ObjectPath, _ interfaces: BlueZ.Interfaces, on bus: BusConnection) {
    guard self.bus === bus else { return }
    add(path, interfaces)
    if let object = objects[path], let device = Self.device(object) { changed(device) }
    if interfaces[BlueZ.adapter.rawValue] != nil { adaptersChanged() }
  }

  private func removed(_ path: ObjectPath, _ interfaces: [String], on bus: BusConnection) {
    guard self.bus === bus, let object = objects[path], interfaces.contains(object.interface) else { return }
    objects[path] = nil
    if let device = Self.device(object) {
      changed(BluetoothDevice(address: device.address, name: device.name))
    } else {
      discoveries[path] = nil
      adaptersChanged()
    }
  }

  private func update(
    _ path: ObjectPath, _ values: [String: Variant], invalidated: [String], on bus: BusConnection
  ) {
    guard self.bus === bus else { return }
    guard var object = objects[path] else { return read(path, on: bus) }
    let old = Self.device(object)
    object.values.merge(values) { $1 }
    for name in invalidated { object.values[name] = nil }
    objects[path] = object
    if let device = Self.device(object) {
      // The signal strength of an advertising device changes all the time.
      if device != old { changed(device) }
    } else if values["Powered"] != nil {
      // A discovery ends when its adapter is turned off.
      discoveries[path] = nil
      adaptersChanged()
    }
  }

  /// Reads a device that has changed before its addition was handled.
  private func read(_ path: ObjectPath, on bus: BusConnection) {
    loop.start {
      let values = try? await bus.call(
        PropertiesInterface.getAll, at: RemoteObject(BlueZ.busName, path), BlueZ.device.rawValue,
        autoStart: false)
      guard let values, self.bus === bus, self.objects[path] == nil else { return }
      self.added(path, [BlueZ.device.rawValue: values], on: bus)
    }
  }

  // MARK: Discovery

  /// The adapters, and whether each is turned on.
  private var adapters: [ObjectPath: Bool] {
    objects.filter { $0.value.interface == BlueZ.adapter.rawValue }
      .mapValues { $0.values["Powered"]?.boolean == true }
  }

  private func adaptersChanged() {
    guard isLoaded else { return }
    status = BluetoothServiceStatus(adapters: adapters.values)
    discover()
  }

  /// Makes the discovery of each adapter that of the services.
  private func discover() {
    guard isLoaded, !isDiscovering else { return }
    isDiscovering = true
    loop.start {
      while let bus = self.bus, let path = self.nextDiscovery() {
        await self.discover(at: path, self.services, on: bus)
      }
      self.isDiscovering = false
    }
  }

  /// Returns an adapter whose discovery is not that of the services; `nil` if there is none.
  private func nextDiscovery() -> ObjectPath? {
    guard isLoaded else { return nil }
    return adapters.keys.filter { adapters[$0] == true && (discoveries[$0] ?? []) != services }
      .min { $0.rawValue < $1.rawValue }
  }

  private func discover(at path: ObjectPath, _ services: Set<BluetoothUUID>, on bus: BusConnection) async {
    let object = RemoteObject(BlueZ.busName, path)
    let isRunning = !(discoveries[path] ?? []).isEmpty
    discoveries[path] = services
    do throws(BusError) {
      guard !services.isEmpty else {
        return try await bus.call(BlueZ.stopDiscovery, at: object, autoStart: false)
      }
      // A discovery of the classic transport would interrupt connections, such as those of headphones.
      try await bus.call(
        BlueZ.setDiscoveryFilter, at: object,
        ["UUIDs": .strings(services.sorted().map(\.text)), "Transport": .string("le")], autoStart: false)
      guard !isRunning else { return }
      try await bus.call(BlueZ.startDiscovery, at: object, autoStart: false)
    } catch {
      // The adapter was turned off, or has no low energy; the connections of devices are reported all the same.
      log.warning("BlueZ does not discover services (\(error.name))")
    }
  }
}
