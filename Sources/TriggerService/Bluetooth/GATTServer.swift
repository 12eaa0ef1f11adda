// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Logging
import Systemd
import Triggers

/// The services and advertisements of applications that BlueZ offers to other devices; it exists only while an application publishes some.
///
/// Each service and each advertisement is registered by itself, so that the change of one ends no subscription of another. All are
/// registered at one adapter, because BlueZ does not say at which one a device has subscribed. BlueZ forgets what a client has registered
/// when the client exits; the client registers it again when BlueZ or an adapter appears.
@BrokerActor
final class GATTServer {
  /// A service or advertisement of a peripheral.
  struct Item: Hashable, Sendable {
    /// The part that other devices find.
    enum Content: Hashable, Sendable {
      /// A service, without its values.
      case service(BluetoothService)
      /// An advertisement.
      case advertisement(BluetoothAdvertisement)
    }
    let key: MonitoredKey
    let content: Content
  }

  /// An item that is registered with BlueZ.
  private struct Registration {
    let adapter: ObjectPath
    let objects: GATTObjects
    /// A Boolean value that is `true` after BlueZ has accepted it.
    var isAccepted = false
  }

  /// A step towards the state in which exactly the published items are registered.
  private enum Step {
    case register(Item, at: ObjectPath)
    case unregister(Item)
  }

  private let loop: EventLoop
  private let service: SystemService
  private let log: Logger
  private(set) var status = BluetoothServiceStatus.off {
    didSet {
      guard status != oldValue, let message = status.message else { return }
      log.warning("\(message)")
    }
  }
  /// The connection to the system bus and the unique name of BlueZ, while it runs.
  private var peer: (bus: BusConnection, owner: BusName)?
  private var tasks: [Task<Void, Never>] = []
  /// The adapters, and whether each is turned on.
  private var adapters: [ObjectPath: Bool] = [:]
  private var isLoaded = false
  private var published: Set<Item> = []
  private var registered: [Item: Registration] = [:]
  /// The items that BlueZ has rejected, with the error.
  private var rejected: [Item: ErrorName] = [:]
  private var isReconciling = false
  /// The number of registrations, which names the next one.
  private var count = 0
  weak var delegate: (any GATTServerDelegate)?

  init(on loop: EventLoop, at address: BusAddress = .system, log: Logger) {
    self.loop = loop
    self.log = log
    service = SystemService(BlueZ.busName, on: loop, at: address)
    service.changed = { [weak self] state in await self?.serviceChanged(to: state) }
  }

  /// Makes `items` what is registered with BlueZ; none closes the connection to the system bus.
  func publish(_ items: Set<Item>) {
    published = items
    rejected = rejected.filter { items.contains($0.key) }
    guard !items.isEmpty else { return stop() }
    if status == .off {
      status = .starting
      service.start()
    }
    reconcile()
  }

  private func stop() {
    guard status != .off else { return }
    status = .off
    // BlueZ forgets what is registered, and the bus the objects, with the connection.
    reset()
    service.stop { _ in }
  }

  private func reset() {
    for task in tasks { task.cancel() }
    (tasks, peer, adapters, isLoaded, registered, rejected) = ([], nil, [:], false, [:], [:])
  }

  /// Returns whether BlueZ offers all services of a peripheral, whether it advertises it, and the error with which it rejects something.
  func state(of key: MonitoredKey) -> (isPublished: Bool, isAdvertised: Bool, error: ErrorName?) {
    var (isPublished, isAdvertised) = (true, false)
    for item in published where item.key == key {
      let isAccepted = registered[item]?.isAccepted ?? false
      switch item.content {
      case .service: isPublished = isPublished && isAccepted
      case .advertisement: isAdvertised = isAccepted
      }
    }
    let error = rejected.first { $0.key.key == key }?.value
    return (isPublished, isAdvertised, error)
  }

