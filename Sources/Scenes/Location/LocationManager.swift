// SPDX-License-Identifier: Apache-2.0
import Synchronization
public import Triggers

/// A manager of the locations that an application monitors, corresponding to `CLLocationManager`.
///
/// `usher-triggers` monitors regions and significant changes also while the application does not run, and starts it for an event. An
/// application that was started creates its manager again, at the latest in `didFinishLaunching`, and sets the delegate, which then
/// receives the event.
///
/// ```swift
/// manager = LocationManager(of: application)
/// manager.delegate = self
/// guard try await manager.requestAlwaysAuthorization() else { return }
/// try await manager.startMonitoring(for: CircularRegion(identifier: "home", center: home, radius: 200))
/// ```
/// All managers of an application share its regions, and the delegate of each receives the events. The methods throw
/// ``SceneError/locationFailed(_:)`` if `usher-triggers` rejects the call or does not run.
public final class LocationManager: Sendable {
  private struct State {
    weak var delegate: (any LocationManagerDelegate)?
  }

  private let application: Application
  private let state = Mutex(State())

  /// Creates a manager of an application.
  public init(of application: Application) {
    self.application = application
    application.locationEvents.add(self)
  }

  private var monitor: any LocationMonitoring { application.triggers }

  /// The receiver of the events, which the manager does not retain.
  ///
  /// A delegate that is set later than the event for which the application was started receives it then, unless
  /// `application(_:didReceive:)` has handled it.
  public var delegate: (any LocationManagerDelegate)? {
    get { state.withLock { $0.delegate } }
    set {
      state.withLock { $0.delegate = newValue }
      guard newValue != nil else { return }
      application.locationEvents.deliverHeld()
    }
  }

  /// Asks the user whether the application may be started for the location, and returns the answer.
  ///
  /// The user is asked once; after that, the method returns the stored answer.
  public nonisolated(nonsending) func requestAlwaysAuthorization() async throws(SceneError) -> Bool {
    try await monitor.requestLocationAuthorization()
  }

  /// Returns the user's answer, without asking.
  public nonisolated(nonsending) func authorizationStatus() async throws(SceneError)
    -> LocationAuthorizationStatus
  {
    try await monitor.locationAuthorization()
  }

  /// Returns the regions that the application monitors, ordered by identifier.
  public nonisolated(nonsending) func monitoredRegions() async throws(SceneError) -> [CircularRegion] {
    try await monitor.regions().map(\.region)
  }

  /// Monitors a region, replacing one with its identifier.
  ///
  /// The delegate receives entries and exits from now on; the state at the beginning is no event.
  ///
  /// - Throws: An error with ``SceneError/brokerError`` `denied` if the user does not allow it, `invalidRequest` for values that
  ///   `org.usher.Triggers1.xml` does not allow, and `tooMany` beyond 20 regions.
  public nonisolated(nonsending) func startMonitoring(for region: CircularRegion) async throws(SceneError) {
    try await monitor.add(region)
  }

  /// Ends the monitoring of the region with the identifier of `region`.
  public nonisolated(nonsending) func stopMonitoring(for region: CircularRegion) async throws(SceneError) {
    try await monitor.removeRegion(region.identifier)
  }

  /// Reports to the delegate whether the computer is inside a monitored region, and returns it.
  @discardableResult
  public nonisolated(nonsending) func requestState(for region: CircularRegion) async throws(SceneError)
    -> RegionState
  {
    let state = try await monitor.regions().first { $0.region.identifier == region.identifier }?.state
    await delegate?.locationManager(self, didDetermineState: state ?? .unknown, for: region)
    return state ?? .unknown
  }

  /// Monitors significant changes: locations that are at least 500 metres and five minutes away from the last one.
  ///
  /// The delegate receives the first location, too.
  public nonisolated(nonsending) func startMonitoringSignificantLocationChanges() async throws(SceneError) {
    try await monitor.monitorSignificantChanges(true)
  }

  /// Ends the monitoring of significant changes.
  public nonisolated(nonsending) func stopMonitoringSignificantLocationChanges() async throws(SceneError) {
    try await monitor.monitorSignificantChanges(false)
  }
}

extension LocationManager: EventManager {
  /// A manager with its delegate at the time of an event.
  private struct Receiver: EventReceiver {
    let manager: LocationManager
    let delegate: any LocationManagerDelegate
    let event: LocationEvent

    nonisolated(nonsending) func receive() async -> SceneResult {
      switch event {
      case .entered(let region): await delegate.locationManager(manager, didEnterRegion: region)
      case .exited(let region): await delegate.locationManager(manager, didExitRegion: region)
      case .moved(let location): await delegate.locationManager(manager, didUpdateLocations: [location])
      }
      return .handled
    }
  }

  func receiver(of event: LocationEvent) -> (any EventReceiver)? {
    delegate.map { Receiver(manager: self, delegate: $0, event: event) }
  }
}

/// The receiver of the events of a ``LocationManager``, corresponding to `CLLocationManagerDelegate`.
///
/// The methods run with the isolation of the implementing type.
public protocol LocationManagerDelegate: AnyObject, Sendable {
  /// Reports that the computer has entered a region.
  func locationManager(_ manager: LocationManager, didEnterRegion region: CircularRegion) async
  /// Reports that the computer has left a region.
  func locationManager(_ manager: LocationManager, didExitRegion region: CircularRegion) async
  /// Reports a significant change of the location.
  func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) async
  /// Reports whether the computer is inside a region, after a request.
  func locationManager(
    _ manager: LocationManager, didDetermineState state: RegionState, for region: CircularRegion) async
}

extension LocationManagerDelegate {
  /// Does nothing.
  public func locationManager(_ manager: LocationManager, didEnterRegion region: CircularRegion) async {}
  /// Does nothing.
  public func locationManager(_ manager: LocationManager, didExitRegion region: CircularRegion) async {}
  /// Does nothing.
  public func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) async {}
  /// Does nothing.
  public func locationManager(
    _ manager: LocationManager, didDetermineState state: RegionState, for region: CircularRegion
  ) async {}
}

/// The user's answer to the request for the location, corresponding to `CLAuthorizationStatus`.
public enum LocationAuthorizationStatus: String, Sendable {
  /// The user was not asked.
  case notDetermined = "not-determined"
  /// The user does not allow it, or the administrator has locked grants.
  case denied
  /// The user allows it, also while the application does not run.
  case authorizedAlways = "authorized"
}
