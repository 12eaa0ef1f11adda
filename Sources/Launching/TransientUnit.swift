// SPDX-License-Identifier: Apache-2.0
import DBus
import Systemd

/// A transient service of the user's service manager, from its start to its exit.
struct TransientUnit: Sendable {
  let name: String
  let bus: BusConnection
  /// The longest time for which the service manager leaves the bus to execute itself again.
  private static let managerAbsence = Duration.seconds(10)

  /// Subscribes this connection to the signals of the service manager, which sends JobRemoved only to subscribers.
  ///
  /// The manager rejects a second subscription of a connection. It is requested at each start nevertheless, because
  /// another start may request it at the same time, and a manager or bus that is started again has forgotten it.
  func subscribe() async throws(BusError) {
    do throws(BusError) {
      try await bus.call(SystemdManagerInterface.subscribe, at: SystemdManagerInterface.manager)
    } catch {
      guard error.name == SystemdManagerInterface.alreadySubscribed else { throw error }
    }
  }

  /// Starts the unit with `arguments`, the first of which is executed, and returns after the execution.
  ///
  /// - Throws: `BusError` if the program was not executed: the service manager rejected the unit, or exec failed. A
  ///   program that ran and exited at once was executed, whatever its status is.
  func start(
    _ launch: Launch, _ arguments: [String], lookingBy looks: BlockingCallPool
  ) async throws(BusError) {
    let result = try await start(properties(of: launch, arguments))
    guard result != "done", let status = try await failure() else { return }
    await release()
    let reason = await reason(status, launch: launch, arguments: arguments, lookingBy: looks)
    throw BusError(.failed, reason ?? "the user manager reports “\(result)” for \(name)")
  }

  /// Starts the unit with `properties`, and returns the result of the job.
  ///
  /// A manager that reloads its units between the call and the job, as the upgrade of any package can request, may lose
  /// the unit's command: systemd 252 writes it in a form that it does not read. Such a unit has executed nothing, and is
  /// started again, ten times at most.
  func start(_ properties: [BusStruct<String, Variant>]) async throws(BusError) -> String {
    for _ in 1..<10 {
      let result = try await startOnce(properties)
      guard result == "failed", await hasLostCommand() else { return result }
      await release()
    }
    return try await startOnce(properties)
  }

  private func startOnce(_ properties: [BusStruct<String, Variant>]) async throws(BusError) -> String {
    let jobs = try await bus.signals(
      SystemdManagerInterface.jobRemoved, from: SystemdManagerInterface.name)
    let job = try await bus.call(
      SystemdManagerInterface.startTransientUnit, at: SystemdManagerInterface.manager, name, "fail",
      properties, [])
    let result = await first(of: jobs, as: { $0.values.1 == job ? $0.values.3 : nil })
    guard let result else {
      throw BusError(.disconnected, "the user manager disconnected while it started \(name)")
    }
    return result
  }

  /// Returns whether the unit lost its command before it was executed.
  private func hasLostCommand() async -> Bool {
    guard let unit = try? await object(),
      (try? await bus.get(SystemdManagerInterface.loadState, at: unit)) == "bad-setting"
    else { return false }
    return (try? await bus.get(SystemdManagerInterface.execMainPID, at: unit)) == 0
  }

  /// Waits for the program to exit and returns its status; `nil` if the status is lost.
  ///
  /// A service manager that executes itself again, as its upgrade and `daemon-reexec` request, leaves the bus for a moment and keeps its
  /// units.
  func exitStatus() async -> ExitStatus? {
    do throws(BusError) {
      while true {
        let unit = try await object()
        let changes = try await bus.signals(
          PropertiesInterface.propertiesChanged, from: SystemdManagerInterface.name, at: unit.path)
        if try await hasEnded(unit) { return try await takeStatus(unit) }
        let ended = await first(of: changes, as: { _ in (try? await hasEnded(unit)) == true ? true : nil })
        if ended == true { return try await takeStatus(unit) }
        guard await SystemdManagerInterface.becomesServed(on: bus, within: Self.managerAbsence) else {
          return nil
        }
        // A manager that was started anew, or on another bus, has no subscribers.
        try await subscribe()
      }
    } catch {
      // The service manager or the bus is lost, and the status with it.
    }
    return nil
  }

  /// Stops the unit; a unit that has ended already is not affected.
  func stop() async {
    _ = try? await bus.call(
      SystemdManagerInterface.stopUnit, at: SystemdManagerInterface.manager, name, "replace")
  }

