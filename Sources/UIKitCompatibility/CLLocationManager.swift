// SPDX-License-Identifier: Apache-2.0
import Scenes

/// The manager of the locations that the application monitors, also while it does not run.
///
/// It may be created before the launch. Measurements while the application runs, such as those of `startUpdatingLocation()`, are
/// outside of Usher: GeoClue reports them to applications by itself.
@MainActor public final class CLLocationManager {
  /// The managers of this process, which the launch connects to the application.
  private static var all: [WeakManager] = []

  private struct WeakManager {
    weak var manager: CLLocationManager?
  }

  private var backing: LocationManager?
  private var adapter: Adapter?
  /// The calls that wait for the launch.
  private var waiting: [@MainActor (LocationManager) async -> Void] = []
  /// The last call, which the next one follows.
  private var last: Task<Void, Never>?
  private var known: [CLRegion] = []

  /// The user's answer to the request for the location, as far as it is known.
  ///
  /// After the launch, and after each change, the delegate's `locationManagerDidChangeAuthorization(_:)` is called.
  public private(set) var authorizationStatus = CLAuthorizationStatus.notDetermined

  /// The receiver of the events, which the manager does not retain.
  public weak var delegate: (any CLLocationManagerDelegate)? {
    didSet {
      attach()
      backing?.delegate = delegate == nil ? nil : adapter
    }
  }

  /// Creates a manager.
  public init() {
    Self.all.removeAll { $0.manager == nil }
    Self.all.append(WeakManager(manager: self))
    waiting.append { [weak self] in await self?.refresh($0) }
  }

  /// Connects the managers that were created before the launch.
  static func attachAll(to application: Application) {
    for entry in all where entry.manager?.backing == nil { entry.manager?.attach(to: application) }
  }

  /// Connects the manager to the running application, at its first use: a manager may be created before the launch.
  private func attach() {
    if backing == nil, let application = UIApplication.shared.backing { attach(to: application) }
  }

  private func attach(to application: Application) {
    let manager = LocationManager(of: application)
    (backing, adapter) = (manager, Adapter(self))
    if delegate != nil { manager.delegate = adapter }
    let calls = waiting
    waiting = []
    for call in calls { perform(call) }
  }

  /// Makes a call after the earlier ones, and after the launch.
  private func perform(_ call: @escaping @MainActor (LocationManager) async -> Void) {
    attach()
    guard let backing else { return waiting.append(call) }
    last = Task { [last] in
      await last?.value
      await call(backing)
    }
  }

  private func refresh(_ manager: LocationManager) async {
    let regions = (try? await manager.monitoredRegions()) ?? []
    known = regions.map(CLCircularRegion.init)
    await refreshAuthorization(manager)
  }

  private func refreshAuthorization(_ manager: LocationManager) async {
    authorizationStatus =
      (try? await manager.authorizationStatus()).map(CLAuthorizationStatus.init)
      ?? .notDetermined
    delegate?.locationManagerDidChangeAuthorization(self)
  }

  // MARK: - Authorization

  /// Asks the user once; the delegate's `locationManagerDidChangeAuthorization(_:)` reports the answer.
  public func requestAlwaysAuthorization() {
    perform { [weak self] manager in
      do {
        _ = try await manager.requestAlwaysAuthorization()
      } catch { self?.fail(.denied, error) }
      await self?.refreshAuthorization(manager)
    }
  }

  /// Asks the user once, as ``requestAlwaysAuthorization()`` does.
  public func requestWhenInUseAuthorization() { requestAlwaysAuthorization() }

  /// Returns `true`: whether GeoClue measures a location becomes known only later.
  public nonisolated static func locationServicesEnabled() -> Bool { true }

  // MARK: - Regions

