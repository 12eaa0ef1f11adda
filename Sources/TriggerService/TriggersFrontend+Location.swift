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
    let monitor = locations.monitor
    return [
      .method(Interface.requestLocationAuthorization) { call, application async throws(BusError) in
        try await self.serve(call, for: application) { access async throws(BusError) in
          try await self.requireInstalled(access.application)
          let status = try await self.locations.permission.status(
            of: access.application.rawValue, asks: true)
          return status == .answered(.allowed)
        }
      },
      .method(Interface.locationAuthorization) { call, application async throws(BusError) in
        try await self.serve(call, for: application) { access async throws(BusError) in
          try await self.locationAuthorization(of: access.application)
        }
      },
      .method(Interface.addRegion) { call, application, entries async throws(BusError) in
        try await self.serve(call, for: application) { access async throws(BusError) in
          let region = try decoded(CircularRegion(entries))
          try await self.requirePermission(self.locations.permission, of: access)
          try await monitor.add(region, of: access.application.rawValue, isOfUser: access.isOfUser)
        }
      },
      .method(Interface.removeRegions) { call, application, identifiers async throws(BusError) in
        try await self.serve(call, for: application) { access async throws(BusError) in
          try await monitor.remove(identifiers, of: access.application.rawValue)
        }
      },
      .method(Interface.removeAllRegions) { call, application async throws(BusError) in
        try await self.serve(call, for: application) { access async throws(BusError) in
          try await monitor.remove(nil, of: access.application.rawValue)
        }
      },
      .method(Interface.startSignificantLocationChanges) { call, application async throws(BusError) in
        try await self.serve(call, for: application) { access async throws(BusError) in
          try await self.requirePermission(self.locations.permission, of: access)
          try await monitor.startChanges(of: access.application.rawValue, isOfUser: access.isOfUser)
        }
      },
      .method(Interface.stopSignificantLocationChanges) { call, application async throws(BusError) in
        try await self.serve(call, for: application) { access async throws(BusError) in
          try await monitor.stopChanges(of: access.application.rawValue)
        }
      },
      .method(Interface.monitoredLocations) { call async throws(BusError) in
        try await self.serve { () async throws(BusError) in try await self.monitored(for: call.sender) }
      },
    ]
  }

  private func locationAuthorization(of application: ApplicationID) async throws(BusError) -> String {
    try await requireInstalled(application)
    return try await locations.permission.status(of: application.rawValue, asks: false).answer.authorization
  }

  /// Returns what the caller may see.
  private func monitored(for sender: BusName) async throws(BusError) -> [String: Variant] {
    let visibility = try await access.visibility(for: sender)
    let monitor = locations.monitor
    let regions = monitor.regions.filter { visibility.includes($0.key.application) }
      .sorted { $0.key < $1.key }
      .map { key, monitored in
        var entries = monitored.region.entries
        entries["application"] = .string(key.application)
        entries["state"] = .string(monitored.state.rawValue)
        entries["message"] = monitor.refusal(of: key.application, isOfUser: monitored.isOfUser)
          .map(Variant.string)
        return Variant.dictionary(entries)
      }
    return monitor.status.reply(with: [
      "regions": .array(of: "a{sv}", regions),
      "significant-changes": .strings(monitor.significantChanges.filter(visibility.includes)),
      "notifications": .strings(locations.notifications.applications.filter(visibility.includes)),
    ])
  }
}
