// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
public import Scenes
public import Triggers

/// Locations of an application under test.
///
/// ```swift
/// try await app.launch()                                    // the application calls startMonitoring(for:)
/// #expect(app.monitoredRegions.map(\.identifier) == ["home"])
/// try await app.enterRegion("home")                         // its manager's delegate gets didEnterRegion
/// ```
extension TestApplication {
  /// The regions that the application monitors, in the order in which it added them.
  public var monitoredRegions: [CircularRegion] { board.update { $0.regions.map(\.region) } }

  /// A Boolean value that is `true` if the application monitors significant changes of the location.
  public var monitorsSignificantLocationChanges: Bool { board.update { $0.monitorsSignificantChanges } }

  /// Moves the computer into a region, and returns the application's result; `nil` if it is not informed of entries.
  ///
  /// Launches the application if it does not run, as `usher-triggers` does. A scheduled notification with the region is shown, which
  /// launches no application.
  ///
  /// - Throws: `RequestFailure.failed` if neither the application nor a scheduled notification has a region with this identifier.
  @discardableResult
  public func enterRegion(_ identifier: String) async throws(RequestFailure) -> SceneResult? {
    try await move(.inside, identifier)
  }

  /// Moves the computer out of a region, and returns the application's result; `nil` if it is not informed of exits.
  @discardableResult
  public func exitRegion(_ identifier: String) async throws(RequestFailure) -> SceneResult? {
    try await move(.outside, identifier)
  }

  /// Changes the location significantly, and returns the application's result.
  ///
  /// - Throws: `RequestFailure.failed` if the application does not monitor significant changes.
  @discardableResult
  public func changeLocation(to location: Location) async throws(RequestFailure) -> SceneResult {
    guard monitorsSignificantLocationChanges else {
      throw .failed("the application does not monitor significant changes of the location")
    }
    return try await deliver(.reason(.location, LocationEvent.moved(location).payload(date: location.date)))
  }

  private func move(
    _ state: RegionState, _ identifier: String
  ) async throws(RequestFailure) -> SceneResult? {
    let found: CircularRegion? = board.update { board in
      guard let index = board.regions.firstIndex(where: { $0.region.identifier == identifier }) else {
        return nil
      }
      board.regions[index].state = state
      return board.regions[index].region
    }
    let opposite: RegionState = state == .inside ? .outside : .inside
    let notifications: [(identifier: String, region: CircularRegion)] = scheduledNotifications.compactMap {
      guard case .region(let region, _)? = $0.trigger, region.identifier == identifier else { return nil }
      return ($0.identifier, region)
    }
    for notification in notifications where notification.region.event(from: opposite, to: state) != nil {
      try await showNotification(notification.identifier)
    }
    guard let found else {
      guard notifications.isEmpty else { return nil }
      throw .failed("neither the application nor a notification has a region “\(identifier)”")
    }
    guard let event = found.event(from: opposite, to: state) else { return nil }
    return try await deliver(.reason(.location, event.payload(date: WallTime(milliseconds: 0))))
  }
}

extension NotificationBoard {
  /// The error of a call that needs the permission for the location.
  static let locationRefusal = BusError(
    .denied, "the user does not allow this application to use the location")

  func requestLocationAuthorization() async throws(SceneError) -> Bool {
    let allows = dependencies.allowsLocation
    update { $0.isLocationAuthorized = allows }
    return allows
  }

  func locationAuthorization() async throws(SceneError) -> LocationAuthorizationStatus {
    update { $0.isLocationAuthorized }.map { $0 ? .authorizedAlways : .denied } ?? .notDetermined
  }

  func regions() async throws(SceneError) -> [MonitoredRegion] {
    update { $0.regions.sorted { $0.region.identifier < $1.region.identifier } }
  }

  func add(_ region: CircularRegion) async throws(SceneError) {
    // The region passes the checks of `usher-triggers`, so that a test notices a value that is not allowed.
    let checked: CircularRegion
    do throws(MessageError) { checked = try CircularRegion(region.entries) } catch {
      throw .locationFailed(BusError(error))
    }
    let refusal: BusError? = update { state in
      guard state.isLocationAuthorized == true else {
        return Self.locationRefusal
      }
      let known = state.regions.firstIndex { $0.region.identifier == checked.identifier }
      if let known {
        if !state.regions[known].region.hasBorder(of: checked) { state.regions[known].state = .unknown }
        state.regions[known].region = checked
        return nil
      }
      guard state.regions.count < LocationLimits.regionsOfApplication else {
        return BusError(
          .tooMany, "the application monitors \(LocationLimits.regionsOfApplication) regions")
      }
      state.regions.append(MonitoredRegion(region: checked, state: .unknown))
      return nil
    }
    if let refusal { throw .locationFailed(refusal) }
  }

  func removeRegion(_ identifier: String) async throws(SceneError) {
    update { state in state.regions.removeAll { $0.region.identifier == identifier } }
  }

  func monitorSignificantChanges(_ monitors: Bool) async throws(SceneError) {
    let isAllowed = update { state in
      if !monitors || state.isLocationAuthorized == true { state.monitorsSignificantChanges = monitors }
      return !monitors || state.isLocationAuthorized == true
    }
    guard isAllowed else {
      throw .locationFailed(Self.locationRefusal)
    }
  }
}
