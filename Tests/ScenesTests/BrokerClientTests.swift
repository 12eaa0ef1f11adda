// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Synchronization
import TestSupport
import Testing

@testable import Scenes

@Suite struct `A client of the broker` {
  /// A program that runs for long would otherwise keep the ID of each such request.
  @Test
  func `records the open requests whose outcome is declared unknown, and forgets those that are answered`()
    async throws
  {
    try await Stage.withStage { stage in
      let gate = Gate()
      let broker = try await OpeningTests.PlayedBroker(stage) { call, options async throws(BusError) in
        let id = options.requestID ?? ""
        for id in ["ended", id] {
          try await call.connection.emit(
            BrokerInterface.progress, from: BrokerInterface.path, to: call.sender, id,
            Outcome.unknown.rawValue, "org.example.Reader")
        }
        await gate.pass()
        return OpeningTests.PlayedBroker.receipt(options)
      }
      let client = BrokerClient(on: try await stage.connect())
      var options = OpenOptions()
      options.requestID = "1"
      let receipt = Task { [options] in
        try await client.open(["notes://note/7"], options: options, progress: nil)
      }
      do {
        try await withDeadline(Command.defaultDeadline, "the signal") {
          while client.state.withLock(\.openRequests) != ["1": BrokerClient.OpenRequest(isUncertain: true)] {
            try await Task.sleep(for: .milliseconds(5))
          }
        }
      } catch {
        await gate.open()
        throw error
      }
      await gate.open()
      #expect(try await receipt.value.outcome == .handled)
      #expect(client.state.withLock(\.openRequests).isEmpty)
      await broker.bus.close()
    }
  }
}