  /// Returns whether regions of this class can be monitored: circles.
  public nonisolated static func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
    regionClass == CLCircularRegion.self
  }

  /// The largest radius of a region in metres.
  public var maximumRegionMonitoringDistance: CLLocationDistance { LocationLimits.radius.upperBound }

  /// The regions that the application monitors, as far as they are known.
  public var monitoredRegions: Set<CLRegion> { Set(known) }

  /// Monitors a region; the delegate's `didStartMonitoringFor` or `monitoringDidFailFor` is called.
  public func startMonitoring(for region: CLRegion) {
    perform { [weak self] manager in
      guard let circle = (region as? CLCircularRegion)?.region else {
        guard let self else { return }
        let error = CLError(
          code: .regionMonitoringFailure, errorDescription: "the region is not a circle on the Earth")
        self.delegate?.locationManager(self, monitoringDidFailFor: region, withError: error)
        return
      }
      do {
        try await manager.startMonitoring(for: circle)
        guard let self else { return }
        self.known = self.known.filter { $0 != region } + [region]
        self.delegate?.locationManager(self, didStartMonitoringFor: region)
      } catch {
        guard let self else { return }
        let code: CLError.Code =
          (error as? SceneError)?.brokerError == .denied ? .regionMonitoringDenied : .regionMonitoringFailure
        self.delegate?.locationManager(
          self, monitoringDidFailFor: region,
          withError: CLError(code: code, errorDescription: "\(error)"))
      }
    }
  }

  /// Ends the monitoring of the region with the identifier of `region`.
  public func stopMonitoring(for region: CLRegion) {
    known.removeAll { $0 == region }
    perform { [weak self] manager in
      guard let circle = (region as? CLCircularRegion)?.region else { return }
      do {
        try await manager.stopMonitoring(for: circle)
        // An earlier call may have added the region meanwhile.
        self?.known.removeAll { $0 == region }
      } catch { self?.fail(.regionMonitoringFailure, error) }
    }
  }

  /// Reports to the delegate's `didDetermineState` whether the computer is inside a monitored region.
  public func requestState(for region: CLRegion) {
    perform { [weak self] manager in
      guard let circle = (region as? CLCircularRegion)?.region else { return }
      do { try await manager.requestState(for: circle) } catch { self?.fail(.regionMonitoringFailure, error) }
    }
  }

  // MARK: - Significant changes

  /// Returns `true`.
  public nonisolated static func significantLocationChangeMonitoringAvailable() -> Bool { true }

  /// Monitors significant changes, which the delegate receives in `didUpdateLocations`.
  public func startMonitoringSignificantLocationChanges() {
    perform { [weak self] manager in
      do { try await manager.startMonitoringSignificantLocationChanges() } catch {
        self?.fail((error as? SceneError)?.brokerError == .denied ? .denied : .locationUnknown, error)
      }
    }
  }

  /// Ends the monitoring of significant changes.
  public func stopMonitoringSignificantLocationChanges() {
    perform { [weak self] manager in
      do { try await manager.stopMonitoringSignificantLocationChanges() } catch {
        self?.fail(.locationUnknown, error)
      }
    }
  }

  private func fail(_ code: CLError.Code, _ error: any Error) {
    delegate?.locationManager(
      self, didFailWithError: CLError(code: code, errorDescription: "\(error)"))
  }

  // MARK: - Events

  /// The delegate of the manager of `Scenes`.
  private final class Adapter: LocationManagerDelegate {
    private weak let manager: CLLocationManager?

    init(_ manager: CLLocationManager) { self.manager = manager }

    func locationManager(_: LocationManager, didEnterRegion region: CircularRegion) async {
      await report { $1.locationManager($0, didEnterRegion: CLCircularRegion(region)) }
    }

    func locationManager(_: LocationManager, didExitRegion region: CircularRegion) async {
      await report { $1.locationManager($0, didExitRegion: CLCircularRegion(region)) }
    }

    func locationManager(_: LocationManager, didUpdateLocations locations: [Location]) async {
      await report { $1.locationManager($0, didUpdateLocations: locations.map(CLLocation.init)) }
    }

    func locationManager(
      _: LocationManager, didDetermineState state: RegionState, for region: CircularRegion
    ) async {
      await report {
        $1.locationManager($0, didDetermineState: CLRegionState(state), for: CLCircularRegion(region))
      }
    }

    @MainActor private func report(
      _ call: @MainActor (CLLocationManager, any CLLocationManagerDelegate) -> Void
    ) {
      guard let manager, let delegate = manager.delegate else { return }
      call(manager, delegate)
    }
  }
}

/// The receiver of the events of a location manager; all methods are optional.
@MainActor public protocol CLLocationManagerDelegate: AnyObject {
  /// Reports a significant change of the location.
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  /// Reports that the computer has entered a region.
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
  /// Reports that the computer has left a region.
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
  /// Reports whether the computer is inside a region, after a request.
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
  /// Reports that a region is monitored.
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
  /// Reports that a region is not monitored.
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
  /// Reports that a call has failed.
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  /// Reports that the answer of the user is known, or has changed.
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
}

extension CLLocationManagerDelegate {
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}
  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {}
  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
  /// Does nothing.
  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {}
}
