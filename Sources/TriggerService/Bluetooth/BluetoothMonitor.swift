// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus
import Logging
import State
import Systemd
import Triggers

/// The Bluetooth centrals of applications: it decides on each change of a device, and starts applications.
///
/// A change of a state is stored together with the event for the application, which ``EventSender`` delivers.
@BrokerActor
final class BluetoothMonitor {
  /// A monitored central.
  struct Monitored: Hashable, Sendable {
    var central: BluetoothCentral
    var state: BluetoothCentralState
    let isOfUser: Bool
  }

  /// An event that is not stored yet.
  private struct Event {
    /// The application, and the permission that it needs for the event.
    let need: PermissionWatch.Need
    let event: BluetoothEvent
  }

  /// The effects of a change of a device.
  private struct Effects {
    var changed: [MonitoredKey: Monitored] = [:]
    var events: [Event] = []
  }

  /// The maximum number of changes that wait for a decision; after more, the states of all devices are observed instead.
  private static let maximumChanges = 256

  private let items: MonitoredItems<Monitored>
  private let clock: TriggerClock
  private let sender: EventSender
  private let permission: ApplicationPermission
  private let blueZ: BlueZClient
  private let log: Logger
  private var changes: [BluetoothDevice] = []
  private var isDeciding = false
  /// The device on which it decides, or has last decided.
  private var current: BluetoothAddress?
  /// Indicates whether changes were dropped, so that all devices must be observed.
  private var mustObserveAll = false
  /// Called after the last change was decided, and after the last monitoring has ended.
  var changed: () -> Void = {}

  init(
    file: TriggerFile, clock: TriggerClock, sender: EventSender, permission: ApplicationPermission,
    blueZ: BlueZClient, log: Logger
  ) {
    items = MonitoredItems(in: file)
    self.clock = clock
    self.sender = sender
    self.permission = permission
    self.blueZ = blueZ
    self.log = log
    blueZ.changed = { [weak self] device in self?.observe(change: device) }
    blueZ.loaded = { [weak self] in self?.observeAll() }
  }

  /// The monitored centrals.
  var centrals: [MonitoredKey: Monitored] { items.all }

  /// A Boolean value that is `true` if no application monitors devices.
  var isIdle: Bool { centrals.isEmpty && !isDeciding }

  /// The IDs of the applications that monitor devices.
  var applications: Set<String> { items.applications }

  /// The status of the Bluetooth service.
  var status: BluetoothServiceStatus { blueZ.status }

  /// Reads what an earlier daemon has stored.
  func load() throws(BusError) {
    try items.load()
    follow()
  }

  // MARK: Calls

  /// Stores a central.
  ///
  /// One that replaces another keeps what is known of its devices and services, because applications add their centrals at each start. One
  /// that equals a central of the user remains the user's.
  func add(_ central: BluetoothCentral, of application: String, isOfUser: Bool) throws(BusError) {
    let key = MonitoredKey(application: application, identifier: central.identifier)
    let known = items[key]
    var state = known?.state ?? BluetoothCentralState()
    if let known { state.replace(known.central, by: central) }
    try items.set(
      Monitored(
        central: central, state: state,
        isOfUser: isOfUser || known?.isOfUser == true && known?.central == central),
      as: key)
    follow()
    if blueZ.isLoaded { observeAll() }
  }

  /// Ends the monitoring of centrals; `nil` ends that of all of the application.
  func remove(_ identifiers: [String]?, of application: String) throws(BusError) {
    if try items.remove(identifiers, of: application) { follow() }
  }

  /// Forgets an application that was uninstalled, after it was removed from the file.
  func forgetAll(of application: String) {
    items.forgetAll(of: application)
    follow()
  }

  // MARK: Changes

  /// Creates, changes or ends the client of BlueZ by the need for it.
  private func follow() {
    guard !centrals.isEmpty else {
      (changes, mustObserveAll) = ([], false)
      blueZ.stop()
      return changed()
    }
    blueZ.follow(
      discovering: centrals.values.reduce(into: []) { $0.formUnion($1.central.services) })
  }

