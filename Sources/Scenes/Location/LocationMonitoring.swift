// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
package import Triggers

/// A service that monitors locations for one application.
package protocol LocationMonitoring: Sendable {
  /// Asks the user once, and returns the answer.
  nonisolated(nonsending) func requestLocationAuthorization() async throws(SceneError) -> Bool
  /// Returns the user's answer.
  nonisolated(nonsending) func locationAuthorization() async throws(SceneError) -> LocationAuthorizationStatus
  /// Returns the regions with their states, ordered by identifier.
  nonisolated(nonsending) func regions() async throws(SceneError) -> [MonitoredRegion]
  /// Monitors a region.
  nonisolated(nonsending) func add(_ region: CircularRegion) async throws(SceneError)
  /// Ends the monitoring of a region.
  nonisolated(nonsending) func removeRegion(_ identifier: String) async throws(SceneError)
  /// Starts or ends the monitoring of significant changes.
  nonisolated(nonsending) func monitorSignificantChanges(_ monitors: Bool) async throws(SceneError)
}

/// A monitored region and its state.
package struct MonitoredRegion: Hashable, Sendable {
  /// The region.
  package var region: CircularRegion
  /// The position of the computer.
  package var state: RegionState

  /// Creates a region with its state.
  package init(region: CircularRegion, state: RegionState) {
    self.region = region
    self.state = state
  }
}

/// The calls for locations, of `LocationMonitoring`.
extension TriggersClient {
  private typealias Interface = TriggersInterface

  nonisolated(nonsending) func requestLocationAuthorization() async throws(SceneError) -> Bool {
    // The user may take any time to answer.
    try await call(
      Interface.requestLocationAuthorization, application, timeout: nil, as: SceneError.locationFailed)
  }

  nonisolated(nonsending) func locationAuthorization() async throws(SceneError)
    -> LocationAuthorizationStatus
  {
    let status = try await call(Interface.locationAuthorization, application, as: SceneError.locationFailed)
    return LocationAuthorizationStatus(rawValue: status) ?? .notDetermined
  }

  nonisolated(nonsending) func regions() async throws(SceneError) -> [MonitoredRegion] {
    let monitored = try await call(Interface.monitoredLocations, as: SceneError.locationFailed)
    return (monitored["regions"]?.dictionaries ?? []).compactMap { entries in
      // A caller that acts for the user sees the regions of all applications.
      guard entries["application"]?.string == application, let region = try? CircularRegion(entries) else {
        return nil
      }
      let state = entries["state"]?.string.flatMap(RegionState.init)
      return MonitoredRegion(region: region, state: state ?? .unknown)
    }
  }

  nonisolated(nonsending) func add(_ region: CircularRegion) async throws(SceneError) {
    try await call(Interface.addRegion, application, region.entries, as: SceneError.locationFailed)
  }

  nonisolated(nonsending) func removeRegion(_ identifier: String) async throws(SceneError) {
    try await call(Interface.removeRegions, application, [identifier], as: SceneError.locationFailed)
  }

  nonisolated(nonsending) func monitorSignificantChanges(_ monitors: Bool) async throws(SceneError) {
    if monitors {
      try await call(Interface.startSignificantLocationChanges, application, as: SceneError.locationFailed)
    } else {
      try await call(Interface.stopSignificantLocationChanges, application, as: SceneError.locationFailed)
    }
  }
}
