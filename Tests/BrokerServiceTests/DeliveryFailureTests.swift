// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Testing

@testable import BrokerService

/// Tests of the error of a delivery call, which decides whether the next method may be tried (docs/delivery.md).
@Suite struct DeliveryFailureTests {
  private func failure(
    _ name: String, ofCalledProgram: Bool = false, servesEnvelopes: Bool = true
  ) throws -> DeliveryFailure {
    var error = BusError(try #require(ErrorName(name)), "")
    error.isOfCalledProgram = ofCalledProgram
    return DeliveryFailure(error, servesEnvelopes: servesEnvelopes)
  }

  @Test(arguments: [
    "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
    "org.freedesktop.DBus.Error.NotSupported", "org.freedesktop.DBus.Error.Spawn.ExecFailed",
    "org.freedesktop.DBus.Error.Spawn.ServiceNotFound", "org.freedesktop.DBus.Error.Spawn.ChildExited",
  ])
  func `Only a few errors prove that nothing arrived`(name: String) throws {
    #expect(try failure(name) == .notDelivered)
  }

  @Test(arguments: [
    "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.Spawn.ExecFailed",
    "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Disconnected",
    "org.freedesktop.DBus.Error.Timeout", "org.freedesktop.DBus.Error.TimedOut", "org.usher.DBus.Cancelled",
  ])
  func `An error of the bus in a reply of the application is the application's own`(name: String) throws {
    #expect(try failure(name, ofCalledProgram: true) == .refused)
    #expect(try failure(name, ofCalledProgram: true, servesEnvelopes: false) == .refused)
  }

  @Test func `An application that serves envelopes may reply that it exits`() throws {
    let name = "org.freedesktop.DBus.Error.NameHasNoOwner"
    #expect(try failure(name, ofCalledProgram: true) == .exiting)
    #expect(try failure(name, ofCalledProgram: true, servesEnvelopes: false) == .refused)
  }

  @Test(arguments: [
    "org.freedesktop.DBus.Error.UnknownMethod", "org.freedesktop.DBus.Error.UnknownInterface",
    "org.freedesktop.DBus.Error.UnknownObject",
  ])
  func `An application without the interface is recognized`(name: String) throws {
    #expect(try failure(name) == .notServed)
  }

  @Test(arguments: [
    ("org.freedesktop.DBus.Error.NoReply", DeliveryFailure.exited),
    ("org.freedesktop.DBus.Error.Disconnected", .busDisconnected),
  ])
  func `The exit of the application or the bus leaves the outcome open`(
    name: String, expected: DeliveryFailure
  ) throws {
    #expect(try failure(name) == expected)
  }

  @Test(arguments: ["org.freedesktop.DBus.Error.Timeout", "org.usher.DBus.Cancelled"])
  func `A timeout leaves the outcome open`(name: String) throws {
    #expect(try failure(name) == .timedOut)
  }

  @Test func `Two crashes of the application leave the outcome open`() throws {
    #expect(try failure(BrokerErrorName.targetFailed.rawValue) == .outcomeUnknown)
  }

  @Test func `A lost connection behind the application leaves the outcome open`() throws {
    #expect(try failure(BrokerErrorName.timeout.rawValue) == .lost)
  }

  /// The application may send an error with this name, too.
  @Test func `A reply that cannot be read leaves the outcome open`() {
    var error = BusError(.limitsExceeded, "")
    error.isOfUnreadableReply = true
    #expect(DeliveryFailure(error, servesEnvelopes: true) == .unreadable)
  }

  @Test(arguments: [
    "org.freedesktop.DBus.Error.Failed", "org.freedesktop.DBus.Error.InvalidArgs",
    "org.freedesktop.DBus.Error.LimitsExceeded", "org.example.Broken",
  ])
  func `Every other error is the application's own`(name: String) throws {
    #expect(try failure(name) == .refused)
  }
}
