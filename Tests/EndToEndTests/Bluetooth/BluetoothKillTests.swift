// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import Synchronization
import TestSupport
import Testing

/// A monitored device whose daemon is killed at its N-th write or call of the broker.
@Suite struct `A Bluetooth device while usher-triggers is killed` {
  @Test func `connects and disconnects once, whatever step the daemon is killed at`() async throws {
    var (point, isComplete) = (0, false)
    while !isComplete, point < 40 {
      point += 1
      let number = point
      let isUninterrupted = Mutex(false)
      try await BluetoothRig.with { rig in
        let isKilled = try await Self.connectAndDisconnect(rig, killedAt: number)
        isUninterrupted.withLock { $0 = !isKilled }
      }
      isComplete = isUninterrupted.withLock { $0 }
    }
    // The central, its states, two events and their receipts are stored, and the broker is called twice.
    #expect(point > 6 && point < 40, "\(point) steps")
  }

  /// Connects and disconnects a device; returns whether the first daemon was killed.
  private static func connectAndDisconnect(
    _ rig: BluetoothRig, killedAt point: Int
  ) async throws -> Bool {
    let application = try await ServedApplication.start(.application1, on: rig.desk)
    await application.gate.open()
    try await rig.addDevice()
    let faulty = try await RunningProgram.start(
      "usher-triggers",
      environment: rig.desk.desktop.environment.merging([
        "USHER_TEST_KILL_AT": "\(point)", "DBUS_SYSTEM_BUS_ADDRESS": rig.system.address,
      ]) { $1 })
    try await rig.desk.waitForOwner(of: TriggersInterface.busName, orExitOf: faulty)
    // A caller that receives no reply adds the central again. A call starts the next daemon, as the service manager does.
    try await withDeadline(Command.defaultDeadline, "the central") {
      while try await rig.list()["centrals"]?.array?.isEmpty ?? true {
        _ = try await rig.desk.usher(
          "bluetooth", "add", ServedApplication.id, "belt", "--device", BluetoothRig.belt)
      }
    }
    let events = try await rig.daemon.beingRestarted {
      var events: [String] = []
      for isConnected in [true, false] {
        let (earlier, event) =
          isConnected ? ("disconnected", "connected") : ("connected", "disconnected")
        // The first state is no event, so it must be stored before the change.
        try await rig.waitUntil(earlier) {
          $0["centrals"]?.array?.first?[earlier] == [.string(BluetoothRig.belt)]
        }
        try await rig.setConnected(isConnected)
        while events.last != event {
          events.append(try await application.nextEnvelope().payload?["event"]?.string ?? "none")
        }
      }
      return events
    }
    #expect(events == ["connected", "disconnected"], "killed at \(point)")
    guard Glibc.kill(faulty.processIdentifier, 0) == 0 else { return true }
    faulty.kill()
    return false
  }
}
