import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// What any program on the bus can send, and what the broker keeps and tells of it.
@Suite struct `A caller that means no good` {
  @Test func `the largest number of hops is a Loop, with a fallback as well`() async throws {
    try await Desk.with { desk in
      let caller = try await desk.connect()
      let broker = try await caller.owner(of: "org.usher.Handler")
      #expect(broker == nil)
      var options = OpenOptions()
      options.hops = .max
      options.fallback = "nobody:home"
      do {
        _ = try await caller.call(
          BrokerInterface.open, at: BrokerInterface.broker, ["nobody:1"], options.entries)
        Issue.record("it was opened")
      } catch let error as BusError {
        #expect(error.name == BrokerErrorName.loop.errorName, "\(error)")
      }
    }
  }
}
