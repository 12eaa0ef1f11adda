// SPDX-License-Identifier: Apache-2.0
import BrokerService
import DBus
import State

/// An item that is followed for an application, also while the application does not run: a region, a Bluetooth central or a
/// Bluetooth peripheral.
protocol MonitoredItem: Sendable {
  /// The kind of the stored item.
  static var kind: StoredItem.Kind { get }
  /// The limits that a new item must respect.
  static var limits: ItemLimits { get }

  /// Reads a stored item; `nil` if its content is not valid.
  init?(_ stored: StoredItem)
  /// Returns the stored form.
  func stored(as key: MonitoredKey) -> StoredItem
}

/// The items of one kind of all applications, in memory and in the file.
///
/// A change that cannot be stored has no effect.
@BrokerActor
final class MonitoredItems<Item: MonitoredItem> {
  private let file: TriggerFile
  /// All items, by application and identifier.
  private(set) var all: [MonitoredKey: Item] = [:]

  init(in file: TriggerFile) { self.file = file }

  subscript(key: MonitoredKey) -> Item? { all[key] }

  /// The IDs of the applications that have items.
  var applications: Set<String> { Set(all.keys.map(\.application)) }

  /// Reads what an earlier daemon has stored.
  func load() throws(BusError) {
    for stored in try file.use({ store throws(StateError) in try store.items(of: Item.kind) }) {
      all[MonitoredKey(application: stored.application, identifier: stored.identifier)] = Item(stored)
    }
  }

  /// Stores an item, replacing one with its key.
  ///
  /// - Throws: `TooMany` if it replaces none and exceeds a limit.
  func set(_ item: Item, as key: MonitoredKey) throws(BusError) {
    if all[key] == nil { try Item.limits.requireSpace(for: key.application, among: all.keys) }
    try file.use { store throws(StateError) in try store.set(item.stored(as: key), of: Item.kind) }
    all[key] = item
  }

  /// Removes items of an application; `nil` removes all.
  ///
  /// - Returns: Whether there were any.
  func remove(_ identifiers: [String]?, of application: String) throws(BusError) -> Bool {
    let keys = all.keys.of(application, named: identifiers)
    guard !keys.isEmpty else { return false }
    try file.use { store throws(StateError) in
      try store.removeItems(keys.map(\.identifier), of: application, Item.kind)
    }
    for key in keys { all[key] = nil }
    return true
  }

  /// Forgets an application that was uninstalled, after it was removed from the file.
  func forgetAll(of application: String) {
    for key in all.keys.of(application, named: nil) { all[key] = nil }
  }

  /// Stores the states of changed items and the last locations of significant changes together with the events for the applications.
  ///
  /// - Returns: Whether all of it is stored.
  func record(
    _ changed: [MonitoredKey: Item], _ locations: [StoredLocationChange] = [], events: [StoredEvent]
  ) -> Bool {
    let stored = changed.map { key, item in item.stored(as: key) }
    let isStored = file.attempt { store throws(StateError) in
      try store.record(stored, of: Item.kind, locations, events: events)
    }
    if isStored { all.merge(changed) { $1 } }
    return isStored
  }
}