  /// Sends a value to the devices that have subscribed to it.
  ///
  /// The signal is for BlueZ alone, so that no other program of the machine receives the value.
  func notify(_ value: [UInt8], of id: BluetoothCharacteristicID, in key: MonitoredKey) async {
    let path = registered.first { $0.key.key == key && $0.value.objects.characteristics[id] != nil }
      .flatMap { $0.value.isAccepted ? $0.value.objects.characteristics[id] : nil }
    guard let path, let peer else { return }
    // A device that has lost the connection reads the value later.
    try? await peer.bus.emit(
      PropertiesInterface.propertiesChanged, from: path, to: peer.owner,
      BlueZ.gattCharacteristic.rawValue, ["Value": .bytes(value)], [])
  }

  // MARK: BlueZ

  private func serviceChanged(to state: SystemService.State) async {
    guard status != .off else { return }
    await forget()
    guard status != .off else { return }
    switch state {
    case .noBus: status = .noBus
    case .absent: status = .notRunning
    case .present(let bus, let owner):
      status = .starting
      do throws(BusError) { try await load(from: bus, owner) } catch {
        guard status != .off, isPeer(bus, owner) else { return }
        await forget()
        // The next owner of the name is another BlueZ.
        guard !error.isExitOfService else { return }
        status = .failed(error.name)
      }
    }
  }

  private func isPeer(_ bus: BusConnection, _ owner: BusName) -> Bool {
    peer.map { $0.bus === bus && $0.owner == owner } ?? false
  }

  /// Forgets a BlueZ that has exited, with the subscriptions of all devices.
  private func forget() async {
    let (bus, registrations) = (peer?.bus, registered)
    reset()
    for item in registrations.keys { loseSubscriptions(to: item) }
    guard let bus else { return }
    for registration in registrations.values { await unexport(registration.objects, on: bus) }
  }

  private func loseSubscriptions(to item: Item) {
    guard case .service(let service) = item.content else { return }
    delegate?.loseSubscriptions(to: service.uuid, of: item.key)
  }

  /// Reads the adapters, after the signals about their changes are received.
  private func load(from bus: BusConnection, _ owner: BusName) async throws(BusError) {
    peer = (bus, owner)
    let added = try await bus.signals(BlueZ.interfacesAdded, from: owner, at: "/")
    let removed = try await bus.signals(BlueZ.interfacesRemoved, from: owner, at: "/")
    let changes = try await bus.signals(
      PropertiesInterface.propertiesChanged, from: owner, argument0: BlueZ.adapter)
    let objects = try await bus.call(
      BlueZ.getManagedObjects, at: RemoteObject(owner, BlueZ.objectManager.path), autoStart: false)
    guard isPeer(bus, owner) else { return }
    for (path, interfaces) in objects { update(path, interfaces[BlueZ.adapter.rawValue]) }
    tasks = [
      loop.start {
        for await signal in added where self.isPeer(bus, owner) {
          guard let values = signal.values.1[BlueZ.adapter.rawValue] else { continue }
          self.update(signal.values.0, values)
          self.adaptersChanged()
        }
      },
      loop.start {
        for await signal in removed where self.isPeer(bus, owner) {
          guard signal.values.1.contains(BlueZ.adapter.rawValue) else { continue }
          self.adapters[signal.values.0] = nil
          self.adaptersChanged()
        }
      },
      loop.start {
        for await signal in changes where self.isPeer(bus, owner) {
          guard signal.values.1["Powered"] != nil else { continue }
          self.update(signal.path, signal.values.1)
          self.adaptersChanged()
        }
      },
    ]
    isLoaded = true
    adaptersChanged()
  }

  private func update(_ path: ObjectPath, _ values: [String: Variant]?) {
    guard let values else { return }
    adapters[path] = values["Powered"]?.boolean == true
  }

  private func adaptersChanged() {
    guard isLoaded else { return }
    status = BluetoothServiceStatus(adapters: adapters.values)
    // What an adapter has rejected because it was turned off may be accepted now.
    rejected = [:]
    reconcile()
  }

  /// The adapter at which everything is registered: one that is turned on, if there is one.
  private var adapter: ObjectPath? {
    adapters.min { ($0.value ? 0 : 1, $0.key.rawValue) < ($1.value ? 0 : 1, $1.key.rawValue) }?.key
  }

