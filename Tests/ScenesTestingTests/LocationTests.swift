// SPDX-License-Identifier: Apache-2.0
import ScenesTesting
import TestSupport
import Testing

/// A delegate that records the events of its location manager.
private actor Events: LocationManagerDelegate {
  private(set) var all: [String] = []
  func locationManager(_: LocationManager, didEnterRegion region: CircularRegion) {
    all.append("enter \(region.identifier)")
  }
  func locationManager(_: LocationManager, didExitRegion region: CircularRegion) {
    all.append("exit \(region.identifier)")
  }
  func locationManager(_: LocationManager, didUpdateLocations locations: [Location]) {
    all.append("move \(locations.count)")
  }
  func locationManager(_: LocationManager, didDetermineState state: RegionState, for region: CircularRegion) {
    all.append("\(region.identifier) \(state)")
  }
}

@Suite struct `Locations under test` {
  private struct Delegate: ApplicationDelegate {
    var result = SceneResult.notHandled

    func application(_: Application, didReceive _: SceneRequest) async throws -> SceneResult { result }
  }

  /// A delegate of an application with scenes.
  private struct Window: SceneDelegate {}

  private static func region(_ identifier: String = "home", radius: Double = 200) throws -> CircularRegion {
    let center = try #require(Coordinate(latitude: 48, longitude: 11))
    return CircularRegion(identifier: identifier, center: center, radius: radius)
  }

