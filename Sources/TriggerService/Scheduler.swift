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
  private let facts: ApplicationFacts
  private let identification: SourceIdentification
  private let log: Logger
  private var pending: [MonitoredKey: PendingNotification] = [:]
  private var isChecking = false
  private var mustCheckAgain = false
  /// The times since boot at which this daemon found that applications have been missing for seven days.
  private var confirmedSince: [String: Int64] = [:]
  /// Sets the timer to a time, or to none.
  private var arm: (WallTime?) -> Void = { _ in }
  /// Called after a check, and after everything of an application was removed.
  var changed: () -> Void = {}
  /// Returns the IDs of the applications that are registered for remote notifications.
  var registered: () -> Set<String> = { [] }
  /// Called after the regions of pending notifications have changed.
  var regionsChanged: () -> Void = {}
  /// Returns the position of the computer relative to a region that is added.
  var position: (CircularRegion) -> RegionState = { _ in .unknown }
  /// Called for an application that was uninstalled, after it was removed from the file.
  var uninstalled: (String) -> Void = { _ in }

  init(
    file: TriggerFile, clock: TriggerClock, presenter: Presenter, facts: ApplicationFacts,
    identification: SourceIdentification, log: Logger
  ) {
    self.file = file
    self.clock = clock
    self.presenter = presenter
    self.facts = facts
    self.identification = identification
    self.log = log
  }

  /// The time for which an application may be missing before everything of it is removed, in milliseconds.
  ///
  /// An update may remove and reinstall an application, and a disk may be mounted late.
  private static let absence: Int64 = 7 * 86_400_000
  /// The time after which the scheduler checks again whether a missing application is installed, in milliseconds.
  private static let missingCheckInterval: Int64 = 3_600_000
  /// The time for which this daemon must have missed an application before everything of it is removed, in milliseconds.
  ///
  /// The application may have been there in the seven days while no daemon ran, or nothing was due.
  private static let confirmation: Int64 = 600_000
  /// The time after which a delivery that could not be stored is tried again, in milliseconds.
  private static let retry: Int64 = 60_000

  private static let limits = ItemLimits(
    ofApplication: NotificationLimits.pendingOfApplication, total: NotificationLimits.pending,
    own: { "has \($0) pending notifications" }, all: { "\($0) notifications are pending" })

  /// A Boolean value that is `true` if nothing is pending, and no removal of an application is to be confirmed.
  ///
  /// Only a run of the daemon that lasts can confirm that an application is missing.
  var isIdle: Bool { pending.isEmpty && confirmedSince.isEmpty }

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

  /// Returns those of the applications that are not installed.
  func missing(_ applications: Set<String>) async -> Set<String> {
    var missing: Set<String> = []
    for application in applications {
      guard let id = ApplicationID(rawValue: application), !(await identification.isInstalled(id)) else {
        continue
      }
      missing.insert(application)
    }
    return missing
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
    for application in facts.missingApplications {
      try? facts.update(application) { facts in facts.missingSince = facts.missingSince.map { $0 + change } }
    }
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
    let missing = await missingApplications()
    let now = clock.now
    var next: WallTime?
    func wake(at time: WallTime) { next = next.map { min($0, time) } ?? time }
    if !missing.isEmpty { wake(at: now + Self.missingCheckInterval) }
    if !confirmedSince.isEmpty { wake(at: now + Self.confirmation) }
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

  /// Returns the applications that are not installed, and removes those that were uninstalled; follows the clock first.
  private func missingApplications() async -> Set<String> {
    let applications = Set(pending.keys.map(\.application)).union(presenter.applications).union(registered())
    let missing = await missing(applications)
    followClock()
    let now = clock.now
    confirmedSince = confirmedSince.filter { missing.contains($0.key) }
    for application in applications.subtracting(missing) {
      try? facts.update(application) { $0.missingSince = nil }
    }
    for application in missing {
      // A time in the future is of a clock that was set back.
      let since = min(facts[application].missingSince ?? now.milliseconds, now.milliseconds)
      try? facts.update(application) { $0.missingSince = since }
      guard now.milliseconds - since >= Self.absence else { continue }
      let first = confirmedSince[application] ?? clock.elapsed
      confirmedSince[application] = first
      if clock.elapsed - first >= Self.confirmation { uninstall(application) }
    }
    return missing
  }

  private func uninstall(_ application: String) {
    confirmedSince[application] = nil
    guard file.attempt({ store throws(StateError) in try store.remove(application: application) }) else {
      return
    }
    log.notice("\(application) has not been installed for seven days; its notifications are removed")
    for key in pending.keys.of(application, named: nil) { pending[key] = nil }
    facts.forget(application)
    uninstalled(application)
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
