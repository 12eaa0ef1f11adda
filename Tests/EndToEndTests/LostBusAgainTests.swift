// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// The connection to the bus is lost, and once more at each of the calls with which the broker reconnects.
@Suite struct `A bus that is lost again` {
  private static func start(on desk: InstalledDesktop, over bus: CutBus) async throws -> RunningProgram {
    let broker = try await RunningProgram.start(
      "sh", ["-c", "exec \"$0\" 2>&1", BuiltProducts.usherd],
      environment: desk.desktop.environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 })
    _ = try await broker.line { $0.contains("ready") }
    return broker
  }

  private static func stop(_ broker: RunningProgram) async {
    broker.terminate()
    #expect(await broker.waitUntilExit().status == 0)
  }

  @Test func `while the broker reconnects does not end the broker`() async throws {
    try await InstalledDesktop.with { desk in
      let bus = try await CutBus.start(on: desk)
      let first = try await Self.start(on: desk, over: bus)
      let before = try await bus.drop()
      _ = try await first.line { $0.contains("reconnected to the bus") }
      let count = try await bus.callCount() - before
      await Self.stop(first)
      #expect(count > 4)
      let caller = try await desk.connect()
      var methods: [String] = []
      for call in 1...max(count, 1) {
        let broker = try await Self.start(on: desk, over: bus)
        _ = try await bus.drop(thenCutAt: call)
        methods.append(try await bus.cut())
        _ = try await broker.line { $0.contains("reconnected to the bus") }
        for name in [BrokerInterface.busName, ApplicationInterface.handlerBusName] {
          let owners = try await caller.owners(of: name)
          let owner = try await withDeadline(Command.defaultDeadline, "the name after \(methods)") {
            await owners.first { $0 != nil }
          }
          #expect(owner != nil, "\(methods)")
        }
        await Self.stop(broker)
      }
      #expect(methods.count { $0 == "RequestName" } > 2, "\(methods)")
      bus.end()
    }
  }
}
