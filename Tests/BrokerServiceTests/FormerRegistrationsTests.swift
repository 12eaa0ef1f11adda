// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import Foundation
import Freedesktop
import Logging
import TestSupport
import Testing

@testable import BrokerService

@Suite struct `A registration that has ended` {
  private let runtime: TemporaryDirectory
  /// The file of the user's own bus.
  private var path: String { "\(runtime.path)/usher/former-registrations" }

  init() throws { runtime = try TemporaryDirectory() }

  /// Returns the registrations as a broker knows them that has just started.
  @BrokerActor private func broker(ofBusAt name: String = "bus") -> FormerRegistrations {
    FormerRegistrations(
      busAddress: "unix:path=\(runtime.path)/\(name)", runtimeDirectory: runtime.path,
      log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  private func registration(
    of scheme: String = "com.example.tool", for name: String = "build"
  ) throws -> SchemeRegistration {
    let machine = try #require(RemoteMachine(name))
    return try #require(SchemeRegistration(of: scheme, for: machine))
  }

  /// The stored form of a registration.
  private func record(endingAt end: Int64, in session: String = BootClock.bootID) -> String {
    let registration: PropertyList = [
      "scheme": "com.example.tool", "machine": "build", "end": .integer(end),
    ]
    let record: PropertyList = [
      "session": .string(session), "registrations": .array([registration]),
    ]
    return record.json
  }

  @BrokerActor
  @Test func `is known to the next brokers of its bus, and to no other broker`() throws {
    let (first, second) = (try registration(), try registration(of: "org.example.other", for: "other"))
    broker().add(first)
    let next = broker()
    #expect(next.last(of: first.scheme)?.registration == first && next.last(of: second.scheme) == nil)
    #expect(next.contains(first.entry.id) && !next.contains(second.entry.id))
    next.add(second)
    let last = broker()
    for registration in [first, second] {
      let former = try #require(last.last(of: registration.scheme))
      #expect(
        former.registration == registration
          && former.end <= ContinuousClock.now + BrokerLimits.formerRegistration)
    }
    #expect(broker(ofBusAt: "other").last(of: first.scheme) == nil)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @BrokerActor
  @Test func `is forgotten after its time, and after a boot`() throws {
    let scheme = try registration().scheme
    let (past, future) = (BootClock.now - 1, BootClock.now + 60_000_000_000)
    for (text, isKnown) in [
      (record(endingAt: future), true), (record(endingAt: past), false),
      (record(endingAt: future, in: "another"), false),
    ] {
      try runtime.write(text, to: "usher/former-registrations")
      #expect((broker().last(of: scheme) != nil) == isKnown, "\(text)")
    }
  }

  @BrokerActor
  @Test func `is stored in place of a damaged file, and beside what a killed broker has left`() throws {
    let registration = try registration()
    for text in ["", "{", "[]", #"{"session": 1, "registrations": [7]}"#] {
      try runtime.write(text, to: "usher/former-registrations")
      try runtime.write("left", to: "usher/former-registrations.new")
      let broker = broker()
      #expect(broker.last(of: registration.scheme) == nil, "\(text)")
      broker.add(registration)
      #expect(self.broker().last(of: registration.scheme)?.registration == registration, "\(text)")
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(runtime.path)/usher")
      #expect(names == ["former-registrations"])
    }
  }

  @BrokerActor
  @Test func `is neither read nor written through a symbolic link`() throws {
    let registration = try registration()
    let text = record(endingAt: BootClock.now + 60_000_000_000)
    let outside = try runtime.write(text, to: "outside")
    try runtime.makeDirectory("usher")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: outside)
    let broker = broker()
    #expect(broker.last(of: registration.scheme) == nil)
    broker.add(registration)
    #expect(try String(contentsOfFile: outside, encoding: .utf8) == text)
    #expect(self.broker().last(of: registration.scheme) != nil)
  }

  @BrokerActor
  @Test func `is known to the broker itself if it cannot be stored`() throws {
    let registration = try registration()
    try runtime.write("in the way", to: "usher")
    let broker = broker()
    broker.add(registration)
    #expect(broker.last(of: registration.scheme)?.registration == registration)
    #expect(self.broker().last(of: registration.scheme) == nil)
  }
}
