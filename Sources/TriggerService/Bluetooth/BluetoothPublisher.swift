// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Logging
import State
import Systemd
import Triggers

/// The Bluetooth peripherals of applications: it answers the operations of other devices, and starts applications.
///
/// An operation is stored together with the event for the application before BlueZ gets the answer, and ``EventSender`` delivers the
/// event. A value that is not stored is requested from the application by ``BluetoothReads``.
@BrokerActor
final class BluetoothPublisher {
  /// A published peripheral.
  struct Published: Hashable, Sendable {
    var peripheral: BluetoothPeripheral
    /// The values to which other devices have subscribed, as the application was informed of them.
    var subscriptions: Set<BluetoothCharacteristicID> = []
    let isOfUser: Bool
  }

  /// An operation that waits for its decision.
  private struct Operation {
    let kind: BluetoothPeripheralEvent.Kind
    let key: MonitoredKey
    let id: BluetoothCharacteristicID
    var device: BluetoothAddress?
    /// Receives the outcome; `nil` for the loss of a subscription.
    var reply: CheckedContinuation<BluetoothAttributeError?, Never>?
  }

  /// The kind of the IDs of the events.
  private static let kind = "peripheral"
  /// The maximum number of operations that wait for a decision; further ones fail.
  private static let maximumOperations = 64

  private let items: MonitoredItems<Published>
  private let clock: TriggerClock
  private let sender: EventSender
  private let permission: ApplicationPermission
  private let server: GATTServer
  private let reads: BluetoothReads
  private var operations: [Operation] = []
  private var isDeciding = false
  /// Called after the last operation was decided, and after the last peripheral was withdrawn.
  var changed: () -> Void = {}

  init(
    file: TriggerFile, clock: TriggerClock, sender: EventSender, permission: ApplicationPermission,
    server: GATTServer, reads: BluetoothReads
  ) {
    items = MonitoredItems(in: file)
    self.clock = clock
    self.sender = sender
    self.permission = permission
    self.server = server
    self.reads = reads
    server.delegate = self
  }

  /// The published peripherals.
  var peripherals: [MonitoredKey: Published] { items.all }

  /// A Boolean value that is `true` if no application publishes anything.
  var isIdle: Bool { peripherals.isEmpty && !isDeciding }

  /// The IDs of the applications that publish something.
  var applications: Set<String> { items.applications }

  /// The status of the Bluetooth service.
  var status: BluetoothServiceStatus { server.status }

  /// Returns whether BlueZ offers a peripheral, as ``GATTServer`` does.
  func state(of key: MonitoredKey) -> (isPublished: Bool, isAdvertised: Bool, error: ErrorName?) {
    server.state(of: key)
  }

  /// Reads what an earlier daemon has stored; its subscriptions have ended with it.
  func load() throws(BusError) {
    try items.load()
    for (key, published) in peripherals.sorted(by: { $0.key < $1.key }) {
      for id in published.subscriptions.sorted() { lose(id, of: key) }
    }
    publish()
  }

  // MARK: Calls

  /// Stores a peripheral, and publishes it.
  ///
  /// One that replaces another keeps the subscriptions to services that do not change, because applications add theirs at each start. One
  /// that equals a peripheral of the user remains the user's.
  func add(_ peripheral: BluetoothPeripheral, of application: String, isOfUser: Bool) throws(BusError) {
    let key = MonitoredKey(application: application, identifier: peripheral.identifier)
    let known = items[key]
    let unchanged = Set(known?.peripheral.services.map(\.withoutValues) ?? [])
      .intersection(peripheral.services.map(\.withoutValues)).map(\.uuid)
    let published = Published(
      peripheral: peripheral,
      subscriptions: known?.subscriptions.filter { unchanged.contains($0.service) } ?? [],
      isOfUser: isOfUser || known?.isOfUser == true && known?.peripheral == peripheral)
    try items.set(published, as: key)
    publish()
  }

  /// Stores a value, and sends it to the devices that have subscribed to it.
  func update(_ update: BluetoothValueUpdate, of application: String) async throws(BusError) {
    let key = MonitoredKey(application: application, identifier: update.identifier)
    guard var published = items[key] else {
      throw BusError(
        .invalidRequest, "\(application) has no peripheral “\(update.identifier)”; add it first")
    }
    let id: BluetoothCharacteristicID
    (published.peripheral, id) = try decoded(published.peripheral.updated(by: update))
    try items.set(published, as: key)
    guard published.subscriptions.contains(id) else { return }
    await server.notify(update.value, of: id, in: key)
  }

  /// Withdraws peripherals; `nil` withdraws all of the application.
  func remove(_ identifiers: [String]?, of application: String) throws(BusError) {
    if try items.remove(identifiers, of: application) { publish() }
  }

  /// Forgets an application that was uninstalled, after it was removed from the file.
  func forgetAll(of application: String) {
    items.forgetAll(of: application)
    publish()
  }

  private func publish() {
    var items: Set<GATTServer.Item> = []
    for (key, published) in peripherals {
      for service in published.peripheral.services {
        items.insert(GATTServer.Item(key: key, content: .service(service.withoutValues)))
      }
      if let advertisement = published.peripheral.advertisement {
        items.insert(GATTServer.Item(key: key, content: .advertisement(advertisement)))
      }
    }
    server.publish(items)
    changed()
  }

  // MARK: Operations

  /// Decides on an operation after those before it, and returns the error.
  private func decide(_ operation: Operation) async -> BluetoothAttributeError? {
    guard operations.count < Self.maximumOperations else { return .unlikelyError }
    return await withCheckedContinuation { continuation in
      var operation = operation
      operation.reply = continuation
      append(operation)
    }
  }

