// SPDX-License-Identifier: Apache-2.0
import BrokerService
import DBus
import Testing
@testable import TriggerService

/// The calls of the daemon, and the loading before the first one.
@Suite struct `The gate of calls` {
  @Test @BrokerActor func `loads once, and again after an error`() async throws {
    var (attempts, fails) = (0, true)
    let gate = CallGate { () throws(BusError) in
      attempts += 1
      if fails { throw BusError(.failed, "the file cannot be read") }
    }
    await #expect(throws: BusError(.failed, "the file cannot be read")) {
      try await gate.serve { () async throws(BusError) in 0 }
    }
    #expect(!gate.isLoaded)
    fails = false
    for number in 1...2 {
      #expect(try await gate.serve { () async throws(BusError) in number } == number)
    }
    #expect(gate.isLoaded && attempts == 2)
  }

  @Test @BrokerActor func `counts the calls in progress, and reports each end`() async throws {
    let gate = CallGate { () throws(BusError) in }
    var counts: [Int] = []
    gate.called = { counts.append(gate.calls) }
    try await gate.serve { () async throws(BusError) in
      try await gate.serve { () async throws(BusError) in }
    }
    #expect(counts == [1, 0] && gate.calls == 0)
  }
}