  // MARK: Registration

  /// Registers and unregisters items until exactly the published ones are registered.
  private func reconcile() {
    guard isLoaded, !isReconciling else { return }
    isReconciling = true
    loop.start {
      while let peer = self.peer, let step = self.nextStep() {
        switch step {
        case .register(let item, let adapter):
          await self.register(item, at: adapter, of: peer.owner, on: peer.bus)
        case .unregister(let item): await self.unregister(item, from: peer.owner, on: peer.bus)
        }
      }
      self.isReconciling = false
    }
  }

  private func nextStep() -> Step? {
    guard isLoaded else { return nil }
    let adapter = adapter
    if let old = registered.first(where: { !published.contains($0.key) || $0.value.adapter != adapter }) {
      return .unregister(old.key)
    }
    guard let adapter, let new = published.first(where: { registered[$0] == nil && rejected[$0] == nil })
    else { return nil }
    return .register(new, at: adapter)
  }

  private func register(
    _ item: Item, at adapter: ObjectPath, of owner: BusName, on bus: BusConnection
  ) async {
    guard let delegate else { return rejected[item] = .failed }
    count += 1
    let root = ObjectPath(unchecked: "/org/usher/gatt/\(count)")
    let objects =
      switch item.content {
      case .service(let service):
        GATTObjects.service(service, of: item.key, at: root, for: owner, delegate)
      case .advertisement(let advertisement):
        GATTObjects.advertisement(advertisement, at: root, for: owner) { [weak self] in
          await self?.release(item, at: root)
        }
      }
    registered[item] = Registration(adapter: adapter, objects: objects)
    let manager = RemoteObject(owner, adapter)
    do throws(BusError) {
      for object in objects.objects { try await bus.export(object) }
      switch item.content {
      case .service:
        try await bus.call(BlueZ.registerApplication, at: manager, root, [:], autoStart: false)
      case .advertisement:
        try await bus.call(BlueZ.registerAdvertisement, at: manager, root, [:], autoStart: false)
      }
      guard registered[item]?.objects.root == root else { return }
      registered[item]?.isAccepted = true
    } catch {
      await unexport(objects, on: bus)
      guard registered[item]?.objects.root == root else { return }
      registered[item] = nil
      rejected[item] = error.name
      log.warning("BlueZ rejects a \(item.content.title) of \(item.key.application) (\(error.name))")
    }
  }

  private func unregister(_ item: Item, from owner: BusName, on bus: BusConnection) async {
    guard let registration = registered.removeValue(forKey: item) else { return }
    if published.contains(item) { loseSubscriptions(to: item) }
    let manager = RemoteObject(owner, registration.adapter)
    // An adapter that was removed has forgotten it.
    switch item.content {
    case .service:
      try? await bus.call(
        BlueZ.unregisterApplication, at: manager, registration.objects.root, autoStart: false)
    case .advertisement:
      try? await bus.call(
        BlueZ.unregisterAdvertisement, at: manager, registration.objects.root, autoStart: false)
      // An adapter has few advertisements, so that another one may fit now.
      rejected = [:]
    }
    await unexport(registration.objects, on: bus)
  }

  /// Forgets an advertisement that BlueZ has ended; it is registered again when an adapter changes.
  private func release(_ item: Item, at root: ObjectPath) async {
    guard let registration = registered[item], registration.objects.root == root else { return }
    registered[item] = nil
    rejected[item] = "org.bluez.Error.Canceled"
    guard let peer else { return }
    await unexport(registration.objects, on: peer.bus)
  }

  private func unexport(_ objects: GATTObjects, on bus: BusConnection) async {
    for object in objects.objects { await bus.unexport(object.path) }
  }
}

extension GATTServer.Item.Content {
  /// The name of the kind in a message.
  fileprivate var title: String {
    switch self {
    case .service: "Bluetooth service"
    case .advertisement: "Bluetooth advertisement"
    }
  }
}
