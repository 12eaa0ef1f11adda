import DBus
import Testing

@testable import BrokerService

/// Tests of the error of a delivery call, which decides whether the next method may be tried (docs/delivery.md).
@Suite struct DeliveryFailureTests {
  @Test(arguments: [
    "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
    "org.freedesktop.DBus.Error.UnknownMethod", "org.freedesktop.DBus.Error.UnknownInterface",
    "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.NotSupported",
    "org.freedesktop.DBus.Error.Spawn.ExecFailed", "org.freedesktop.DBus.Error.Spawn.ServiceNotFound",
  ])
  func thatNothingArrivedIsProvenByFewErrors(name: String) throws {
    #expect(DeliveryFailure(BusError(try #require(ErrorName(name)), "")) == .notDelivered)
  }

  @Test(arguments: [
    ("org.freedesktop.DBus.Error.NoReply", DeliveryFailure.exited),
    ("org.freedesktop.DBus.Error.Disconnected", .busDisconnected),
  ])
  func aTargetOrABusThatWentLeavesItOpen(name: String, expected: DeliveryFailure) throws {
    #expect(DeliveryFailure(BusError(try #require(ErrorName(name)), "")) == expected)
  }

  @Test(arguments: ["org.freedesktop.DBus.Error.Timeout", "org.usher.DBus.Cancelled"])
  func silenceLeavesItOpenToo(name: String) throws {
    #expect(DeliveryFailure(BusError(try #require(ErrorName(name)), "")) == .timedOut)
  }

  @Test(arguments: [
    "org.freedesktop.DBus.Error.Failed", "org.freedesktop.DBus.Error.InvalidArgs", "org.example.Broken",
  ])
  func everyOtherErrorIsTheTargetsOwn(name: String) throws {
    #expect(DeliveryFailure(BusError(try #require(ErrorName(name)), "")) == .refused)
  }
}
