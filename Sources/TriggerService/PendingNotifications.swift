// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import State
import Triggers

/// The pending notifications of all applications, in memory and in the file.
///
/// ``Scheduler`` delivers those that are due at a time, and ``RegionNotifications`` those with a region. They are stored together, because
/// a notification replaces one with its identifier, whose trigger may be of the other kind, and the limits count both.
@BrokerActor
final class PendingNotifications {
  private let file: TriggerFile
  /// All pending notifications, by application and identifier.
  private(set) var all: [MonitoredKey: PendingNotification] = [:]
  /// Called after notifications were added, replaced or removed by a call.
  var changed: () -> Void = {}

  init(in file: TriggerFile) { self.file = file }

  private static let limits = ItemLimits(
    ofApplication: NotificationLimits.pendingOfApplication, total: NotificationLimits.pending,
    own: { "has \($0) pending notifications" }, all: { "\($0) notifications are pending" })

  /// The IDs of the applications with pending notifications.
  var applications: Set<String> { Set(all.keys.map(\.application)) }

  /// Reads what an earlier daemon has stored.
  func load() throws(BusError) {
    for stored in try file.use({ store throws(StateError) in try store.triggers() }) {
      guard let request = try? NotificationRequest(PropertyList(json: stored.request)) else { continue }
      all[MonitoredKey(application: stored.application, identifier: stored.identifier)] =
        PendingNotification(
          application: stored.application, request: request, anchor: WallTime(milliseconds: stored.anchor),
          isOfUser: stored.isOfUser, regionState: stored.state.flatMap(RegionState.init) ?? .unknown)
    }
  }

  /// Stores a notification, replacing one with its identifier.
  ///
  /// One that replaces a notification whose region has an equal border keeps the state of it, because applications add their
  /// notifications at each start. One that equals a notification of the user remains the user's.
  ///
  /// - Throws: `TooMany` if it replaces none and exceeds a limit.
  func add(_ notification: PendingNotification) throws(BusError) {
    let key = notification.key
    let known = all[key]
    if known == nil { try Self.limits.requireSpace(for: key.application, among: all.keys) }
    var notification = notification
    if let known, known.isOfUser, known.request == notification.request { notification.isOfUser = true }
    if let known, let region = notification.region, known.region?.hasBorder(of: region) == true {
      notification.regionState = known.regionState
    }
    let stored = notification.stored
    try file.use { store throws(StateError) in try store.add(stored) }
    all[key] = notification
    changed()
  }

  /// Removes notifications of an application; `nil` removes all.
  ///
  /// - Returns: Whether there were any.
  func remove(_ identifiers: [String]?, of application: String) throws(BusError) -> Bool {
    let keys = all.keys.of(application, named: identifiers)
    guard !keys.isEmpty else { return false }
    let names = keys.map(\.identifier)
    try file.use { store throws(StateError) in try store.removeTriggers(names, of: application) }
    for key in keys { all[key] = nil }
    changed()
    return true
  }

  /// Changes anchors and states of notifications, for which no caller waits.
  func update(_ notifications: some Collection<PendingNotification>) {
    guard !notifications.isEmpty else { return }
    for notification in notifications { all[notification.key] = notification }
    let stored = notifications.map(\.stored)
    file.attempt { store throws(StateError) in try store.move(stored) }
  }

  /// Removes a notification that is never due again.
  func drop(_ key: MonitoredKey) {
    all[key] = nil
    file.attempt { store throws(StateError) in
      try store.removeTriggers([key.identifier], of: key.application)
    }
  }

  /// Follows the delivery of a notification, which ``Presenter`` has stored together with this change.
  ///
  /// - Parameter notification: The notification with its new anchor or state; `nil` if it does not repeat.
  func delivered(_ key: MonitoredKey, next notification: PendingNotification?) { all[key] = notification }

  /// Forgets a notification that was replaced by one that was delivered at once, which ``Presenter`` has stored.
  func forgetReplaced(_ key: MonitoredKey) {
    guard all.removeValue(forKey: key) != nil else { return }
    changed()
  }

  /// Forgets an application that was uninstalled, after it was removed from the file.
  func forgetAll(of application: String) {
    for key in all.keys.of(application, named: nil) { all[key] = nil }
  }
}

extension PendingNotification {
  /// The application and the identifier.
  var key: MonitoredKey { MonitoredKey(application: application, identifier: request.identifier) }

  /// The stored form.
  fileprivate var stored: StoredTrigger {
    StoredTrigger(
      application: application, identifier: request.identifier, request: request.propertyList.json,
      anchor: anchor.milliseconds, isOfUser: isOfUser, state: region == nil ? nil : regionState.rawValue)
  }
}