  /// Observes all devices, also those that BlueZ does not know, or does not know any more.
  private func observeAll() {
    let known = blueZ.devices
    var addresses = Set(known.keys)
    for monitored in centrals.values {
      addresses.formUnion(monitored.central.devices)
      addresses.formUnion(monitored.state.observed)
    }
    observe(addresses.sorted().map { known[$0] ?? BluetoothDevice(address: $0) })
  }

  private func observe(change device: BluetoothDevice) {
    observe([device])
    guard changes.count > Self.maximumChanges else { return }
    (changes, mustObserveAll) = ([], true)
  }

  private func observe(_ devices: [BluetoothDevice]) {
    // Most devices in range concern no central.
    changes += devices.filter { isDeciding ? concernsCentral($0) : !effects(of: $0).changed.isEmpty }
    guard !isDeciding, !changes.isEmpty else { return }
    isDeciding = true
    EventLoop.shared.start {
      repeat {
        while !self.changes.isEmpty {
          let device = self.changes.removeFirst()
          self.current = device.address
          await self.decide(on: device)
        }
        if self.mustObserveAll {
          self.mustObserveAll = false
          self.observeAll()
        }
      } while !self.changes.isEmpty
      self.isDeciding = false
      self.changed()
    }
  }

  /// Returns whether a change of a device may change the state of a central, now or after earlier changes.
  private func concernsCentral(_ device: BluetoothDevice) -> Bool {
    if device.address == current || changes.contains(where: { $0.address == device.address }) { return true }
    return centrals.values.contains { monitored in
      monitored.central.devices.contains(device.address) || monitored.state.observed.contains(device.address)
        || !monitored.central.services.isDisjoint(with: device.services)
    }
  }

  /// Decides what a change of a device changes, and stores it with the events.
  private func decide(on device: BluetoothDevice) async {
    let permissions = await permission.permits(effects(of: device).events.map(\.need), log: log)
    // Calls that arrived while the broker was asked have changed what is monitored, so everything is decided now.
    let effects = effects(of: device)
    guard !effects.changed.isEmpty else { return }
    // A central that was added meanwhile was not asked about.
    if effects.events.contains(where: { permissions[$0.need] == nil }) {
      changes.insert(device, at: 0)
      return
    }
    let now = clock.now
    let stored = effects.events.filter { permissions[$0.need] == true }.map {
      StoredEvent(
        "bluetooth", to: $0.need.application, .bluetoothCentrals, payload: $0.event.payload(date: now))
    }
    // Without the change in the file, the next change of the device decides the same.
    guard items.record(effects.changed, events: stored) else { return }
    for event in stored { sender.send(event) }
  }

  private func effects(of device: BluetoothDevice) -> Effects {
    var effects = Effects()
    for (key, monitored) in centrals.sorted(by: { $0.key < $1.key }) {
      var next = monitored
      let kinds = next.state.observe(device, by: monitored.central, at: clock.now)
      guard next.state != monitored.state else { continue }
      effects.changed[key] = next
      let need = PermissionWatch.Need(
        permission: .bluetooth, application: key.application, isOfUser: monitored.isOfUser)
      effects.events += kinds.map {
        Event(need: need, event: BluetoothEvent($0, device, for: monitored.central))
      }
    }
    return effects
  }
}

extension BluetoothMonitor.Monitored: MonitoredItem {
  static let kind = StoredItem.Kind.bluetoothCentral
  static let limits = ItemLimits(
    ofApplication: BluetoothLimits.centralsOfApplication, total: BluetoothLimits.centrals,
    own: { "has \($0) centrals" }, all: { "\($0) centrals are monitored" })

  init?(_ stored: StoredItem) {
    guard let central = try? BluetoothCentral(PropertyList(json: stored.content)) else { return nil }
    self.central = central
    state = (try? PropertyList(json: stored.state)).map { BluetoothCentralState($0) } ?? .init()
    isOfUser = stored.isOfUser
  }

  func stored(as key: MonitoredKey) -> StoredItem {
    StoredItem(
      application: key.application, identifier: key.identifier, content: central.propertyList.json,
      state: state.propertyList.json, isOfUser: isOfUser)
  }
}
