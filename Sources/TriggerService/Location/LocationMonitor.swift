// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Logging
import State
import Systemd
import Triggers

/// The regions and significant changes that applications monitor: it decides on each measurement, and starts applications.
///
/// A change of a state is stored together with the event for the application, which ``ResponseSender`` delivers.
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
  private static let maxMeasurements = 64

  private let file: TriggerFile
  private let clock: TriggerClock
  private let sender: ResponseSender
  private let permission: ApplicationPermission
  private let geoClue: GeoClueClient
  private let log: Logger
  private(set) var regions: [MonitoredKey: Monitored] = [:]
  private var changes: [String: Changes] = [:]
  private var measurements: [Location] = []
  private var last: Location?
  private var threshold: UInt32 = 0
  private var isDeciding = false
  /// Called after the last measurement was decided, and after the last monitoring has ended.
  var changed: () -> Void = {}

  init(
    file: TriggerFile, clock: TriggerClock, sender: ResponseSender, permission: ApplicationPermission,
    geoClue: GeoClueClient, log: Logger
  ) {
    self.file = file
    self.clock = clock
    self.sender = sender
    self.permission = permission
    self.geoClue = geoClue
    self.log = log
    geoClue.measured = { [weak self] location in self?.measure(location) }
  }

  /// A Boolean value that is `true` if no application monitors locations.
  var isIdle: Bool { regions.isEmpty && changes.isEmpty && !isDeciding }

  /// The IDs of the applications that monitor locations.
  var applications: Set<String> { Set(regions.keys.map(\.application)).union(changes.keys) }

  /// The IDs of the applications that monitor significant changes, in order.
  var significantChanges: [String] { changes.keys.sorted() }

  /// The status of the location service.
  var status: LocationServiceStatus { geoClue.status }

  /// Reads what an earlier daemon has stored.
  func load() throws(BusError) {
    let stored = try file.use { store throws(StateError) in
      (try store.regions(), try store.locationChanges())
    }
    for entry in stored.0 {
      guard let region = try? CircularRegion(PropertyList(json: entry.region)) else { continue }
      regions[MonitoredKey(application: entry.application, identifier: entry.identifier)] = Monitored(
        region: region, state: RegionState(rawValue: entry.state) ?? .unknown, isOfUser: entry.isOfUser)
    }
    for entry in stored.1 {
      let last = entry.location.flatMap { try? Location(PropertyList(json: $0)) }
      changes[entry.application] = Changes(last: last, isOfUser: entry.isOfUser)
    }
    follow()
  }

  // MARK: Calls

  /// Stores a region.
  ///
  /// One that replaces a region with an equal border keeps its state, because applications add their regions at each start.
  func add(_ region: CircularRegion, of application: String, isOfUser: Bool) throws(BusError) {
    let key = MonitoredKey(application: application, identifier: region.identifier)
    let known = regions[key]
    if known == nil {
      let own = regions.keys.count { $0.application == application }
      guard own < LocationLimits.regionsOfApplication else {
        throw BusError(
          .tooMany, "\(application) monitors \(own) regions, which is the limit; remove some of them first")
      }
      guard regions.count < LocationLimits.regions else {
        throw BusError(.tooMany, "\(regions.count) regions are monitored altogether, which is the limit")
      }
    }
    var state = RegionState.unknown
    if let known, known.region.hasBorder(of: region) {
      state = known.state
    } else if let location = recent {
      state = region.state(at: location, after: .unknown)
    }
    let monitored = Monitored(region: region, state: state, isOfUser: isOfUser)
    try file.use { store throws(StateError) in try store.set(monitored.stored(as: key)) }
    regions[key] = monitored
    follow()
  }

  /// Ends the monitoring of regions; `nil` ends that of all of the application.
  func remove(_ identifiers: [String]?, of application: String) throws(BusError) {
    let keys = regions.keys.filter {
      $0.application == application && identifiers?.contains($0.identifier) ?? true
    }
    guard !keys.isEmpty else { return }
    let names = keys.map(\.identifier)
    try file.use { store throws(StateError) in try store.removeRegions(names, of: application) }
    for key in keys { regions[key] = nil }
    follow()
  }

  /// Starts to monitor significant changes.
  func startChanges(of application: String, isOfUser: Bool) throws(BusError) {
    guard changes[application] == nil else { return }
    let entry = StoredLocationChange(application: application, isOfUser: isOfUser)
    try file.use { store throws(StateError) in try store.set(entry) }
    changes[application] = Changes(last: nil, isOfUser: isOfUser)
    follow()
    // The first location is an event, and GeoClue reports none while the computer does not move.
    if let last { measure(last) }
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
    for key in regions.keys where key.application == application { regions[key] = nil }
    changes[application] = nil
    follow()
  }

  // MARK: Measurements

  /// The last measurement, with the distance that the computer may have moved since, as accuracy.
  private var recent: Location? {
    last.flatMap { last in
      Location(
        coordinate: last.coordinate, horizontalAccuracy: last.horizontalAccuracy + Double(threshold),
        date: last.date)
    }
  }

  /// Creates, changes or deletes the client of GeoClue by the need for it.
  private func follow() {
    guard !regions.isEmpty || !changes.isEmpty else {
      (last, threshold, measurements) = (nil, 0, [])
      geoClue.stop()
      return changed()
    }
    threshold = DistanceThreshold.metres(
      after: last, regions: regions.values.map { ($0.region, $0.state) }, changes: changes.values.map(\.last))
    geoClue.setThreshold(threshold)
    geoClue.start()
  }

  private func measure(_ location: Location) {
    measurements.append(location)
    if measurements.count > Self.maxMeasurements { measurements.removeFirst() }
    guard !isDeciding else { return }
    isDeciding = true
    EventLoop.shared.start {
      while !self.measurements.isEmpty { await self.decide(by: self.measurements.removeFirst()) }
      self.isDeciding = false
      self.changed()
    }
  }

  /// Decides what a measurement changes, and stores it with the events.
  private func decide(by location: Location) async {
    guard location.follows(last, now: clock.now) else { return }
    let permissions = await permission.permits(
      events(by: location).map { ($0.application, $0.isOfUser) }, log: log)
    // Calls that arrived while the broker was asked have changed what is monitored, so everything is decided now.
    guard !regions.isEmpty || !changes.isEmpty else { return }
    var moved: [MonitoredKey: Monitored] = [:]
    for (key, monitored) in regions {
      let state = monitored.region.state(at: location, after: monitored.state)
      guard state != monitored.state else { continue }
      moved[key] = monitored
      moved[key]?.state = state
    }
    let found = events(by: location)
    let events = found.filter { permissions[$0.application] == true }
    var delivered: [String: Changes] = [:]
    for case (let application, .moved(let location)) in events.map({ ($0.application, $0.event) }) {
      delivered[application] = changes[application]
      delivered[application]?.last = location
    }
    let stored = moved.map { key, monitored in monitored.stored(as: key) }
    let changed = delivered.map { application, changes in
      StoredLocationChange(
        application: application, location: changes.last?.propertyList.json, isOfUser: changes.isOfUser)
    }
    let responses = events.map { Self.response($0, at: location.date) }
    if !stored.isEmpty || !responses.isEmpty {
      // Without the change in the file, the next measurement decides the same.
      guard file.attempt({ store throws(StateError) in try store.record(stored, changed, events: responses) })
      else { return }
    }
    for (key, monitored) in moved { regions[key] = monitored }
    for (application, change) in delivered { changes[application] = change }
    last = location
    follow()
    for response in responses { sender.send(response) }
    // An application that has started to monitor changes meanwhile was not asked about.
    if found.contains(where: { permissions[$0.application] == nil }) { measurements.append(location) }
  }

  /// Returns the events of a measurement.
  private func events(by location: Location) -> [Event] {
    var events: [Event] = []
    for (key, monitored) in regions.sorted(by: { $0.key < $1.key }) {
      let state = monitored.region.state(at: location, after: monitored.state)
      guard let event = monitored.region.event(from: monitored.state, to: state) else { continue }
      events.append(Event(application: key.application, isOfUser: monitored.isOfUser, event: event))
    }
    for (application, changes) in changes.sorted(by: { $0.key < $1.key })
    where SignificantChange.happens(from: changes.last, to: location) {
      events.append(Event(application: application, isOfUser: changes.isOfUser, event: .moved(location)))
    }
    return events
  }

  private static func response(_ event: Event, at date: WallTime) -> StoredResponse {
    StoredResponse(
      id: "location-\(RequestID.random())", application: event.application,
      content: PropertyList.dictionary([
        "reason": .string(LaunchReason.location.rawValue), "payload": event.event.payload(date: date),
      ]).json)
  }
}

extension LocationMonitor.Monitored {
  /// The stored form.
  fileprivate func stored(as key: MonitoredKey) -> StoredRegion {
    StoredRegion(
      application: key.application, identifier: key.identifier, region: region.propertyList.json,
      state: state.rawValue, isOfUser: isOfUser)
  }
}
