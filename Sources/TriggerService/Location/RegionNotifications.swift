// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import DBus
import Logging
import Triggers

/// The pending notifications with a region, which it delivers when the computer enters or leaves the region.
///
/// They need the permissions for locations and for notifications. Without them no state is stored.
@BrokerActor
final class RegionNotifications {
  typealias Monitored = LocationMonitor.Monitored

  private let pending: PendingNotifications
  private let clock: TriggerClock
  private let presenter: Presenter
  private let permissions: PermissionWatch
  private let log: Logger

  init(
    pending: PendingNotifications, clock: TriggerClock, presenter: Presenter, permissions: PermissionWatch,
    log: Logger
  ) {
    self.pending = pending
    self.clock = clock
    self.presenter = presenter
    self.permissions = permissions
    self.log = log
  }

  /// The regions with their states.
  var regions: [MonitoredKey: Monitored] {
    pending.all.compactMapValues { notification in
      notification.region.map {
        Monitored(region: $0, state: notification.regionState, isOfUser: notification.isOfUser)
      }
    }
  }

  /// The regions of the notifications that the user allows.
  var permitted: [MonitoredKey: Monitored] {
    regions.filter { key, monitored in
      Self.needs(of: key.application, isOfUser: monitored.isOfUser).allSatisfy { permissions.isPermitted($0) }
    }
  }

  /// The IDs of the applications of the notifications, in order.
  var applications: [String] { Set(regions.keys.map(\.application)).sorted() }

  // MARK: Permissions

  /// The permissions that the notifications need.
  var needs: Set<PermissionWatch.Need> { Self.needs(of: regions) }

  /// Returns the permissions that the notifications with these regions need.
  static func needs(of regions: [MonitoredKey: Monitored]) -> Set<PermissionWatch.Need> {
    Set(regions.flatMap { needs(of: $0.key.application, isOfUser: $0.value.isOfUser) })
  }

  private static func needs(of application: String, isOfUser: Bool) -> [PermissionWatch.Need] {
    [.location, .notifications].map {
      PermissionWatch.Need(permission: $0, application: application, isOfUser: isOfUser)
    }
  }

  /// Returns the reason why a notification of an application waits, with the command that allows it; `nil` if the user allows it.
  func refusal(of application: String, isOfUser: Bool) -> String? {
    Self.needs(of: application, isOfUser: isOfUser).compactMap { permissions.refusal(of: $0) }.first
  }

  /// Forgets the states of notifications that the user does not allow any more.
  func forgetRefused() {
    let refused = regions.filter { key, monitored in
      monitored.state != .unknown && refusal(of: key.application, isOfUser: monitored.isOfUser) != nil
    }
    record(refused.mapValues { _ in .unknown }, due: [])
  }

  // MARK: Measurements

  /// Returns the regions of the permitted notifications that a measurement makes due.
  func crossed(at location: Location) -> [MonitoredKey: Monitored] {
    permitted.filter { _, monitored in
      let state = monitored.region.state(at: location, after: monitored.state)
      return monitored.region.event(from: monitored.state, to: state) != nil
    }
  }

  /// Stores the states after a measurement, and delivers the notifications that have become due by it.
  ///
  /// - Parameter missing: The applications that are not installed. Their notifications keep their states, so that they are due when the
  ///   application is installed again.
  func record(_ location: Location, missing: Set<String>) {
    let states = permitted.filter { !missing.contains($0.key.application) }
      .mapValues { $0.region.state(at: location, after: $0.state) }
    record(states, due: Set(crossed(at: location).keys))
  }

  /// Stores new states of regions, and delivers the notifications that have become due by them.
  ///
  /// A notification that cannot be stored keeps its earlier state, so that the next measurement delivers it.
  func record(_ states: [MonitoredKey: RegionState], due: Set<MonitoredKey>) {
    var moved: [PendingNotification] = []
    for (key, state) in states.sorted(by: { $0.key < $1.key }) {
      guard var notification = pending.all[key], notification.regionState != state else { continue }
      notification.regionState = state
      guard due.contains(key) else {
        moved.append(notification)
        continue
      }
      let repeats = notification.request.trigger?.repeats == true
      do throws(BusError) {
        try presenter.deliver(
          notification.request, of: key.application, date: clock.now,
          anchor: repeats ? notification.anchor : nil, state: state, isOfUser: notification.isOfUser)
        pending.delivered(key, next: repeats ? notification : nil)
      } catch {
        log.error("a notification of \(key.application) is due and cannot be stored: \(error.message)")
      }
    }
    pending.update(moved)
  }
}
