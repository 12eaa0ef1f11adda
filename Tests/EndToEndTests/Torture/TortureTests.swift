// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// A stress test with failing targets, a broker that is killed, and a full disk; `scripts/torture` runs it at length.
@Suite struct `Torture` {
  @Test func `loses nothing, and delivers nothing twice`() async throws {
    let plan = try TorturePlan()
    try await ThrowAwayDesktop.withBus(room: plan.room) { desktop, bus in
      try desktop.installUsher()
      let desk = InstalledDesktop(desktop: desktop, bus: bus)
      let targets = try (0..<plan.targets).map { try TortureTarget.install($0, on: desktop) }
      let progress = TortureProgress()
      let start = ContinuousClock.now
      let trouble = Task { try await Self.makeTrouble(plan, desk, progress) }
      let results = try await withThrowingTaskGroup(of: [TortureResult].self) { group in
        for requests in Self.requests(plan, targets) {
          let caller = try await TortureCaller(desk, progress)
          group.addTask { try await caller.run(requests) }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      let kills = try await trouble.value
      let time = (ContinuousClock.now - start) / .seconds(1)
      let hanging = targets.filter { $0.kind == .hanging }
      for target in hanging {
        let again = target.arrivals().begun.filter { $0.value > 1 }
        #expect(again.isEmpty, "\(target.id) began again what hangs, and nothing had cut off")
      }
      // Requests of disconnected callers and after crashes may still be pending; hanging targets are killed until their requests fail.
      let ended = Set(hanging.map(\.id))
      try await desk.waitUntilPending { pending in
        for process in desktop.processes where !ended.isDisjoint(with: process.arguments) {
          kill(process.processIdentifier, SIGKILL)
        }
        return pending == 0
      }
      let verdict = TortureVerdict(results, targets)
      let figures = verdict.figures.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      print(
        "torture: \(results.count) requests in \(Int(time)) s (\(Int(Double(results.count) / time)) a second), the broker "
          + "killed \(kills) times; \(figures.joined(separator: ", "))")
      #expect(results.count == plan.requests)
      #expect(
        verdict.diagnostics.isEmpty,
        "\(verdict.diagnostics.count): \(verdict.diagnostics.prefix(20).joined(separator: "\n"))")
    }
  }

  /// Returns the requests of each caller, in bursts to one target each.
  private static func requests(_ plan: TorturePlan, _ targets: [TortureTarget]) -> [[[TortureRequest]]] {
    var random = SeededGenerator(seed: plan.seed)
    var (number, burst) = (0, 0)
    return (0..<plan.callers).map { caller in
      var bursts: [[TortureRequest]] = []
      let end = plan.requests * (caller + 1) / plan.callers
      while number < end {
        let target = random.pick(targets)
        burst += 1
        bursts.append(
          (0..<min(1 + random.below(5), end - number)).map { _ in
            number += 1
            // A target with the standard interface may be started as a program that does not exit.
            let whole: OpenOptions.Wait = target.kind == .standard ? .delivered : .handled
            let wait = target.kind != .hanging && random.oneIn(6) ? .accepted : whole
            return TortureRequest(
              number: number, target: target, behaviour: target.behaviour(&random), wait: wait, burst: burst)
          })
      }
      return bursts
    }
  }

  /// Kills the broker as often as planned, and fills its disk halfway; returns the number of kills.
  private static func makeTrouble(
    _ plan: TorturePlan, _ desk: InstalledDesktop, _ progress: TortureProgress
  ) async throws -> Int {
    var random = SeededGenerator(seed: plan.seed &+ 1)
    let moments = (0..<plan.kills).map { _ in random.below(plan.requests * 9 / 10) }
    let (full, free) = (plan.requests * 2 / 5, plan.requests * 3 / 5)
    var kills = 0
    for moment in (moments + [full, free]).sorted() {
      await progress.reach(moment)
      if moment == full { try desk.fillDisk() }
      if moment == free { try desk.emptyDisk() }
      guard moment != full, moment != free else { continue }
      for pid in desk.processes(of: "\(desk.desktop.bin)/usherd") where kill(pid, SIGKILL) == 0 { kills += 1 }
    }
    return kills
  }
}

extension InstalledDesktop {
  /// The path in the broker's directory, a file system that only the bus and its children can see.
  private var ballast: String {
    get throws {
      let bus = try #require(desktop.processes.first { $0.arguments.first?.hasSuffix("dbus-daemon") == true })
      return "/proc/\(bus.processIdentifier)/root\(desktop.runtimeDirectory)/usher/ballast"
    }
  }

  /// Fills the file system completely.
  fileprivate func fillDisk() throws {
    let file = Foundation.open(try ballast, O_WRONLY | O_CREAT, 0o600)
    defer { close(file) }
    for size in [1 << 20, 4_096, 1] {
      let bytes = [UInt8](repeating: 0, count: size)
      while write(file, bytes, size) == size {}
    }
    try #require(errno == ENOSPC)
  }

  fileprivate func emptyDisk() throws { unlink(try ballast) }
}
