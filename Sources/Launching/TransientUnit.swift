import DBus
import Systemd

/// One transient service of the user manager, from its start to its end.
struct TransientUnit: Sendable {
  let name: String
  let bus: BusConnection

  /// Starts it with `arguments`, the first of which is executed; returns once that has been done.
  ///
  /// - Throws: `BusError` when it was not: the manager refused the unit, or exec failed. A program that ran
  ///   and ended at once was executed, whatever it ended with.
  func start(_ launch: Launch, _ arguments: [String]) async throws(BusError) {
    let jobs = try await bus.signals(
      SystemdManagerInterface.jobRemoved, from: SystemdManagerInterface.name)
    let job = try await bus.call(
      SystemdManagerInterface.startTransientUnit, at: SystemdManagerInterface.manager, name, "fail",
      properties(of: launch, arguments), [])
    let result = await first(of: jobs, as: { $0.values.1 == job ? $0.values.3 : nil })
    guard let result else {
      throw BusError(.disconnected, "the user manager went while it started \(name)")
    }
    if result != "done" { try await explain(result, launch, arguments) }
  }

  /// How its program ended; waits until it has.
  func exitStatus() async -> ExitStatus? {
    do throws(BusError) {
      let unit = RemoteObject(
        SystemdManagerInterface.name,
        try await bus.call(SystemdManagerInterface.getUnit, at: SystemdManagerInterface.manager, name))
      let changes = try await bus.signals(
        SystemdManagerInterface.propertiesChanged, from: SystemdManagerInterface.name, at: unit.path)
      if try await hasEnded(unit) { return try await takeStatus(unit) }
      let ended = await first(of: changes, as: { _ in (try? await hasEnded(unit)) == true ? true : nil })
      if ended == true { return try await takeStatus(unit) }
    } catch {
      // The manager, or the bus, went: nobody can know any more.
    }
    return nil
  }

  /// Ends it; one that has ended already stays ended.
  func stop() async {
    _ = try? await bus.call(
      SystemdManagerInterface.stopUnit, at: SystemdManagerInterface.manager, name, "replace")
  }

  /// The first thing that `find` sees in `signals`, or `nil` as soon as the user manager goes.
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
    let code = try await bus.get(SystemdManagerInterface.execMainCode, at: unit)
    let status = try await bus.get(SystemdManagerInterface.execMainStatus, at: unit)
    // AddRef kept the unit for this moment.
    try? await bus.call(SystemdManagerInterface.unrefUnit, at: SystemdManagerInterface.manager, name)
    // CLD_EXITED is 1.
    return code == 1 ? .exited(status) : .signalled(status)
  }

  /// Tells an exec that failed from a program that ended at once, which the job's result does not.
  private func explain(_ result: String, _ launch: Launch, _ arguments: [String]) async throws(BusError) {
    let unit = RemoteObject(
      SystemdManagerInterface.name,
      try await bus.call(SystemdManagerInterface.getUnit, at: SystemdManagerInterface.manager, name))
    let code = try await bus.get(SystemdManagerInterface.execMainCode, at: unit)
    let status = try await bus.get(SystemdManagerInterface.execMainStatus, at: unit)
    let wasExecuted = code != 0 && !(code == 1 && (200...243).contains(status))
    if wasExecuted { return }
    try? await bus.call(SystemdManagerInterface.unrefUnit, at: SystemdManagerInterface.manager, name)
    throw BusError(
      .failed, reason(status, launch, arguments) ?? "the user manager says “\(result)” of \(name)")
  }

  /// systemd.exec(5), "Process Exit Codes".
  private func reason(_ status: Int32, _ launch: Launch, _ arguments: [String]) -> String? {
    switch status {
    case 200: "its working directory cannot be entered"
    case 203:
      ExecFailure(
        path: arguments.first ?? "", arguments: arguments.map { Array($0.utf8) },
        // The manager's own variables are much like ours.
        environment: LaunchEnvironment.own().merging(launch.variables) { $1 }.map { "\($0.key)=\($0.value)" }
      ).visibleReason ?? "the user manager could not execute it; run: journalctl --user -u '\(name)'"
    case 201...243:
      "the user manager could not prepare it (status \(status)); run: journalctl --user -u '\(name)'"
    default: nil
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
      ("Environment", .strings(launch.variables.map { "\($0.key)=\($0.value)" }.sorted())),
      // The home directory, or the root where it is not there (systemd.exec(5), "WorkingDirectory=").
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
