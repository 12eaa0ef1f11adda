// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Logging
import State
import Systemd
import Triggers

/// The pending notifications, each of which it delivers when it is due.
@BrokerActor
final class Scheduler {
  private let file: TriggerFile
  private let clock: TriggerClock
  private let presenter: Presenter
  private let absences: AbsentApplications
  private let log: Logger
  private var pending: [MonitoredKey: PendingNotification] = [:]
  private var isChecking = false
  private var mustCheckAgain = false
  /// Sets the timer to a time, or to none.
  private var arm: (WallTime?) -> Void = { _ in }
  /// Called after a check.
  var changed: () -> Void = {}
  /// Called after the regions of pending notifications have changed.
  var regionsChanged: () -> Void = {}
  /// Returns the position of the computer relative to a region that is added.
  var position: (CircularRegion) -> RegionState = { _ in .unknown }

  init(
    file: TriggerFile, clock: TriggerClock, presenter: Presenter, absences: AbsentApplications, log: Logger
  ) {
    self.file = file
    self.clock = clock
    self.presenter = presenter
    self.absences = absences
    self.log = log
  }

  /// The time after which a delivery that could not be stored is tried again, in milliseconds.
  private static let retry: Int64 = 60_000

  private static let limits = ItemLimits(
    ofApplication: NotificationLimits.pendingOfApplication, total: NotificationLimits.pending,
    own: { "has \($0) pending notifications" }, all: { "\($0) notifications are pending" })

  /// A Boolean value that is `true` if nothing is pending.
  var isIdle: Bool { pending.isEmpty }

  /// The IDs of the applications with pending notifications.
  var applications: Set<String> { Set(pending.keys.map(\.application)) }

  /// Reads what an earlier daemon has stored.
  func load() throws(BusError) {
    for stored in try file.use({ store throws(StateError) in try store.triggers() }) {
      guard let request = try? NotificationRequest(PropertyList(json: stored.request)) else { continue }
      pending[MonitoredKey(application: stored.application, identifier: stored.identifier)] =
        PendingNotification(
          application: stored.application, request: request, anchor: WallTime(milliseconds: stored.anchor),
          isOfUser: stored.isOfUser, regionState: stored.state.flatMap(RegionState.init) ?? .unknown)
    }
  }

  /// Starts to deliver, with a function that sets the timer.
  func start(_ arm: @escaping (WallTime?) -> Void) {
    self.arm = arm
    check()
  }

  // MARK: Requests

  /// Stores a notification, or delivers it at once if it has no trigger.
  ///
  /// - Parameter isOfUser: Whether the user created it, and not the application.
  func add(_ request: NotificationRequest, of application: String, isOfUser: Bool) throws(BusError) {
    let key = MonitoredKey(application: application, identifier: request.identifier)
    followClock()
    defer { regionsChanged() }
    let now = clock.now
    guard let trigger = request.trigger else {
      try presenter.deliver(request, of: application, date: now, anchor: nil, isOfUser: isOfUser)
      pending[key] = nil
      return
    }
    if case .calendar(_, let zone?, _) = trigger, clock.namedZone(zone) == nil {
      throw BusError(
        .invalidRequest,
        "trigger.time-zone: “\(zone)” is not in the time zone database; use a name such as Europe/Berlin")
    }
    var notification = PendingNotification(
      application: application, request: request, anchor: now, isOfUser: isOfUser)
    if let region = notification.region {
      let known = pending[key]
      // Applications add their notifications again at each start.
      let isKnown = known?.region?.hasBorder(of: region) == true
      notification.regionState = isKnown ? known?.regionState ?? .unknown : position(region)
    }
    guard notification.state(at: now, zone: clock.zone) != .never else {
      throw BusError(.invalidRequest, "trigger: no time in the future has these components")
    }
    if pending[key] == nil { try Self.limits.requireSpace(for: application, among: pending.keys) }
    let stored = notification.stored
    try file.use { store throws(StateError) in try store.add(stored) }
    pending[key] = notification
    check()
  }

  /// Returns the pending notifications of an application and when they are due, the next one first, and those with a region last.
  func pending(of application: String) -> [(notification: PendingNotification, next: WallTime?)] {
    let now = clock.now
    return pending.values.filter { $0.application.isSpelt(like: application) }
      .compactMap { notification in
        switch notification.state(at: now, zone: clock.zone) {
        case .waiting(let date), .due(let date, _), .missed(let date, _): (notification, date)
        case .waitingForRegion: (notification, nil)
        case .never: nil
        }
      }
      .sorted { left, right in
        guard let first = left.next, let second = right.next else {
          guard left.next == nil, right.next == nil else { return left.next != nil }
          return left.notification.request.identifier < right.notification.request.identifier
        }
        return first < second
      }
  }

  /// Removes pending notifications of an application; `nil` removes all.
  func remove(_ identifiers: [String]?, of application: String) throws(BusError) {
    let keys = pending.keys.of(application, named: identifiers)
    guard !keys.isEmpty else { return }
    let names = keys.map(\.identifier)
    try file.use { store throws(StateError) in try store.removeTriggers(names, of: application) }
    for key in keys { pending[key] = nil }
    regionsChanged()
    check()
  }

