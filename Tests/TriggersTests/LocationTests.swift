// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

@testable import Triggers

@Suite struct `A monitored location` {
  private static func point(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: latitude, longitude: longitude))
  }

  /// A measurement on the meridian of Greenwich, some metres north of the equator.
  private static func location(
    _ metres: Double, accuracy: Double = 0, seconds: Int64 = 0
  ) throws -> Location {
    try #require(
      Location(
        coordinate: try point(metres / 111_195.08, 0), horizontalAccuracy: accuracy,
        date: WallTime(seconds: seconds)))
  }

  private static func region(_ radius: Double = 1_000) throws -> CircularRegion {
    CircularRegion(identifier: "home", center: try point(0, 0), radius: radius)
  }

  // MARK: Distances

  @Test(arguments: [
    // Berlin to Munich; the antimeridian; the poles; antipodes; one point with several longitudes.
    (52.52, 13.405, 48.137, 11.575, 504_400.0), (0.0, 179.999, 0.0, -179.999, 222.4),
    (90.0, 0.0, 90.0, 123.0, 0.0), (89.999, 0.0, 89.999, 180.0, 222.4), (0.0, 0.0, 0.0, 180.0, 20_015_115.0),
    (-90.0, 0.0, 90.0, 0.0, 20_015_115.0), (12.0, -180.0, 12.0, 180.0, 0.0),
  ])
  func `has a distance on the great circle`(
    a: Double, b: Double, c: Double, d: Double, metres: Double
  ) throws {
    let (from, to) = (try Self.point(a, b), try Self.point(c, d))
    #expect(abs(from.distance(to: to) - metres) <= max(0.1, metres * 0.001), "\(from.distance(to: to))")
    #expect(abs(from.distance(to: to) - to.distance(to: from)) < 0.001)
  }

  @Test(arguments: [
    (Double.nan, 0.0), (0, .nan), (90.1, 0), (-90.1, 0), (0, 180.1), (0, -180.1), (.infinity, 0),
    (0, -.infinity), (1e300, 0),
  ])
  func `is on the Earth`(latitude: Double, longitude: Double) {
    #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
  }

  @Test(arguments: [-1, .nan, .infinity, -.infinity] as [Double])
  func `has an accuracy of at least 0 metres`(accuracy: Double) throws {
    let center = try Self.point(0, 0)
    #expect(
      Location(coordinate: center, horizontalAccuracy: accuracy, date: WallTime(milliseconds: 0)) == nil)
  }

  // MARK: Regions

  @Test func `has a region that keeps all its values`() throws {
    let list: PropertyList = [
      "identifier": "home", "latitude": 48.25, "longitude": -11.5, "radius": 150,
    ]
    var region = try CircularRegion(list)
    let center = try Self.point(48.25, -11.5)
    #expect(region.notifyOnEntry && region.notifyOnExit && region.center == center)
    region.notifyOnExit = false
    #expect(try CircularRegion(region.propertyList) == region)
    #expect(try CircularRegion(PropertyList(json: region.propertyList.json)) == region)
    #expect(try CircularRegion(region.entries) == region)
  }

  @Test(
    arguments: [
      ("latitude", .real(90.5)), ("latitude", .string("48")), ("longitude", .real(-181)), ("radius", 0),
      ("radius", -5), ("radius", .real(1_000_001)), ("radius", .string("x")), ("identifier", ""),
      ("identifier", 7), ("notify-on-entry", 1),
    ] as [(String, PropertyList)])
  func `has an error that names the key and no coordinate`(key: String, value: PropertyList) throws {
    var entries: [String: PropertyList] = [
      "identifier": "home", "latitude": 48.137, "longitude": 11.575, "radius": 150,
    ]
    entries[key] = value
    let error = #expect(throws: MessageError.self) { try CircularRegion(.dictionary(entries)) }
    let text = "\(error.map { "\($0)" } ?? "")"
    #expect(text.contains(key) && !text.contains("48.1") && !text.contains("90.5"), "\(text)")
    entries[key] = nil
    if key.hasPrefix("notify") {
      #expect(throws: Never.self) { try CircularRegion(.dictionary(entries)) }
    } else {
      #expect(throws: MessageError.self) { try CircularRegion(.dictionary(entries)) }
    }
  }

  @Test func `that is no number on the bus is refused`() {
    for key in ["latitude", "longitude", "radius"] {
      for value in [Double.nan, .infinity, -.infinity] {
        var entries: [String: Variant] = [
          "identifier": "home", "latitude": .double(1), "longitude": .double(1), "radius": .double(100),
        ]
        entries[key] = .double(value)
        #expect(throws: MessageError.self, "\(key) \(value)") { try CircularRegion(entries) }
      }
    }
  }

  @Test func `decides nothing while its accuracy reaches over the border`() throws {
    let region = try Self.region()
    for state in [RegionState.unknown, .inside, .outside] {
      #expect(region.state(at: try Self.location(900, accuracy: 101), after: state) == state)
      #expect(region.state(at: try Self.location(1_100, accuracy: 101), after: state) == state)
      #expect(region.state(at: try Self.location(0, accuracy: 5_000), after: state) == state)
      #expect(region.state(at: try Self.location(900, accuracy: 99), after: state) == .inside)
      #expect(region.state(at: try Self.location(1_300, accuracy: 99), after: state) == .outside)
    }
  }

  @Test func `scatters around the border without events`() throws {
    let region = try Self.region()
    // The ring of the hysteresis is 100 metres wide.
    for metres in [1_001.0, 1_050, 1_099] {
      #expect(region.state(at: try Self.location(metres), after: .inside) == .inside)
      #expect(region.state(at: try Self.location(metres), after: .outside) == .outside)
    }
    #expect(region.state(at: try Self.location(1_101), after: .inside) == .outside)
    #expect(region.state(at: try Self.location(999), after: .outside) == .inside)
    let (small, large) = (try Self.region(10), try Self.region(1_000_000))
    #expect(small.hysteresis == 50 && large.hysteresis == 500)
  }

  @Test func `has events only for the changes that the application monitors`() throws {
    var region = try Self.region()
    let states = [RegionState.unknown, .inside, .outside]
    #expect(states.allSatisfy { region.event(from: .unknown, to: $0) == nil })
    #expect(states.allSatisfy { region.event(from: $0, to: $0) == nil })
    #expect(region.event(from: .outside, to: .inside) == .entered(region))
    #expect(region.event(from: .inside, to: .outside) == .exited(region))
    (region.notifyOnEntry, region.notifyOnExit) = (false, false)
    #expect(region.event(from: .outside, to: .inside) == nil)
    #expect(region.event(from: .inside, to: .outside) == nil)
  }

  @Test func `of any random walk has entries and exits in turn`() throws {
    var random = SeededGenerator(seed: 31)
    for _ in 0..<50 {
      let region = try Self.region(Double.random(in: 20...5_000, using: &random))
      var (state, events) = (RegionState.unknown, [Bool]())
      for _ in 0..<200 {
        let metres = Double.random(in: 0...(2 * region.radius + 1_500), using: &random)
        let accuracy = Double.random(in: 0...300, using: &random)
        let next = region.state(at: try Self.location(metres, accuracy: accuracy), after: state)
        switch region.event(from: state, to: next) {
        case .entered:
          events.append(true)
          #expect(metres + accuracy <= region.radius)
        case .exited:
          events.append(false)
          #expect(metres - accuracy > region.radius)
        default: break
        }
        state = next
      }
      #expect(zip(events, events.dropFirst()).allSatisfy { $0 != $1 })
    }
  }

  // MARK: Significant changes

  @Test func `changes significantly after 500 metres and five minutes`() throws {
    let start = try Self.location(0)
    #expect(SignificantChange.happens(from: nil, to: start))
    #expect(!SignificantChange.happens(from: start, to: try Self.location(499, seconds: 900)))
    #expect(!SignificantChange.happens(from: start, to: try Self.location(5_000, seconds: 299)))
    #expect(SignificantChange.happens(from: start, to: try Self.location(501, seconds: 300)))
    // The circles of accuracy intersect.
    #expect(
      !SignificantChange.happens(from: start, to: try Self.location(900, accuracy: 901, seconds: 900)))
    #expect(SignificantChange.happens(from: start, to: try Self.location(900, accuracy: 899, seconds: 900)))
    // The clock was set back.
    let future = try Self.location(0, seconds: 90_000)
    #expect(SignificantChange.happens(from: future, to: try Self.location(5_000, seconds: 900)))
  }

  @Test func `follows an earlier one, and one from the future only once`() throws {
    let (first, second) = (try Self.location(0, seconds: 100), try Self.location(0, seconds: 200))
    let now = WallTime(seconds: 250)
    #expect(second.follows(first, now: now))
    #expect(second.follows(nil, now: now))
    #expect(first.follows(first, now: now))
    #expect(!first.follows(second, now: now))
    let future = try Self.location(0, seconds: 9_000)
    #expect(future.follows(second, now: now))
    #expect(try Self.location(0, seconds: 251).follows(future, now: WallTime(seconds: 251)))
  }

  // MARK: GeoClue

  @Test func `is measured as often as the nearest border requires`() throws {
    let region = try Self.region()
    func metres(
      _ location: Location?, _ state: RegionState? = nil, changes: [Location?] = []
    ) -> UInt32 {
      DistanceThreshold.metres(
        after: location, regions: state.map { [(region, $0)] } ?? [], changes: changes)
    }
    #expect(metres(nil, .inside) == 0)
    #expect(metres(try Self.location(1_000), .unknown) == 0)
    #expect(metres(try Self.location(0), .inside) == 550)
    #expect((499...500).contains(metres(try Self.location(2_000), .outside)))
    #expect(metres(try Self.location(1_050, accuracy: 60), .outside) == 0)
    #expect(metres(try Self.location(9_000_000), .outside) == 10_000)
    #expect(metres(try Self.location(0), changes: [nil]) == 0)
    #expect(metres(try Self.location(0), changes: [try Self.location(0)]) == 250)
    #expect(metres(try Self.location(600), changes: [try Self.location(0)]) == 0)
    #expect((99...100).contains(metres(try Self.location(0), .inside, changes: [try Self.location(300)])))
  }

  // MARK: Payload

  @Test func `has a payload that the application reads`() throws {
    var location = try Self.location(12, accuracy: 30, seconds: 7)
    (location.altitude, location.speed, location.course) = (519, 1.5, 270)
    let region = try Self.region()
    for event in [LocationEvent.entered(region), .exited(region), .moved(location)] {
      let payload = event.payload(date: WallTime(seconds: 7))
      #expect(LocationEvent(payload) == event)
      #expect(LocationEvent(try PropertyList(json: payload.json)) == event)
      #expect(payload["date"]?.integer == 7_000)
    }
    #expect(LocationEvent(["latitude": 52.5]) == nil)
    #expect(LocationEvent(["event": "enter-region", "region": ["radius": 7]]) == nil)
    #expect(LocationEvent(["event": "significant-change"]) == nil)
  }
}
