// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus
import State
import Systemd
import Triggers

/// The regions and significant changes that applications monitor: it measures for them and for ``RegionNotifications``, decides on each
/// measurement, and starts applications.
///
/// A change of a state is stored together with the event for the application, which ``EventSender`` delivers. Without the user's
/// permission nothing is measured, and no state is kept.
@BrokerActor
final class LocationMonitor {
  /// A monitored region.
  struct Monitored: Hashable, Sendable {
    var region: CircularRegion
    var state: RegionState
    let isOfUser: Bool
  }

  /// The monitoring of significant changes by an application.
  private struct Changes {
    var last: Location?
    let isOfUser: Bool
  }

  /// An event that is not stored yet.
  private struct Event {
    let application: String
    let isOfUser: Bool
    let event: LocationEvent
  }

  /// The maximum number of measurements that wait for a decision; the oldest ones are dropped.
  private static let maximumMeasurements = 64

  private let file: TriggerFile
  private let clock: TriggerClock
  private let sender: EventSender
  private let notifications: RegionNotifications
  private let missingApplications: MissingApplications
  private let permissions: PermissionWatch
  private let geoClue: GeoClueClient
  private let items: MonitoredItems<Monitored>
  private var changes: [String: Changes] = [:]
  private var measurements: [Location] = []
  /// A Boolean value that indicates whether ``last`` is decided again after `measurements`, because what is monitored has changed.
  private var mustDecideAgain = false
  private var last: Location?
  private var threshold: UInt32 = 0
  private var isDeciding = false
  /// Called after the last measurement was decided, and after the last monitoring has ended.
  var changed: () -> Void = {}

  init(
    file: TriggerFile, clock: TriggerClock, sender: EventSender, notifications: RegionNotifications,
    missingApplications: MissingApplications, permissions: PermissionWatch, geoClue: GeoClueClient
  ) {
    self.file = file
    self.clock = clock
    self.sender = sender
    self.notifications = notifications
    self.missingApplications = missingApplications
    self.permissions = permissions
    self.geoClue = geoClue
    items = MonitoredItems(in: file)
    geoClue.measured = { [weak self] location in self?.measure(location) }
    permissions.changed = { [weak self] in self?.permissionsChanged() }
  }

  /// The monitored regions.
  var regions: [MonitoredKey: Monitored] { items.all }

  /// A Boolean value that is `true` if no application monitors locations, and no measurement is decided.
  var isIdle: Bool { regions.isEmpty && changes.isEmpty && !isDeciding }

  /// The IDs of the applications that monitor locations.
  var applications: Set<String> { items.applications.union(changes.keys) }

  /// The IDs of the applications that monitor significant changes, in order.
  var significantChanges: [String] { changes.keys.sorted() }

  /// The status of the location service.
  var status: LocationServiceStatus { geoClue.status }

  /// Reads what an earlier daemon has stored.
  func load() throws(BusError) {
    try items.load()
    for entry in try file.use({ store throws(StateError) in try store.locationChanges() }) {
      let last = entry.location.flatMap { try? Location(PropertyList(json: $0)) }
      changes[entry.application] = Changes(last: last, isOfUser: entry.isOfUser)
    }
    follow()
  }

  // MARK: Calls

  /// Stores a region.
  ///
  /// One that replaces a region with an equal border keeps its state, because applications add their regions at each start. One that
  /// equals a region of the user remains the user's.
  func add(_ region: CircularRegion, of application: String, isOfUser: Bool) throws(BusError) {
    let key = MonitoredKey(application: application, identifier: region.identifier)
    let known = items[key]
    let state =
      if let known, known.region.hasBorder(of: region) { known.state } else { position(relativeTo: region) }
    try items.set(
      Monitored(
        region: region, state: state, isOfUser: isOfUser || known?.isOfUser == true && known?.region == region
      ),
      as: key)
    follow()
  }

  /// Ends the monitoring of regions; `nil` ends that of all of the application.
  func remove(_ identifiers: [String]?, of application: String) throws(BusError) {
    if try items.remove(identifiers, of: application) { follow() }
  }