  private static func location() throws -> Location {
    let center = try #require(Coordinate(latitude: 48, longitude: 11))
    return try #require(
      Location(coordinate: center, horizontalAccuracy: 20, date: WallTime(milliseconds: 0)))
  }

  @Test func `reach the delegate of the manager`() async throws {
    let app = TestApplication(delegate: Delegate())
    try await app.launch()
    let (manager, events) = (LocationManager(of: app.application), Events())
    manager.delegate = events
    #expect(try await manager.authorizationStatus() == .notDetermined)
    let region = try Self.region()
    await #expect(throws: SceneError.self) { try await manager.startMonitoring(for: region) }
    #expect(try await manager.requestAlwaysAuthorization())
    #expect(try await manager.authorizationStatus() == .authorizedAlways)
    try await manager.startMonitoring(for: region)
    var entries = try Self.region("entries")
    entries.notifyOnExit = false
    try await manager.startMonitoring(for: entries)
    #expect(try await manager.monitoredRegions() == [entries, region])
    #expect(try await app.enterRegion("home") == .handled)
    #expect(try await app.enterRegion("entries") == .handled)
    #expect(try await app.exitRegion("entries") == nil)
    #expect(try await manager.requestState(for: region) == .inside)
    try await manager.startMonitoringSignificantLocationChanges()
    #expect(try await app.changeLocation(to: try Self.location()) == .handled)
    #expect(await events.all == ["enter home", "enter entries", "home inside", "move 1"])
    try await manager.stopMonitoring(for: region)
    try await manager.stopMonitoringSignificantLocationChanges()
    await #expect(throws: RequestFailure.self) { try await app.exitRegion("home") }
    await #expect(throws: RequestFailure.self) { try await app.changeLocation(to: try Self.location()) }
  }

  @Test func `wait for a manager that is created later`() async throws {
    let app = TestApplication(delegate: Delegate())
    let region = try Self.region()
    for event in [LocationEvent.entered(region), .exited(region)] {
      try await app.deliver(.reason(.location, event.payload(date: WallTime(milliseconds: 0))))
    }
    let (manager, events) = (LocationManager(of: app.application), Events())
    manager.delegate = events
    let moved = LocationEvent.moved(try Self.location())
    // It is delivered after the events that have waited.
    try await app.deliver(.reason(.location, moved.payload(date: WallTime(milliseconds: 0))))
    #expect(await events.all == ["enter home", "exit home", "move 1"])
    manager.delegate = events
    #expect(await events.all.count == 3)
  }

  @Test func `are delivered once if the application handles them without a manager`() async throws {
    let delegate = Delegate(result: .handled("seen"))
    for app in [
      TestApplication(delegate: delegate),
      TestApplication(delegate: delegate, scenes: SceneConfiguration { Window() }),
    ] {
      let payload = LocationEvent.entered(try Self.region()).payload(date: WallTime(milliseconds: 0))
      #expect(try await app.deliver(.reason(.location, payload)) == .handled("seen"))
      let (manager, events) = (LocationManager(of: app.application), Events())
      manager.delegate = events
      let moved = LocationEvent.moved(try Self.location())
      try await app.deliver(.reason(.location, moved.payload(date: WallTime(milliseconds: 0))))
      #expect(await events.all == ["move 1"])
      withExtendedLifetime(manager) {}
    }
  }

  /// They were dropped, and the application became active without a window.
  @Test func `reach a manager also if a launch method returns false, in the background`() async throws {
    struct Refusing: ApplicationDelegate {
      func application(_: Application, didFinishLaunchingWithOptions _: LaunchOptions?) -> Bool { false }
    }
    let app = TestApplication(delegate: Refusing())
    let region = try Self.region()
    try await app.deliver(
      .reason(.location, LocationEvent.entered(region).payload(date: WallTime(milliseconds: 0))))
    #expect(app.application.activationState == .background)
    let (manager, events) = (LocationManager(of: app.application), Events())
    manager.delegate = events
    // It is delivered after the event that has waited.
    try await app.deliver(
      .reason(.location, LocationEvent.exited(region).payload(date: WallTime(milliseconds: 0))))
    #expect(await events.all == ["enter home", "exit home"])
    withExtendedLifetime(manager) {}
  }

  @Test func `are refused with the rules of usher-triggers`() async throws {
    let app = TestApplication(delegate: Delegate())
    try await app.launch()
    let manager = LocationManager(of: app.application)
    _ = try await manager.requestAlwaysAuthorization()
    for radius in [0, -1, .nan, 2_000_000] as [Double] {
      let region = try Self.region(radius: radius)
      await #expect(throws: SceneError.self, "\(radius)") { try await manager.startMonitoring(for: region) }
    }
    for number in 0..<20 { try await manager.startMonitoring(for: try Self.region("\(number)")) }
    let more = try Self.region("more")
    let error = await #expect(throws: SceneError.self) { try await manager.startMonitoring(for: more) }
    #expect(error?.brokerError == .tooMany)
  }

  @Test func `show the notifications that have the region, and start no application for them`() async throws {
    let app = TestApplication(delegate: Delegate())
    try await app.launch()
    let center = app.application.notifications
    var region = try Self.region("shop")
    region.notifyOnExit = false
    let request = NotificationRequest(
      identifier: "milk", content: NotificationContent(title: "Milk"), trigger: .crossing(region))
    #expect(request.trigger == .region(region, repeats: false))
    #expect(try await center.requestAuthorization())
    let error = await #expect(throws: SceneError.self) { try await center.add(request) }
    #expect(error?.brokerError == .denied && "\(error as Any)".contains("location"))
    #expect(try await LocationManager(of: app.application).requestAlwaysAuthorization())
    try await center.add(request)
    try await center.add(
      NotificationRequest(
        identifier: "bread", content: NotificationContent(title: "Bread"),
        trigger: .crossing(region, repeats: true)))
    #expect(try await app.exitRegion("shop") == nil)
    #expect(try await center.deliveredNotifications().isEmpty)
    #expect(try await app.enterRegion("shop") == nil)
    #expect(try await center.deliveredNotifications().compactMap(\.identifier).sorted() == ["bread", "milk"])
    #expect(app.scheduledNotifications.map(\.identifier) == ["bread"])
    await #expect(throws: RequestFailure.self) { try await app.enterRegion("home") }
    region.notifyOnEntry = false
    let never = NotificationRequest(
      identifier: "never", content: NotificationContent(title: "Never"), trigger: .crossing(region))
    await #expect(throws: SceneError.self) { try await center.add(never) }
  }
}
