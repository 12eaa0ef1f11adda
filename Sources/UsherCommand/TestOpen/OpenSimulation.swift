// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import Launching
import Systemd

/// An opening of URLs with the application in a given state.
struct OpenSimulation {
  /// The reason why the simulation is not possible; no URL was opened.
  struct Obstacle: Error {
    let sentence: String
    var exitStatus: Int32 = 1
  }

  /// The outcome of a simulation.
  struct Outcome {
    let result: OpenResult
    let duration: Duration
    /// The process ID of the application before and after, if it owns its bus name.
    let before: Int32?
    let after: Int32?
    /// A Boolean value that is `true` if the application was stopped and has been resumed.
    let isThawed: Bool
    /// A Boolean value that is `true` if the program reports by its exit status, and had not exited in time.
    let isProgramRunning: Bool
  }

  let id: ApplicationID
  let entry: DesktopEntry
  let simulation: Simulation
  /// Permits the simulation to terminate a running instance.
  let mayRestart: Bool
  var opening: OpenOperation
  /// Receives each step after it is done.
  let report: (_ step: String, _ text: String) -> Void

  private static let timeout = Duration.seconds(10)

  func carryOut() throws(Obstacle) -> Outcome {
    let bus: BlockingBusConnection
    do throws(BrokerConnection.Failure) { bus = try BrokerConnection().bus } catch {
      let reason = if case .unreachable(let reason) = error { reason } else { "the bus does not reply" }
      throw Obstacle(
        sentence: "a test needs the broker, which cannot be reached: \(reason)",
        exitStatus: BrokerErrorName.needsBus.exitStatus)
    }
    switch simulation {
    case .cold:
      try end(on: bus)
      report("before", "not running")
      return try open(on: bus, nil)
    case .warm:
      let instance = try running(on: bus)
      report("before", "running, \(instance.description)")
      return try open(on: bus, instance)
    case .suspended:
      let instance = try running(on: bus)
      guard instance.name != nil else {
        throw Obstacle(
          sentence:
            "\(id) runs as \(instance.description), so the broker cannot find and resume it; only --simulate cold and "
            + "warm can be tested")
      }
      return try instance.handle.resumingAtSignals { () throws(Obstacle) -> Outcome in
        // An application that the simulation stopped must be resumed, even after an error.
        defer { _ = instance.goOn() }
        guard instance.stop(by: .now + Self.timeout) else {
          throw Obstacle(
            sentence:
              "process \(instance.pid) has a terminal, and the broker does not resume processes that were stopped in a terminal; "
              + "start \(id) by a link (usher test-open --simulate cold --restart …) and try again")
        }
        report("before", "running, process \(instance.pid), stopped by SIGSTOP")
        return try open(on: bus, instance)
      }
    }
  }

  private func open(on bus: BlockingBusConnection, _ instance: Instance?) throws(Obstacle) -> Outcome {
    let begin = ContinuousClock.now
    var result = opening.carryOut()
    let duration = ContinuousClock.now - begin
    let isThawed = simulation == .suspended && instance?.directory.isStopped == false
    let isProgramRunning = entry.reportsByExitStatus && result.reachedPrograms
    if isProgramRunning { result = result.withoutTimeout(of: opening.id) }
    return Outcome(
      result: result, duration: duration, before: instance?.pid, after: Instance(of: id, entry, on: bus)?.pid,
      isThawed: isThawed, isProgramRunning: isProgramRunning)
  }

  /// Returns the reason why a simulation is not possible, as far as it is known before the first step.
  static func obstacle(
    to simulation: Simulation, of id: ApplicationID, _ entry: DesktopEntry, mayRestart: Bool
  ) -> Obstacle? {
    guard simulation == .cold, !mayRestart, let bus = try? BrokerConnection().bus,
      let instance = Instance(of: id, entry, on: bus)
    else { return nil }
    return isRunning(id, instance)
  }

  private static func isRunning(_ id: ApplicationID, _ instance: Instance) -> Obstacle {
    Obstacle(
      sentence:
        "\(id) already runs as \(instance.description); terminate it, or add --restart to terminate it with SIGTERM"
    )
  }

  private func end(on bus: BlockingBusConnection) throws(Obstacle) {
    guard let instance = Instance(of: id, entry, on: bus) else { return }
    guard mayRestart else { throw Self.isRunning(id, instance) }
    guard instance.end(by: .now + Self.timeout) else {
      throw Obstacle(sentence: "process \(instance.pid) of \(id) did not exit within 10 s after SIGTERM")
    }
    report("ended", "process \(instance.pid), by SIGTERM")
  }

  /// Returns the running instance, and starts one if necessary.
  private func running(on bus: BlockingBusConnection) throws(Obstacle) -> Instance {
    if mayRestart { try end(on: bus) }
    if let instance = Instance(of: id, entry, on: bus) { return instance }
    guard entry.isDBusActivatable || entry.takesEnvelopes else {
      throw Obstacle(
        sentence:
          "no process has the program and the first arguments of the Exec line of \(id) (a script is not recognized), and this command cannot start one without a "
          + "link, because its entry has neither DBusActivatable=true nor Implements=\(Application1Interface.name); start it by that line, "
          + "otherwise only --simulate cold can be tested"
      )
    }
    var options = OpenOptions()
    options.requestID = RequestID.random()
    options.reason = .activate
    options.target = id.rawValue
    options.timeout = opening.options.timeout
    let request = OpenRequest(urls: [], source: .unknown, target: id)
    var start = OpenOperation(request: request, fallback: nil, options: options, id: options.requestID ?? "")
    start.request.reason = LaunchReason.activate.rawValue
    let result = start.carryOut()
    if let failure = result.failure {
      throw Obstacle(sentence: "\(id) cannot be started: \(failure.message)", exitStatus: result.exitStatus)
    }
    guard let instance = Instance(of: id, entry, on: bus) else {
      throw Obstacle(sentence: "\(id) was started, but exited or does not own its bus name")
    }
    report("started", "process \(instance.pid), without a link")
    return instance
  }
}

extension DesktopEntry {
  /// A Boolean value that is `true` if the entry declares `org.usher.Application1`.
  var takesEnvelopes: Bool { implements.contains(Application1Interface.name.rawValue) }

  /// A Boolean value that is `true` if nothing but the exit status of the program reports what happened to a link.
  var reportsByExitStatus: Bool { !takesEnvelopes && !isDBusActivatable }
}

extension OpenResult {
  /// A Boolean value that is `true` if every link reached a program, and nothing is wrong but that some have not exited in time.
  fileprivate var reachedPrograms: Bool {
    !deliveries.isEmpty
      && deliveries.allSatisfy {
        $0.outcome == .handled || $0.outcome == .delivered && $0.error == BrokerErrorName.timeout.errorName
      }
      && deliveries.contains { $0.outcome == .delivered }
  }

  /// Returns the result for a caller that does not wait for the exit of the programs.
  fileprivate func withoutTimeout(of requestID: String) -> OpenResult {
    let reached = deliveries.map { delivery in
      var delivery = delivery
      if delivery.outcome == .delivered { (delivery.error, delivery.message) = (nil, nil) }
      return delivery
    }
    return OpenResult(
      Receipt(requestID: requestID, deliveries: reached), waitingFor: .delivered, by: decider)
  }
}