  /// Starts to monitor significant changes.
  ///
  /// After a call of the user, the monitoring is the user's, even if the application has started it.
  func startChanges(of application: String, isOfUser: Bool) throws(BusError) {
    let known = changes[application]
    guard known == nil || isOfUser, known?.isOfUser != true else { return }
    let entry = StoredLocationChange(
      application: application, location: known?.last?.propertyList.json, isOfUser: isOfUser)
    try file.use { store throws(StateError) in try store.set(entry) }
    changes[application] = Changes(last: known?.last, isOfUser: isOfUser)
    follow()
    // The first location is an event, and GeoClue reports none while the computer does not move.
    measureAgain()
  }

  /// Ends the monitoring of significant changes.
  func stopChanges(of application: String) throws(BusError) {
    guard changes[application] != nil else { return }
    try file.use { store throws(StateError) in try store.removeLocationChange(of: application) }
    changes[application] = nil
    follow()
  }

  /// Forgets an application that was uninstalled, after it was removed from the file.
  func forgetAll(of application: String) {
    items.forgetAll(of: application)
    changes[application] = nil
    follow()
  }

  // MARK: Measurements

  /// Returns the position of the computer relative to a region that is added.
  func position(relativeTo region: CircularRegion) -> RegionState {
    guard let last else { return .unknown }
    // The computer may have moved by the threshold since.
    let recent = Location(
      coordinate: last.coordinate, horizontalAccuracy: last.horizontalAccuracy + Double(threshold),
      date: last.date)
    return recent.map { region.state(at: $0, after: .unknown) } ?? .unknown
  }

  /// Creates, changes or deletes the client of GeoClue by the permitted need for it.
  func follow() {
    permissions.follow(needs)
    let regions = regions.filter { isPermitted($0.key, $0.value) }
    let notifications = notifications.permitted
    let changes = permittedChanges
    guard !regions.isEmpty || !notifications.isEmpty || !changes.isEmpty else {
      (last, threshold, measurements) = (nil, 0, [])
      geoClue.stop()
      return changed()
    }
    threshold = DistanceThreshold.metres(
      after: last, regions: (Array(regions.values) + notifications.values).map { ($0.region, $0.state) },
      changes: changes.values.map(\.last))
    geoClue.setThreshold(threshold)
    geoClue.start()
  }

  private func measure(_ location: Location) {
    measurements.append(location)
    if measurements.count > Self.maximumMeasurements { measurements.removeFirst() }
    decideAll()
  }

  /// Decides the last measurement again, after those that have arrived meanwhile.
  private func measureAgain() {
    guard last != nil || isDeciding else { return }
    mustDecideAgain = true
    decideAll()
  }

  private func decideAll() {
    guard !isDeciding else { return }
    isDeciding = true
    EventLoop.shared.start {
      while let location = self.nextMeasurement() { await self.decide(by: location) }
      self.isDeciding = false
      self.changed()
    }
  }

  /// Removes and returns the measurement to be decided next.
  private func nextMeasurement() -> Location? {
    if !measurements.isEmpty { return measurements.removeFirst() }
    guard mustDecideAgain else { return nil }
    mustDecideAgain = false
    return last
  }

  /// Decides what a measurement changes, and stores it with its effects.
  private func decide(by location: Location) async {
    guard location.follows(last, now: clock.now) else { return }
    let crossed = notifications.crossed(at: location)
    let asked = Set(events(by: location).map { Self.need(of: $0.application, isOfUser: $0.isOfUser) })
    await permissions.check(asked.union(RegionNotifications.needs(of: crossed)))
    let missing = await missingApplications.missing(among: Set(crossed.keys.map(\.application)))
    // Calls that arrived while the broker was asked have changed what is monitored, so everything is decided now.
    let events = events(by: location)
    guard record(location, events) else { return }
    notifications.record(location, missing: missing)
    last = location
    follow()
  }

  /// Stores the new states of regions with the events for applications, which are then sent.
  ///
  /// - Returns: Whether it is stored; without it, the next measurement decides the same.
  private func record(_ location: Location, _ events: [Event]) -> Bool {
    var moved: [MonitoredKey: Monitored] = [:]
    for (key, monitored) in regions where isPermitted(key, monitored) {
      let state = monitored.region.state(at: location, after: monitored.state)
      guard state != monitored.state else { continue }
      moved[key] = monitored
      moved[key]?.state = state
    }
    var delivered: [String: Changes] = [:]
    for case (let application, .moved(let location)) in events.map({ ($0.application, $0.event) }) {
      delivered[application] = changes[application]
      delivered[application]?.last = location
    }
    let stored = events.map {
      StoredEvent(
        "location", to: $0.application, .location, payload: $0.event.payload(date: location.date))
    }
    guard store(moved, delivered, events: stored) else { return false }
    for event in stored { sender.send(event) }
    return true
  }

