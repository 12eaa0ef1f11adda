// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import Synchronization
import TestSupport

/// The kills of the fault harness: of a daemon at any time or at a given step, and of an application.
///
/// A daemon that was killed is started again by the bus. As the service manager does, the harness has it started even if no other
/// program calls it.
final class TriggerTortureFaults: Sendable {
  /// A program that is killed.
  enum Victim: CaseIterable {
    case triggers
    case broker
    case application
  }

  /// A kill at any time and, with a step, another one at that step of the next daemon.
  private struct Fault {
    let victim: Victim
    var step: Int?
  }

  private static let updateActivationEnvironment = BusMethod<Arguments<[String: String]>, Arguments<>>(
    "UpdateActivationEnvironment", of: "org.freedesktop.DBus", takes: ["environment"])

  private let desk: InstalledDesktop
  private let bus: BusConnection
  private let seed: UInt64
  private let deaths = Mutex<[BusName: Int]>([:])
  private let killedApplications = Mutex<Set<Int32>>([])

  init(on desk: InstalledDesktop, seed: UInt64) async throws {
    self.desk = desk
    self.seed = seed
    bus = try await desk.connect()
  }

  /// The process IDs of the applications that were killed.
  var applications: Set<Int32> { killedApplications.withLock { $0 } }

  /// Returns how often a daemon has exited.
  func deaths(of name: BusName) -> Int { deaths.withLock { $0[name] ?? 0 } }

  /// Counts the exits of a daemon, and has it started again, until the task is cancelled.
  func revive(_ name: BusName) async throws {
    let owners = try await bus.owners(of: name)
    try await start(name)
    for await owner in owners where owner == nil {
      deaths.withLock { $0[name, default: 0] += 1 }
      try await start(name)
    }
  }

  private func start(_ name: BusName) async throws {
    // A daemon that is killed before it owns its name is started again.
    while !Task.isCancelled {
      do throws(BusError) {
        _ = try await bus.call(BusDaemon.startServiceByName, at: .bus, name.rawValue, 0)
        return
      } catch {}
    }
  }

  /// Kills each program as often as planned, at random moments of the progress, until the task is cancelled.
  func run(_ plan: TriggerTorturePlan, during progress: TortureProgress) async throws {
    var random = SeededGenerator(seed: seed &+ 1)
    let steps = (plan.triggers + plan.pushes) * 9 / 10
    var faults: [Fault] = (0..<plan.kills).map { _ in Fault(victim: .application) }
    for victim in [Victim.triggers, .broker] {
      for number in 0..<(plan.kills + 2) / 3 {
        faults.append(Fault(victim: victim))
        faults.append(Fault(victim: victim, step: 1 + random.below(number.isMultiple(of: 2) ? 12 : 80)))
      }
    }
    let moments = faults.map { _ in random.below(steps) }.sorted()
    for (moment, fault) in zip(moments, faults.shuffled(using: &random)) {
      await progress.reach(moment)
      do {
        switch fault.victim {
        case .application: killApplication(&random)
        case .triggers: try await kill(TriggersInterface.busName, fault.step)
        case .broker: try await kill(BrokerInterface.busName, fault.step)
        }
      } catch {
        // On a slow machine everything may have been delivered while this waits for a daemon.
        guard Task.isCancelled else { throw error }
        // Not in the cancelled task, so that no daemon is killed any more, also not one that has read the step.
        return try await Task {
          try await setStep(0)
          try await kill(fault.victim == .triggers ? TriggersInterface.busName : BrokerInterface.busName, nil)
        }.value
      }
    }
  }

  private func killApplication(_ random: inout SeededGenerator) {
    let running = desk.processes(of: "\(BuiltProducts.directory)/SceneProbe").sorted()
    guard !running.isEmpty else { return }
    let victim = random.pick(running)
    killedApplications.withLock { _ = $0.insert(victim) }
    Glibc.kill(victim, SIGKILL)
  }

  /// Kills a daemon and, with a step, the next one when it reaches the step.
  private func kill(_ name: BusName, _ step: Int?) async throws {
    if let step { try await setStep(step) }
    let first = try await process(of: name, after: nil)
    try await desk.end(first, SIGKILL)
    guard step != nil else { return }
    try await desk.waitForEnd(of: try await process(of: name, after: first))
    try await setStep(0)
  }

  /// Waits until a daemon owns its name, and returns its process ID.
  private func process(of name: BusName, after earlier: Int32?) async throws -> Int32 {
    try await withDeadline(Command.defaultDeadline, "the owner of \(name)") { [bus] in
      while true {
        if let pid = try? await bus.credentials(of: name).processID, pid != earlier { return pid }
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  /// Sets the step at which a daemon that is started from now on is killed; 0 for none.
  private func setStep(_ step: Int) async throws {
    try await bus.call(Self.updateActivationEnvironment, at: .bus, ["USHER_TEST_KILL_AT": "\(step)"])
  }
}