  private func append(_ operation: Operation) {
    operations.append(operation)
    guard !isDeciding else { return }
    isDeciding = true
    EventLoop.shared.start {
      while !self.operations.isEmpty {
        let next = self.operations.removeFirst()
        let error = await self.perform(next)
        next.reply?.resume(returning: error)
      }
      self.isDeciding = false
      self.changed()
    }
  }

  private func lose(_ id: BluetoothCharacteristicID, of key: MonitoredKey) {
    append(Operation(kind: .unsubscribed, key: key, id: id))
  }

  /// Requires the permission of an application for an operation; without an answer of the broker, the operation fails.
  private func require(
    _ application: String, isOfUser: Bool
  ) async throws(BluetoothAttributeError) {
    do throws(BusError) { try await permission.require(application, isOfUser: isOfUser) } catch {
      throw error.brokerError == .denied ? .insufficientAuthorization : .unlikelyError
    }
  }

  /// Stores an operation with its event, and returns the error.
  private func perform(_ operation: Operation) async -> BluetoothAttributeError? {
    let (key, id) = (operation.key, operation.id)
    guard let known = items[key] else { return .unlikelyError }
    var isPermitted = true
    if operation.kind == .unsubscribed {
      // The end of what the application was informed of; only a refusal suppresses it.
      isPermitted = await permission.permits(key.application, isOfUser: known.isOfUser, wasChecked: true)
    } else {
      do throws(BluetoothAttributeError) {
        try await require(key.application, isOfUser: known.isOfUser)
      } catch { return error }
    }
    // Calls that arrived while the broker was asked have changed what is published.
    guard var next = items[key], let characteristic = next.peripheral[id] else { return .unlikelyError }
    switch operation.kind {
    case .write(let value, let offset):
      do throws(BluetoothAttributeError) { try characteristic.checkWrite(value, at: offset) } catch {
        return error
      }
    case .subscribed:
      guard characteristic.canNotify else { return .unlikelyError }
      guard next.subscriptions.insert(id).inserted else { return nil }
    case .unsubscribed:
      guard next.subscriptions.remove(id) != nil else { return nil }
    case .read: return .unlikelyError
    }
    if operation.kind != .unsubscribed {
      // Each end of a subscription follows a beginning, so that it needs no limit.
      guard
        sender.count(of: Self.kind, for: key.application) < BluetoothLimits.eventsOfApplication,
        sender.count(of: Self.kind, for: nil) < BluetoothLimits.events
      else { return .unlikelyError }
    }
    let event = BluetoothPeripheralEvent(
      operation.kind, of: id, by: operation.device, for: next.peripheral)
    let stored = StoredEvent(
      Self.kind, to: key.application, .bluetoothPeripherals, payload: event.payload(date: clock.now))
    let events = isPermitted ? [stored] : []
    guard items.record([key: next], events: events) else { return .unlikelyError }
    for event in events { sender.send(event) }
    return nil
  }
}

extension BluetoothPublisher: GATTServerDelegate {
  func read(
    _ id: BluetoothCharacteristicID, of key: MonitoredKey, at offset: Int, by device: BluetoothAddress?
  ) async throws(BluetoothAttributeError) -> [UInt8] {
    guard let known = items[key] else { throw .unlikelyError }
    try await require(key.application, isOfUser: known.isOfUser)
    guard let published = items[key], let characteristic = published.peripheral[id] else {
      throw .unlikelyError
    }
    try characteristic.checkRead()
    if let value = characteristic.value {
      return try BluetoothCharacteristic.part(of: value, from: offset)
    }
    let event = BluetoothPeripheralEvent(.read, of: id, by: device, for: published.peripheral)
    let value = try await reads.value(event, of: key.application, at: clock.now)
    return try BluetoothCharacteristic.part(of: value, from: offset)
  }

  func write(
    _ value: [UInt8], to id: BluetoothCharacteristicID, of key: MonitoredKey, at offset: Int,
    by device: BluetoothAddress?
  ) async throws(BluetoothAttributeError) {
    let operation = Operation(kind: .write(value, offset: offset), key: key, id: id, device: device)
    if let error = await decide(operation) { throw error }
  }

  func setSubscribed(
    _ isSubscribed: Bool, to id: BluetoothCharacteristicID, of key: MonitoredKey
  ) async throws(BluetoothAttributeError) {
    let operation = Operation(kind: isSubscribed ? .subscribed : .unsubscribed, key: key, id: id)
    if let error = await decide(operation) { throw error }
  }

  func loseSubscriptions(to service: BluetoothUUID, of key: MonitoredKey) {
    let lost = (items[key]?.subscriptions ?? []).filter { $0.service == service }
    for id in lost.sorted() { lose(id, of: key) }
  }
}

extension BluetoothPublisher.Published: MonitoredItem {
  static let kind = StoredItem.Kind.bluetoothPeripheral
  static let limits = ItemLimits(
    ofApplication: BluetoothLimits.peripheralsOfApplication, total: BluetoothLimits.peripherals,
    own: { "has \($0) peripherals" }, all: { "\($0) peripherals are published" })

  init?(_ stored: StoredItem) {
    guard let peripheral = try? BluetoothPeripheral(PropertyList(json: stored.content)) else { return nil }
    self.peripheral = peripheral
    let ids = (try? PropertyList(json: stored.state))?.array ?? []
    subscriptions = Set(ids.compactMap { $0.string.flatMap { BluetoothCharacteristicID($0) } })
    isOfUser = stored.isOfUser
  }

  func stored(as key: MonitoredKey) -> StoredItem {
    StoredItem(
      application: key.application, identifier: key.identifier, content: peripheral.propertyList.json,
      state: PropertyList.array(subscriptions.sorted().map { .string($0.text) }).json,
      isOfUser: isOfUser)
  }
}