  /// Stores new states and last locations with events, and uses them if that succeeds.
  private func store(
    _ moved: [MonitoredKey: Monitored], _ located: [String: Changes], events: [StoredEvent] = []
  ) -> Bool {
    guard !moved.isEmpty || !located.isEmpty || !events.isEmpty else { return true }
    let changes = located.map { application, changes in
      StoredLocationChange(
        application: application, location: changes.last?.propertyList.json, isOfUser: changes.isOfUser)
    }
    guard items.record(moved, changes, events: events) else { return false }
    self.changes.merge(located) { $1 }
    return true
  }

  /// Returns the events of a measurement for the applications that have the permission.
  private func events(by location: Location) -> [Event] {
    var events: [Event] = []
    for (key, monitored) in regions.sorted(by: { $0.key < $1.key }) where isPermitted(key, monitored) {
      let state = monitored.region.state(at: location, after: monitored.state)
      guard let event = monitored.region.event(from: monitored.state, to: state) else { continue }
      events.append(Event(application: key.application, isOfUser: monitored.isOfUser, event: event))
    }
    for (application, changes) in permittedChanges.sorted(by: { $0.key < $1.key })
    where SignificantChange.happens(from: changes.last, to: location) {
      events.append(Event(application: application, isOfUser: changes.isOfUser, event: .moved(location)))
    }
    return events
  }

  // MARK: Permissions

  private typealias Need = PermissionWatch.Need

  private static func need(of application: String, isOfUser: Bool) -> Need {
    Need(permission: .location, application: application, isOfUser: isOfUser)
  }

  /// The permissions that everything monitored needs.
  private var needs: Set<Need> {
    var needs = Set(regions.map { Self.need(of: $0.key.application, isOfUser: $0.value.isOfUser) })
    needs.formUnion(changes.map { Self.need(of: $0.key, isOfUser: $0.value.isOfUser) })
    needs.formUnion(notifications.needs)
    return needs
  }

  private func isPermitted(_ key: MonitoredKey, _ monitored: Monitored) -> Bool {
    permissions.isPermitted(Self.need(of: key.application, isOfUser: monitored.isOfUser))
  }

  private var permittedChanges: [String: Changes] {
    changes.filter { permissions.isPermitted(Self.need(of: $0.key, isOfUser: $0.value.isOfUser)) }
  }

  /// Returns the reason why something of an application is not monitored, with the command that allows it; `nil` if the user allows it.
  func refusal(of application: String, isOfUser: Bool) -> String? {
    permissions.refusal(of: Self.need(of: application, isOfUser: isOfUser))
  }

  /// Forgets what was measured for applications that have no permission any more, and decides for those that have it again.
  private func permissionsChanged() {
    var moved: [MonitoredKey: Monitored] = [:]
    for (key, monitored) in regions
    where monitored.state != .unknown && refusal(of: key.application, isOfUser: monitored.isOfUser) != nil {
      moved[key] = monitored
      moved[key]?.state = .unknown
    }
    var located: [String: Changes] = [:]
    for (application, changes) in changes
    where changes.last != nil && refusal(of: application, isOfUser: changes.isOfUser) != nil {
      located[application] = Changes(last: nil, isOfUser: changes.isOfUser)
    }
    _ = store(moved, located)
    notifications.forgetRefused()
    follow()
    // GeoClue reports no location while the computer does not move.
    measureAgain()
  }
}

extension LocationMonitor.Monitored: MonitoredItem {
  static let kind = StoredItem.Kind.region
  static let limits = ItemLimits(
    ofApplication: LocationLimits.regionsOfApplication, total: LocationLimits.regions,
    own: { "monitors \($0) regions" }, all: { "\($0) regions are monitored" })

  init?(_ stored: StoredItem) {
    guard let region = try? CircularRegion(PropertyList(json: stored.content)) else { return nil }
    self.region = region
    state = RegionState(rawValue: stored.state) ?? .unknown
    isOfUser = stored.isOfUser
  }

  func stored(as key: MonitoredKey) -> StoredItem {
    StoredItem(
      application: key.application, identifier: key.identifier, content: region.propertyList.json,
      state: state.rawValue, isOfUser: isOfUser)
  }
}