  /// Returns the first value that `find` extracts from `signals`; `nil` if the service manager exits before.
  private func first<Value: Sendable, each Argument: BusConvertible>(
    of signals: AsyncStream<ReceivedSignal<repeat each Argument>>,
    as find: @escaping @Sendable (ReceivedSignal<repeat each Argument>) async -> Value?
  ) async -> Value? {
    guard let owners = try? await bus.owners(of: SystemdManagerInterface.name) else { return nil }
    return await withTaskGroup(of: Value?.self) { group in
      group.addTask {
        for await signal in signals {
          if let value = await find(signal) { return value }
        }
        return nil
      }
      group.addTask {
        _ = await owners.first { $0 == nil }
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }

  private func hasEnded(_ unit: RemoteObject) async throws(BusError) -> Bool {
    ["inactive", "failed"].contains(try await bus.get(SystemdManagerInterface.activeState, at: unit))
  }

  private func takeStatus(_ unit: RemoteObject) async throws(BusError) -> ExitStatus {
    let (code, status) = try await mainProcess(of: unit)
    // AddRef retained the unit until its status was read.
    await release()
    // CLD_EXITED is 1.
    return code == 1 ? .exited(status) : .signalled(status)
  }

  /// Returns whether the unit exists and has not ended.
  func isActive() async -> Bool {
    guard let unit = try? await object() else { return false }
    return (try? await hasEnded(unit)) == false
  }

  /// Returns the status of a program that has exited; `nil` if it is not known.
  func exitStatusNow() async -> ExitStatus? {
    guard let unit = try? await object(), let (code, status) = try? await mainProcess(of: unit), code != 0
    else { return nil }
    return code == 1 ? .exited(status) : .signalled(status)
  }

  /// Releases the reference to the unit, which AddRef has acquired.
  func release() async {
    try? await bus.call(SystemdManagerInterface.unrefUnit, at: SystemdManagerInterface.manager, name)
  }

  private func object() async throws(BusError) -> RemoteObject {
    RemoteObject(
      SystemdManagerInterface.name,
      try await bus.call(SystemdManagerInterface.getUnit, at: SystemdManagerInterface.manager, name))
  }

  /// Returns how the program has ended (`CLD_EXITED` and so on; 0 before its end), and its exit status or signal.
  private func mainProcess(of unit: RemoteObject) async throws(BusError) -> (code: Int32, status: Int32) {
    (
      try await bus.get(SystemdManagerInterface.execMainCode, at: unit),
      try await bus.get(SystemdManagerInterface.execMainStatus, at: unit)
    )
  }

  /// Returns the exit status if exec failed; `nil` if the program exited at once, which the job's result does not distinguish.
  private func failure() async throws(BusError) -> Int32? {
    let (code, status) = try await mainProcess(of: try await object())
    let wasExecuted = code != 0 && !(code == 1 && (200...243).contains(status))
    return wasExecuted ? nil : status
  }

  /// Returns the reason for an exit status of systemd.exec(5), "Process Exit Codes"; `nil` for other statuses.
  private func reason(
    _ status: Int32, launch: Launch, arguments: [String], lookingBy looks: BlockingCallPool
  ) async -> String? {
    switch status {
    case 200: return "its working directory cannot be entered"
    case 203:
      let failure = ExecFailure(
        path: arguments.first ?? "", arguments: arguments.map { Array($0.utf8) },
        // The service manager's variables have about the same size as those of this process.
        environment: LaunchEnvironment.own().merging(launch.allVariables) { $1 }.map {
          "\($0.key)=\($0.value)"
        })
      let visible = await looks.find(for: launch.application) { failure.visibleReason } ?? nil
      return visible ?? "the user manager could not execute it; run: journalctl --user -u '\(name)'"
    case 201...243:
      return "the user manager could not prepare it (status \(status)); run: journalctl --user -u '\(name)'"
    default: return nil
    }
  }

  private func properties(of launch: Launch, _ arguments: [String]) -> [BusStruct<String, Variant>] {
    let command = Variant.structure([
      .string(arguments.first ?? ""), .strings(arguments), .strings(["no-env-expand"]),
    ])
    var properties: [(String, Variant)] = [
      ("Description", .string(launch.title)),
      ("Type", "exec"),
      ("ExitType", "cgroup"),
      ("Slice", "app.slice"),
      ("CollectMode", "inactive-or-failed"),
      ("AddRef", true),
      ("Environment", .strings(launch.allVariables.map { "\($0.key)=\($0.value)" }.sorted())),
      // Applied after the environment of the service manager.
      ("UnsetEnvironment", .strings(launch.session.removed.filter { launch.variables[$0] == nil })),
      // The home directory, or the root directory if it is missing (systemd.exec(5), "WorkingDirectory=").
      ("WorkingDirectory", .string(launch.workingDirectory ?? "-~")),
      ("ExecStartEx", .array(of: "(sasas)", [command])),
    ]
    if let entry = launch.entry { properties.append(("SourcePath", .string(entry))) }
    if let output = launch.output {
      properties += [("StandardOutputFileDescriptor", .unixFD(output)), ("StandardError", "null")]
    }
    return properties.map { BusStruct($0.0, $0.1) }
  }
}
