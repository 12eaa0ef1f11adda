// SPDX-License-Identifier: Apache-2.0
import DBus
import Systemd

/// A transient service of the user's service manager, from its start to its exit.
struct TransientUnit: Sendable {
  /// The signals about jobs that have ended.
  private typealias EndedJobs = AsyncStream<ReceivedSignal<UInt32, ObjectPath, String, String>>

  let name: String
  let bus: BusConnection
  /// The default of `managerAbsence`.
  static let managerAbsence = Duration.seconds(10)
  /// The longest time for which the service manager leaves the bus to execute itself again.
  var managerAbsence = Self.managerAbsence

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
    guard result != "done", let status = try await repeating(failure) else { return }
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
    try await repeating(subscribe)
    for _ in 1..<10 {
      let result = try await startOnce(properties)
      guard result == "failed", await hasLostCommand() else { return result }
      await release()
    }
    return try await startOnce(properties)
  }

  /// Starts the unit once, and returns the result of its job.
  ///
  /// If the manager leaves the bus meanwhile, because it executes itself again, it has the unit afterwards, with a job that continues or has
  /// ended. If it does not have the unit, it had not read the call, and the unit is started again.
  /// The unit of an earlier attempt under the same name, which was not released because its manager was lost, would be taken for this one.
  private func startOnce(_ properties: [BusStruct<String, Variant>]) async throws(BusError) -> String {
    let begin = ProcDirectory.now
    var isAccepted = false
    // The error of a start that the manager may have made.
    var loss: BusError?
    do throws(BusError) {
      return try await repeating { () async throws(BusError) in
        let owners = try await bus.owners(of: SystemdManagerInterface.name)
        let jobs = try await bus.signals(
          SystemdManagerInterface.jobRemoved, from: SystemdManagerInterface.name)
        if let known = loss {
          if let result = try await resultOfLostStart(in: jobs, before: owners) { return result }
          // Another manager does not know the programs that the former one has started.
          guard !isAccepted,
            await SystemdManagerInterface.isServed(on: bus, byProcessStartedBefore: begin)
          else {
            // An error that is not repeated; `loss` is thrown in its place.
            throw BusError(.failed, known.message)
          }
          loss = nil
        }
        do throws(BusError) {
          let job = try await bus.call(
            SystemdManagerInterface.startTransientUnit, at: SystemdManagerInterface.manager, name, "fail",
            properties, [])
          isAccepted = true
          return try await result(of: job, in: jobs, before: owners)
        } catch {
          if error.leavesOutcomeUnknown { loss = error }
          throw error
        }
      }
    } catch {
      throw loss ?? error
    }
  }

  /// Returns the result of the job of a start whose reply or result was lost; `nil` if the service manager does not have the unit.
  private func resultOfLostStart(
    in jobs: EndedJobs, before owners: AsyncStream<BusName?>
  ) async throws(BusError) -> String? {
    guard let unit = try await objectIfLoaded() else { return nil }
    let job = try await bus.get(SystemdManagerInterface.job, at: unit).members.1
    guard job == "/" else { return try await result(of: job, in: jobs, before: owners) }
    return try await hasEnded(unit) ? "failed" : "done"
  }

  private func result(
    of job: ObjectPath, in jobs: EndedJobs, before owners: AsyncStream<BusName?>
  ) async throws(BusError) -> String {
    try await first(of: jobs, before: owners, as: { $0.values.1 == job ? $0.values.3 : nil })
  }

  /// Returns whether the unit lost its command before it was executed.
  private func hasLostCommand() async -> Bool {
    let hasLost = try? await repeating { () async throws(BusError) in
      let unit = try await object()
      let loadState = try await bus.get(SystemdManagerInterface.loadState, at: unit)
      let process = try await bus.get(SystemdManagerInterface.execMainPID, at: unit)
      return loadState == "bad-setting" && process == 0
    }
    return hasLost ?? false
  }

  /// Waits for the program to exit and returns its status; `nil` if the status is lost, with the service manager or the bus.
  func exitStatus() async -> ExitStatus? {
    try? await repeating { () async throws(BusError) in
      let owners = try await bus.owners(of: SystemdManagerInterface.name)
      let unit = try await object()
      let changes = try await bus.signals(
        PropertiesInterface.propertiesChanged, from: SystemdManagerInterface.name, at: unit.path)
      if try await !hasEnded(unit) {
        _ = try await first(
          of: changes, before: owners, as: { _ in (try? await hasEnded(unit)) == true ? true : nil })
      }
      return try await takeStatus(unit)
    }
  }

  /// Makes calls, and makes them again when the service manager is back if it leaves the bus during them.
  ///
  /// It does so for a moment to execute itself again, as its upgrade and `daemon-reexec` request, and keeps its units.
  private func repeating<Value: Sendable>(
    _ calls: () async throws(BusError) -> Value
  ) async throws(BusError) -> Value {
    while true {
      do throws(BusError) { return try await calls() } catch {
        guard error.isOfAbsentProgram,
          await SystemdManagerInterface.becomesServed(on: bus, within: managerAbsence)
        else { throw error }
      }
      // A manager that was started anew, or on another bus, has no subscribers.
      try? await subscribe()
    }
  }

  /// Stops the unit; a unit that has ended already is not affected.
  func stop() async {
    _ = try? await repeating { () async throws(BusError) in
      try await bus.call(
        SystemdManagerInterface.stopUnit, at: SystemdManagerInterface.manager, name, "replace")
    }
  }

  /// Returns the first value that `find` extracts from `signals`.
  ///
  /// - Parameter owners: The owners of the service manager's name, followed since before the calls on which the signals depend.
  /// - Throws: `NoReply` if the service manager leaves the bus before.
  private func first<Value: Sendable, each Argument: BusConvertible>(
    of signals: AsyncStream<ReceivedSignal<repeat each Argument>>, before owners: AsyncStream<BusName?>,
    as find: @escaping @Sendable (ReceivedSignal<repeat each Argument>) async -> Value?
  ) async throws(BusError) -> Value {
    let first = await withTaskGroup(of: Value?.self) { group in
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
    guard let first else {
      throw BusError(.noReply, "the user manager disconnected while it started \(name)")
    }
    return first
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
    let hasEnded = try? await repeating { () async throws(BusError) in
      try await self.hasEnded(try await object())
    }
    return hasEnded == false
  }

  /// Returns the status of a program that has exited; `nil` if it is not known.
  func exitStatusNow() async -> ExitStatus? {
    let process = try? await repeating { () async throws(BusError) in
      try await mainProcess(of: try await object())
    }
    guard let (code, status) = process, code != 0 else { return nil }
    return code == 1 ? .exited(status) : .signalled(status)
  }

  /// Releases the reference to the unit, which AddRef has acquired.
  func release() async {
    try? await repeating { () async throws(BusError) in
      try await bus.call(SystemdManagerInterface.unrefUnit, at: SystemdManagerInterface.manager, name)
    }
  }

  private func object() async throws(BusError) -> RemoteObject {
    RemoteObject(
      SystemdManagerInterface.name,
      try await bus.call(SystemdManagerInterface.getUnit, at: SystemdManagerInterface.manager, name))
  }

  /// Returns the object of the unit; `nil` if the service manager does not have the unit.
  private func objectIfLoaded() async throws(BusError) -> RemoteObject? {
    do throws(BusError) {
      return try await object()
    } catch  where error.name == SystemdManagerInterface.noSuchUnit {
      return nil
    }
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

extension BusError {
  /// A Boolean value that is `true` if no program owned the name of the call, or its owner disconnected before it replied.
  fileprivate var isOfAbsentProgram: Bool {
    switch busFailure {
    case .serviceUnknown, .nameHasNoOwner, .notStarted, .exitedAtStart, .noReply: true
    default: false
    }
  }
}