  /// Forgets an application that was uninstalled, after it was removed from the file.
  func forgetAll(of application: String) {
    for key in pending.keys.of(application, named: nil) { pending[key] = nil }
  }

  // MARK: Regions

  /// The regions of pending notifications, with their states.
  var regions: [MonitoredKey: LocationMonitor.Monitored] {
    pending.compactMapValues { notification in
      notification.region.map {
        LocationMonitor.Monitored(
          region: $0, state: notification.regionState, isOfUser: notification.isOfUser)
      }
    }
  }

  /// Stores new states of regions, and delivers the notifications that have become due by them.
  ///
  /// A notification that cannot be stored keeps its earlier state, so that the next measurement delivers it.
  func record(_ states: [MonitoredKey: RegionState], due: Set<MonitoredKey>) {
    var moved: [StoredTrigger] = []
    for (key, state) in states.sorted(by: { $0.key < $1.key }) {
      guard var notification = pending[key], notification.regionState != state else { continue }
      notification.regionState = state
      guard due.contains(key) else {
        pending[key] = notification
        moved.append(notification.stored)
        continue
      }
      let repeats = notification.request.trigger?.repeats == true
      do throws(BusError) {
        try presenter.deliver(
          notification.request, of: key.application, date: clock.now,
          anchor: repeats ? notification.anchor : nil, state: state, isOfUser: notification.isOfUser)
        pending[key] = repeats ? notification : nil
      } catch {
        log.error("a notification of \(key.application) is due and cannot be stored: \(error.message)")
      }
    }
    let stored = moved
    if !stored.isEmpty { file.attempt { store throws(StateError) in try store.move(stored) } }
  }

  // MARK: Clock

  /// Handles a change of the clock or of the system's zone.
  func clockChanged() {
    clock.forgetZone()
    check()
  }

  /// Moves the anchors, and the beginnings of absences, if the clock was set since the last check, before anything is found due by the
  /// new time.
  private func followClock() {
    let change = clock.change()
    guard change != 0 else { return }
    let now = clock.now
    absences.move(byClockChange: change)
    var moved: [StoredTrigger] = []
    for (key, notification) in pending {
      var changed = notification
      changed.moveAnchor(byClockChange: change, now: now)
      guard changed != notification else { continue }
      pending[key] = changed
      moved.append(changed.stored)
    }
    let stored = moved
    if !stored.isEmpty { file.attempt { store throws(StateError) in try store.move(stored) } }
  }

  /// Delivers what is due, and sets the timer for the next one.
  func check() {
    guard !isChecking else {
      mustCheckAgain = true
      return
    }
    isChecking = true
    EventLoop.shared.start {
      repeat {
        self.mustCheckAgain = false
        await self.deliverDue()
      } while self.mustCheckAgain
      self.isChecking = false
      self.changed()
    }
  }

  private func deliverDue() async {
    let applications = absences.applications()
    let missing = await absences.missing(among: applications)
    // The clock may have been set before the answers.
    followClock()
    var next = absences.record(missing: missing, among: applications)
    func wake(at time: WallTime) { next = next.map { min($0, time) } ?? time }
    let now = clock.now
    for (key, notification) in pending.sorted(by: { $0.value.anchor < $1.value.anchor }) {
      switch notification.state(at: now, zone: clock.zone) {
      case .waiting(let date): wake(at: date)
      case .waitingForRegion: break
      case .never: drop(key)
      case .missed(let date, let anchor):
        log.notice(
          "a notification of \(key.application) was due more than seven days ago and is dropped",
          metadata: ["date": "\(date.seconds)"])
        move(key, to: anchor)
        mustCheckAgain = mustCheckAgain || anchor != nil
      case .due(let date, let anchor):
        // It stays due until the application is installed again, or is removed.
        guard !missing.contains(key.application) else { continue }
        do throws(BusError) {
          try presenter.deliver(
            notification.request, of: key.application, date: date, anchor: anchor,
            isOfUser: notification.isOfUser)
          if let anchor {
            pending[key]?.anchor = anchor
            mustCheckAgain = true
          } else {
            pending[key] = nil
          }
        } catch {
          log.error("a notification of \(key.application) is due and cannot be stored: \(error.message)")
          wake(at: now + Self.retry)
        }
      }
    }
    arm(next)
  }

  private func drop(_ key: MonitoredKey) {
    pending[key] = nil
    file.attempt { store throws(StateError) in
      try store.removeTriggers([key.identifier], of: key.application)
    }
  }

  private func move(_ key: MonitoredKey, to anchor: WallTime?) {
    guard let anchor else { return drop(key) }
    pending[key]?.anchor = anchor
    guard let stored = pending[key]?.stored else { return }
    file.attempt { store throws(StateError) in try store.move([stored]) }
  }
}

extension PendingNotification {
  /// The stored form.
  var stored: StoredTrigger {
    StoredTrigger(
      application: application, identifier: request.identifier, request: request.propertyList.json,
      anchor: anchor.milliseconds, isOfUser: isOfUser, state: region == nil ? nil : regionState.rawValue)
  }
}
