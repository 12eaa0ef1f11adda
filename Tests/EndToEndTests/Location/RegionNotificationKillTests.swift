// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// A notification with a region whose daemon is killed at its N-th write or call of another program, from the storing of the trigger to
/// the broker's receipt of the user's response.
@Suite struct `A notification with a region while usher-triggers is killed` {
  /// Every step, or every third one of a trigger that repeats.
  @Test(arguments: [false, true])
  func `is shown and delivered once`(repeats: Bool) async throws {
    let all = ProcessInfo.processInfo.environment["USHER_KILL_SWEEP"] == "all"
    var (point, isComplete) = (0, false)
    while !isComplete, point < 60 {
      point += repeats && !all ? 3 : 1
      let number = point
      let isUninterrupted = Mutex(false)
      try await LocationRig.with { rig in
        let isKilled = try await Self.cross(rig, killedAt: number, repeats: repeats)
        isUninterrupted.withLock { $0 = !isKilled }
      }
      isComplete = isUninterrupted.withLock { $0 }
    }
    // The trigger, its state, the notification, its presentation, its number and the response are stored; the broker and the server
    // are called.
    #expect(point > 12 && point < 60, "\(point) steps")
  }

  /// Enters a region, and returns whether the first daemon was killed.
  private static func cross(_ rig: LocationRig, killedAt point: Int, repeats: Bool) async throws -> Bool {
    let application = try await ServedApplication.start(.application1, on: rig.desk)
    await application.gate.open()
    let server = try await TappingServer.start(on: rig.desk, seed: UInt64(point))
    let faulty = try await RunningProgram.start(
      "usher-triggers",
      environment: rig.desk.desktop.environment.merging([
        "USHER_TEST_KILL_AT": "\(point)", "DBUS_SYSTEM_BUS_ADDRESS": rig.address,
      ]) { $1 })
    try await rig.desk.waitForOwner(of: TriggersInterface.busName, orExitOf: faulty)
    // A caller that receives no reply adds the notification again. A call starts the next daemon, as the service manager does.
    try await withDeadline(Command.defaultDeadline, "the notification") {
      while try await rig.daemon.pending().isEmpty {
        _ = try await rig.desk.run(
          "usher",
          [
            "notify", ServedApplication.id, "--title", "Milk", "--identifier", "milk", "--region",
            "48.137,11.575", "--radius", "1000", "--on", "entry",
          ] + (repeats ? ["--repeats"] : []))
      }
    }
    func move(to latitude: Double, until state: String?) async throws {
      try await withDeadline(Command.defaultDeadline, "\(state ?? "no notification") at \(point)") {
        var number = 0
        while try await rig.daemon.regionStates()["milk"] != state {
          number += 1
          try await rig.measure(latitude + Double(number % 50) / 1_000_000, 11.575, isRequired: false)
          try await Task.sleep(for: .milliseconds(50))
        }
      }
    }
    try await move(to: 48.2, until: "outside")
    try await move(to: 48.137, until: repeats ? "inside" : nil)
    var taps: [Envelope] = []
    func record(_ envelope: Envelope) {
      if envelope.payload?["action-identifier"] == "default" { taps.append(envelope) }
    }
    let tap = try await rig.daemon.beingRestarted {
      while true {
        let envelope = try await application.nextEnvelope()
        if envelope.payload?["action-identifier"] == "default" { return envelope }
      }
    }
    record(tap)
    try await rig.daemon.waitUntilDelivered([])
    // Whatever is delivered once more arrives before this link.
    if repeats { try await move(to: 48.2, until: "outside") }
    // The daemon may be killed at the last step just now.
    while try await !rig.daemon.pending().isEmpty {
      _ = try await rig.desk.run("usher", ["notify", "cancel", ServedApplication.id, "--all"])
    }
    try await rig.desk.usher("open", "served:last").orThrow()
    var envelope = try await application.nextEnvelope()
    while envelope.urls != ["served:last"] {
      record(envelope)
      envelope = try await application.nextEnvelope()
    }
    #expect(Set(taps.map(\.callerRequestID)).count == 1, "killed at \(point): \(taps)")
    #expect(server.doubled.isEmpty, "killed at \(point)")
    guard Glibc.kill(faulty.processIdentifier, 0) == 0 else { return true }
    faulty.kill()
    return false
  }
}
