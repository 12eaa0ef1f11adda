// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// The fault harness for notifications, which `scripts/torture-triggers` runs at length.
///
/// It kills `usher-triggers`, the broker and applications while triggers come due, the user taps, and servers push.
@Suite struct `With kills of every program` {
  @Test func `no notification is lost or doubled`() async throws {
    let plan = try TriggerTorturePlan()
    try await InstalledDesktop.with(needsPermit: false) { desk in
      let applications = try (0..<plan.applications).map {
        try TriggerTortureApplication.install($0, on: desk)
      }
      let server = try await TappingServer.start(on: desk, seed: plan.seed)
      let distributor = try await PushDistributor.start(on: desk)
      let token = try await PushDistributor.register(applications[0].id, on: desk)
      let faults = try await TriggerTortureFaults(on: desk, seed: plan.seed)
      let revivals = [TriggersInterface.busName, BrokerInterface.busName].map { name in
        Task { try await faults.revive(name) }
      }
      let start = ContinuousClock.now
      let trouble = Task { try await faults.run(plan, during: server.progress) }
      async let added = Self.add(plan, applications, on: desk)
      async let pushed: Void = Self.push(plan, by: distributor, to: token)
      let unconfirmed = try await added
      try await pushed
      let (alerts, background) = Self.pushes(plan)
      let responses = (0..<plan.triggers).map { "trigger-\($0)" } + alerts
      await Self.settle(applications, responses.filter { !unconfirmed.contains($0) } + background)
      trouble.cancel()
      try await trouble.value
      // Whatever is delivered once more arrives before these.
      let last = try await Self.finish(applications, token, distributor, on: desk)
      await Self.settle(applications, last)
      for revival in revivals { revival.cancel() }
      let verdict = TriggerTortureVerdict(
        TriggerTortureLine.read(applications.map(\.log)), responses: responses + last.dropLast(),
        background: background + last.suffix(1), unconfirmed: unconfirmed, killed: faults.applications)
      Self.print(plan, verdict, server, faults, ContinuousClock.now - start)
      #expect(server.doubled.isEmpty)
      #expect(
        verdict.diagnostics.isEmpty,
        "\(verdict.diagnostics.count): \(verdict.diagnostics.prefix(20).joined(separator: "\n"))")
    }
  }

  private static func print(
    _ plan: TriggerTorturePlan, _ verdict: TriggerTortureVerdict, _ server: TappingServer,
    _ faults: TriggerTortureFaults, _ time: Duration
  ) {
    let figures = verdict.figures.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let (calls, taps) = server.figures
    let deaths = [TriggersInterface.busName, BrokerInterface.busName].map(faults.deaths)
    Swift.print(
      "torture: \(plan.triggers) triggers and \(2 * plan.pushes) pushes in \(Int(time / .seconds(1))) s, usher-triggers killed "
        + "\(deaths[0]) times, usherd \(deaths[1]), applications \(verdict.killed.count); \(calls) calls of Notify, "
        + "\(taps) taps; \(figures.joined(separator: ", "))")
  }

  /// The names of the pushes with an alert, and of those for the background.
  private static func pushes(_ plan: TriggerTorturePlan) -> (alerts: [String], background: [String]) {
    ((0..<plan.pushes).map { "alert-\($0)" }, (0..<plan.pushes).map { "background-\($0)" })
  }

  // MARK: Input

  /// The seconds before a trigger is due, in which it can be added again after a kill.
  private static let lead = 10 * timeoutFactor

  /// Adds the triggers, which are due at an even rate.
  ///
  /// - Returns: The names of triggers whose caller never learned whether the daemon stored them: it was killed during the call, and the
  ///   trigger could have been shown before another call.
  private static func add(
    _ plan: TriggerTorturePlan, _ applications: [TriggerTortureApplication], on desk: InstalledDesktop
  ) async throws -> Set<String> {
    let daemon = try await TriggerDaemon(on: desk)
    var unconfirmed: Set<String> = []
    var random = SeededGenerator(seed: plan.seed &+ 2)
    let start = Date.now.addingTimeInterval(lead)
    for number in 0..<plan.triggers {
      let (name, application) = ("trigger-\(number)", applications[number % applications.count].id)
      let isDeadly = number % max(1, plan.triggers / max(1, plan.kills)) == 1
      let death = isDeadly ? #", "die": "\#(random.oneIn(2) ? "before" : "after")""# : ""
      let date = max(
        start.addingTimeInterval(Double(number) / Double(plan.rate)), Date.now.addingTimeInterval(lead))
      let request = try [String: Variant](
        json: """
          {"identifier": "\(name)", "content": {"title": "\(name)", "user-info": {"name": "\(name)"\(death)}},
           "trigger": {"kind": "date", "date": \(Int(date.timeIntervalSince1970 * 1_000))}}
          """)
      while true {
        do throws(BusError) {
          try await daemon.bus.call(
            TriggersInterface.addNotification, at: TriggersInterface.triggers, application, request)
          break
        } catch {
          guard [.noReply, .timeout].contains(error.name) else { throw error }
        }
        // The daemon was killed before or after it stored the trigger.
        let isStored = try await Self.isStored(name, of: application, due: date, daemon)
        if isStored == nil { unconfirmed.insert(name) }
        if isStored != false { break }
      }
    }
    return unconfirmed
  }

  /// Returns whether the daemon has stored a trigger; `nil` if the trigger may have been shown before the daemon answered.
  ///
  /// A trigger that is not stored before it is due was never shown, and can be added again, however late that is.
  private static func isStored(
    _ name: String, of application: String, due date: Date, _ daemon: TriggerDaemon
  ) async throws -> Bool? {
    while true {
      do {
        let pending = try await daemon.pending(of: application)
        return Date.now < date ? pending.contains(name) : nil
      } catch let error as BusError where [.noReply, .timeout].contains(error.name) {
        // The daemon was killed again.
      }
    }
  }

  /// Sends an alert and a push for the background in turn, some of which the distributor repeats.
  private static func push(
    _ plan: TriggerTorturePlan, by distributor: PushDistributor, to token: PropertyList
  ) async throws {
    let (alerts, background) = pushes(plan)
    var random = SeededGenerator(seed: plan.seed &+ 3)
    for (alert, silent) in zip(alerts, background) {
      try await distributor.push(Self.alert(alert), to: token)
      if random.oneIn(4) { try await distributor.repeatMessage() }
      try await distributor.push(Self.silent(silent), to: token)
      if random.oneIn(4) { try await distributor.repeatMessage() }
    }
  }

  private static func alert(_ name: String) -> String {
    #"{"aps":{"alert":{"title":"\#(name)"}},"name":"\#(name)"}"#
  }
  private static func silent(_ name: String) -> String {
    #"{"aps":{"content-available":1},"name":"\#(name)"}"#
  }

  /// Sends a last notification to each application, and a last push for the background; returns their names.
  private static func finish(
    _ applications: [TriggerTortureApplication], _ token: PropertyList, _ distributor: PushDistributor,
    on desk: InstalledDesktop
  ) async throws -> [String] {
    let daemon = try await TriggerDaemon(on: desk)
    for (number, application) in applications.enumerated() {
      try await daemon.add(
        #"{"identifier": "last-\#(number)", "content": {"title": "last-\#(number)", "user-info": {"name": "last-\#(number)"}}}"#,
        to: application.id)
    }
    try await distributor.push(silent("last"), to: token)
    return applications.indices.map { "last-\($0)" } + ["last"]
  }

  // MARK: Output

  /// Waits until every name was handled, or nothing has arrived for a while.
  private static func settle(_ applications: [TriggerTortureApplication], _ names: [String]) async {
    let paths = applications.map(\.log)
    var (count, since) = (-1, ContinuousClock.now)
    while ContinuousClock.now - since < .seconds(40) * timeoutFactor {
      let lines = TriggerTortureLine.read(paths)
      let ended = Set(lines.filter { $0.event == "end" && $0.kind != "offer" }.map(\.name))
      if ended.isSuperset(of: names) { return }
      if lines.count != count { (count, since) = (lines.count, ContinuousClock.now) }
      try? await Task.sleep(for: .milliseconds(200))
    }
  }
}

/// An application of the fault harness, on `Scenes`.
struct TriggerTortureApplication: Sendable {
  let id: String
  /// The path of its record.
  let log: String

  static func install(_ number: Int, on desk: InstalledDesktop) throws -> TriggerTortureApplication {
    let id = "org.example.Torture\(number)"
    let log = "\(desk.desktop.root)/\(id).log"
    try desk.desktop.installDesktopEntry(
      id, exec: "\(BuiltProducts.directory)/SceneProbe \(id) \(log)", schemes: ["probe"],
      lines: ["Implements=org.usher.Application1;"])
    return TriggerTortureApplication(id: id, log: log)
  }
}
