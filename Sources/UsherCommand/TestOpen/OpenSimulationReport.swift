// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop

/// The report of a simulation: as text step by step, or as one JSON object at the end.
struct OpenSimulationReport {
  private let application: ApplicationID
  private let simulation: Simulation
  private let isJSON: Bool

  init(_ application: ApplicationID, _ simulation: Simulation, isJSON: Bool) {
    self.application = application
    self.simulation = simulation
    self.isJSON = isJSON
  }

  /// Prints the application and the simulated state.
  func begin() {
    if !isJSON { Console.print("\(application), \(simulation.rawValue)") }
  }

  /// Prints a step.
  func print(_ step: String, _ text: String) {
    guard !isJSON else { return }
    Console.print("  \(step)\(String(repeating: " ", count: max(1, 10 - step.count)))\(text)")
  }

  /// Prints the reason why the simulation is not possible.
  func print(_ obstacle: OpenSimulation.Obstacle) {
    guard isJSON else { return Console.warn(obstacle.sentence) }
    let isBusMissing = obstacle.exitStatus == BrokerErrorName.needsBus.exitStatus
    emit(["error": .string(isBusMissing ? "no-bus" : "cannot-run"), "message": .string(obstacle.sentence)])
  }

  /// Prints the outcome.
  func print(_ outcome: OpenSimulation.Outcome) {
    guard isJSON else { return printReport(outcome) }
    var entries: [String: Variant] = [
      "duration": .int64(Int64(outcome.duration / .microseconds(1))),
      "receipt": .dictionary(outcome.result.reported),
    ]
    entries["process-before"] = outcome.before.map(Variant.int32)
    entries["process-after"] = outcome.after.map(Variant.int32)
    entries["program-running"] = outcome.isProgramRunning ? .boolean(true) : nil
    entries["thawed"] = simulation == .suspended ? .boolean(outcome.isThawed) : nil
    emit(entries)
  }

  private func emit(_ entries: [String: Variant]) {
    let own: [String: Variant] = [
      "application": .string(application.rawValue), "simulate": .string(simulation.rawValue),
    ]
    Console.emit(JSONText.line(own.merging(entries) { own, _ in own }))
  }

  private func printReport(_ outcome: OpenSimulation.Outcome) {
    let time = "\(Int64(outcome.duration / .milliseconds(1))) ms"
    if let failure = outcome.result.failure {
      print("failed", "after \(time): \(failure.message)")
    } else {
      for delivery in outcome.result.deliveries {
        let way =
          delivery.kind == .running
          ? "it was already running"
          // The exit of the second process says nothing about the first one, which has the link now.
          : outcome.before != nil && outcome.before == outcome.after
            ? "a second process was started, which may pass the request to the running one and exit"
            : "it was started for the request"
        print(delivery.outcome.rawValue, "within \(time): \(way)")
        if let value = delivery.value { print("answer", value.json) }
        if let remark = delivery.message { print("note", remark) }
      }
    }
    if outcome.isProgramRunning {
      print("program", "it has not exited yet; its exit status would report whether it handled the links")
    }
    if simulation == .suspended {
      print(
        "resumed",
        outcome.isThawed ? "by the broker" : "by this command, because the broker did not resume it")
    }
    guard let after = outcome.after else { return print("after", "no process owns its bus name") }
    let isSame =
      outcome.before.map { $0 == after ? ", same process" : ", new process" } ?? ""
    print("after", "process \(after)\(isSame)")
  }
}
