// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Triggers

/// The calls about locations.
extension TriggersFrontend {
  /// The collaborators of the calls about locations.
  struct Locations {
    let monitor: LocationMonitor
    let notifications: RegionNotifications
    let permission: ApplicationPermission
  }

  /// The methods of the object for locations.
  var locationMembers: [BusMember] {
    typealias Interface = TriggersInterface
    let (monitor, permission) = (locations.monitor, locations.permission)
    return [
      method(Interface.requestLocationAuthorization) { access async throws(BusError) in
        try await status(of: permission, for: access.application, asks: true) == .answered(.allowed)
      },
      method(Interface.locationAuthorization) { access async throws(BusError) in
        try await status(of: permission, for: access.application, asks: false).answer.authorization
      },
      method(Interface.addRegion) { access, entries async throws(BusError) in
        let region = try decoded(CircularRegion(entries))
        try await requirePermission(permission, of: access)
        try await monitor.add(region, of: access.application.rawValue, isOfUser: access.isOfUser)
      },
      method(Interface.removeRegions) { access, identifiers async throws(BusError) in
        try await monitor.remove(identifiers, of: access.application.rawValue)
      },
      method(Interface.removeAllRegions) { access async throws(BusError) in
        try await monitor.remove(nil, of: access.application.rawValue)
      },
      method(Interface.startSignificantLocationChanges) { access async throws(BusError) in
        try await requirePermission(permission, of: access)
        try await monitor.startChanges(of: access.application.rawValue, isOfUser: access.isOfUser)
      },
      method(Interface.stopSignificantLocationChanges) { access async throws(BusError) in
        try await monitor.stopChanges(of: access.application.rawValue)
      },
      list(Interface.monitoredLocations) { visibility in monitored(for: visibility) },
    ]
  }

  /// Returns what the caller may see.
  private func monitored(for visibility: CallerAccess.Visibility) -> [String: Variant] {
    let monitor = locations.monitor
    let regions = visible(monitor.regions, to: visibility) { key, monitored in
      var entries = monitored.region.entries
      entries["state"] = .string(monitored.state.rawValue)
      entries["message"] = monitor.refusal(of: key.application, isOfUser: monitored.isOfUser)
        .map(Variant.string)
      return entries
    }
    return monitor.status.reply(with: [
      "regions": regions,
      "significant-changes": .strings(monitor.significantChanges.filter(visibility.includes)),
      "notifications": .strings(locations.notifications.applications.filter(visibility.includes)),
    ])
  }
}
