// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Logging
import State
import Systemd
import Triggers

/// The schedule of the pending notifications: it delivers those that are due at a time.
@BrokerActor
final class Scheduler {
  private let pending: PendingNotifications
  private let clock: TriggerClock
  private let presenter: Presenter
  private let missingApplications: MissingApplications
  private let log: Logger
  private var isChecking = false
  private var mustCheckAgain = false
  /// Sets the timer to a time, or to none.
  private var arm: (WallTime?) -> Void = { _ in }
  /// Called after a check.
  var changed: () -> Void = {}

  init(
    pending: PendingNotifications, clock: TriggerClock, presenter: Presenter,
    missingApplications: MissingApplications,
    log: Logger
  ) {
    self.pending = pending
    self.clock = clock
    self.presenter = presenter
    self.missingApplications = missingApplications
    self.log = log
  }

  /// The time after which a delivery that could not be stored is tried again, in milliseconds.
  private static let retry: Int64 = 60_000

  /// Starts to deliver, with a function that sets the timer.
  func start(_ arm: @escaping (WallTime?) -> Void) {
    self.arm = arm
    check()
  }

  // MARK: Requests

  /// Stores a notification, or delivers it at once if it has no trigger.
  ///
  /// - Parameters:
  ///   - state: The position of the computer relative to the region of its trigger.
  ///   - isOfUser: Whether the user created it, and not the application.
  func add(
    _ request: NotificationRequest, of application: String, state: RegionState = .unknown, isOfUser: Bool
  ) throws(BusError) {
    followClock()
    let now = clock.now
    let notification = PendingNotification(
      application: application, request: request, anchor: now, isOfUser: isOfUser, regionState: state)
    guard let trigger = request.trigger else {
      try presenter.deliver(request, of: application, date: now, anchor: nil, isOfUser: isOfUser)
      return pending.forgetReplaced(notification.key)
    }
    if case .calendar(_, let zone?, _) = trigger, clock.namedZone(zone) == nil {
      throw BusError(
        .invalidRequest,
        "trigger.time-zone: “\(zone)” is not in the time zone database; use a name such as Europe/Berlin")
    }
    guard notification.state(at: now, zone: clock.zone) != .never else {
      throw BusError(.invalidRequest, "trigger: no time in the future has these components")
    }
    try pending.add(notification)
    check()
  }

  /// Returns the pending notifications of an application and when they are due, the next one first, and those with a region last.
  func pending(of application: String) -> [(notification: PendingNotification, next: WallTime?)] {
    let now = clock.now
    return pending.all.values.filter { $0.application.isSpelt(like: application) }
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
    if try pending.remove(identifiers, of: application) { check() }
  }

  // MARK: Clock

  /// Handles a change of the clock, of the system's zone or of the time zone database.
  func clockChanged() {
    clock.forgetZones()
    check()
  }

  /// Moves the anchors, and the times since which applications are missing, if the clock was set since the last check, before anything is
  /// found due by the new time.
  private func followClock() {
    let change = clock.change()
    guard change != 0 else { return }
    let now = clock.now
    missingApplications.move(byClockChange: change)
    pending.update(
      pending.all.values.compactMap { notification in
        var moved = notification
        moved.moveAnchor(byClockChange: change, now: now)
        return moved == notification ? nil : moved
      })
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
    let applications = missingApplications.applications()
    let missing = await missingApplications.missing(among: applications)
    // The clock may have been set before the answers.
    followClock()
    var next = missingApplications.record(missing: missing, among: applications)
    func wake(at time: WallTime) { next = next.map { min($0, time) } ?? time }
    let now = clock.now
    for (key, notification) in pending.all.sorted(by: { $0.value.anchor < $1.value.anchor }) {
      switch notification.state(at: now, zone: clock.zone) {
      case .waiting(let date): wake(at: date)
      case .waitingForRegion: break
      case .never: pending.drop(key)
      case .missed(let date, let anchor):
        log.notice(
          "a notification of \(key.application) was due more than seven days ago and is dropped",
          metadata: ["date": "\(date.seconds)"])
        if let next = notification.repeated(after: anchor) {
          pending.update([next])
          mustCheckAgain = true
        } else {
          pending.drop(key)
        }
      case .due(let date, let anchor):
        // It stays due until the application is installed again, or is removed.
        guard !missing.contains(key.application) else { continue }
        do throws(BusError) {
          try presenter.deliver(
            notification.request, of: key.application, date: date, anchor: anchor,
            isOfUser: notification.isOfUser)
          pending.delivered(key, next: notification.repeated(after: anchor))
          mustCheckAgain = mustCheckAgain || anchor != nil
        } catch {
          log.error("a notification of \(key.application) is due and cannot be stored: \(error.message)")
          wake(at: now + Self.retry)
        }
      }
    }
    arm(next)
  }
}

extension PendingNotification {
  /// Returns the notification with the anchor of its next date; `nil` without an anchor.
  fileprivate func repeated(after anchor: WallTime?) -> PendingNotification? {
    guard let anchor else { return nil }
    var next = self
    next.anchor = anchor
    return next
  }
}
