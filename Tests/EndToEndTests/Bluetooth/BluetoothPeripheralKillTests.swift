// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import Synchronization
import TestSupport
import Testing

/// A write of a device while the daemon is killed at its N-th write or call of the broker.
@Suite struct `A write of a Bluetooth device while usher-triggers is killed` {
  @Test func `arrives once if the device got its response, and at most once otherwise`() async throws {
    var (point, isComplete) = (0, false)
    while !isComplete, point < 40 {
      point += 1
      let number = point
      let isUninterrupted = Mutex(false)
      try await BluetoothRig.with(hasBlueZ: false) { rig in
        let isKilled = try await Self.write(rig, killedAt: number)
        isUninterrupted.withLock { $0 = !isKilled }
      }
      isComplete = isUninterrupted.withLock { $0 }
    }
    // The peripheral, two writes and their receipts are stored, and the broker is called twice.
    #expect(point > 6 && point < 40, "\(point) steps")
  }

  /// Writes two values; returns whether the first daemon was killed.
  private static func write(_ rig: BluetoothRig, killedAt point: Int) async throws -> Bool {
    let bluez = try await StandInBlueZ.start(on: rig.system)
    let application = try await ServedApplication.start(.application1, on: rig.desk)
    await application.gate.open()
    let faulty = try await RunningProgram.start(
      "usher-triggers",
      environment: rig.desk.desktop.environment.merging([
        "USHER_TEST_KILL_AT": "\(point)", "DBUS_SYSTEM_BUS_ADDRESS": rig.system.address,
      ]) { $1 })
    try await rig.desk.waitForOwner(of: TriggersInterface.busName, orExitOf: faulty)
    // A caller that receives no reply publishes the service again. A call starts the next daemon, as the service manager does.
    try await withDeadline(Command.defaultDeadline, "the peripheral") {
      while try await rig.list("services")["peripherals"]?.array?.isEmpty ?? true {
        _ = try await rig.desk.usher(
          "bluetooth", "publish", ServedApplication.id, "lamp", "180f", "2a19:write")
      }
    }
    try await rig.daemon.beingRestarted {
      try await withDeadline(Command.defaultDeadline, "two responses") {
        // Each attempt of the device has its own value.
        var (attempt, answered, received): (UInt8, Set<UInt8>, [UInt8]) = (0, [], [])
        while answered.count < 2 {
          attempt += 1
          do {
            try await bluez.write([attempt], to: "2a19")
            answered.insert(attempt)
          } catch is StandInBlueZ.AttributeError {}
        }
        // The last write has a response, so that everything before it has arrived when it does.
        while received.last != attempt {
          let payload = try await application.nextEnvelope().payload
          received += payload?["value"]?.data ?? []
        }
        #expect(Set(received).count == received.count, "killed at \(point): \(received)")
        #expect(answered.isSubset(of: received), "killed at \(point): \(received), answered \(answered)")
        #expect(received == received.sorted(), "killed at \(point): \(received)")
      }
    }
    await bluez.end()
    guard Glibc.kill(faulty.processIdentifier, 0) == 0 else { return true }
    faulty.kill()
    return false
  }
}
