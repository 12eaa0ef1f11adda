// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import Synchronization
import TestSupport
import Testing

/// A monitored region whose daemon is killed at its N-th write or call of the broker.
@Suite struct `A region while usher-triggers is killed` {
  @Test func `is entered and left once, whatever step the daemon is killed at`() async throws {
    var (point, isComplete) = (0, false)
    while !isComplete, point < 40 {
      point += 1
      let number = point
      let isUninterrupted = Mutex(false)
      try await LocationRig.with { rig in
        let isKilled = try await Self.enterAndLeave(rig, killedAt: number)
        isUninterrupted.withLock { $0 = !isKilled }
      }
      isComplete = isUninterrupted.withLock { $0 }
    }
    // The region, its state, two events and their receipts are stored, and the broker is called twice.
    #expect(point > 6 && point < 40, "\(point) steps")
  }

  /// Enters and leaves a region; returns whether the first daemon was killed.
  private static func enterAndLeave(_ rig: LocationRig, killedAt point: Int) async throws -> Bool {
    let application = try await ServedApplication.start(.application1, on: rig.desk)
    await application.gate.open()
    let faulty = try await RunningProgram.start(
      "usher-triggers",
      environment: rig.desk.desktop.environment.merging([
        "USHER_TEST_KILL_AT": "\(point)", "DBUS_SYSTEM_BUS_ADDRESS": rig.address,
      ]) { $1 })
    try await rig.desk.waitForOwner(of: TriggersInterface.busName, orExitOf: faulty)
    // A caller that receives no reply adds the region again. A call starts the next daemon, as the service manager does.
    try await withDeadline(Command.defaultDeadline, "the region") {
      while try await rig.list()["regions"]?.array?.isEmpty ?? true {
        _ = try await rig.desk.run(
          "usher",
          ["region", "add", ServedApplication.id, "home", "--at", "48.137,11.575", "--radius", "1000"])
      }
    }
    func move(to latitude: Double, _ state: String) async throws {
      try await withDeadline(Command.defaultDeadline, state) {
        var number = 0
        while try await rig.list()["regions"]?.array?.first?["state"]?.string != state {
          number += 1
          try await rig.measure(latitude + Double(number % 50) / 1_000_000, 11.575, isRequired: false)
          try await Task.sleep(for: .milliseconds(50))
        }
      }
    }
    try await move(to: 48.2, "outside")
    try await move(to: 48.137, "inside")
    try await move(to: 48.2, "outside")
    let events = try await rig.daemon.beingRestarted {
      var events: [String] = []
      while events.last != "exit-region" {
        events.append(try await application.nextEnvelope().payload?["event"]?.string ?? "none")
      }
      return events
    }
    #expect(events == ["enter-region", "exit-region"], "killed at \(point)")
    guard Glibc.kill(faulty.processIdentifier, 0) == 0 else { return true }
    faulty.kill()
    return false
  }
}
