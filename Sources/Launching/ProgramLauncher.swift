// SPDX-License-Identifier: Apache-2.0
public import DBus
import Freedesktop
import Glibc
public import Systemd

/// A launcher of programs, as units of the user's service manager if it is available, otherwise as child processes.
///
/// In both cases the program inherits no descriptor, has a session of its own, and is started without a shell. As a
/// unit it also outlives this process, has its own control group, and is identified by its unit name.
public actor ProgramLauncher {
  private nonisolated let loop: EventLoop
  private let bus: BusConnection?
  private nonisolated let timeout: Duration?
  private let encodedExecutor: String?
  private let managerAbsence: Duration
  private let runThread: @Sendable (@escaping @Sendable () -> Void) -> Bool
  /// The looks at the files of programs that could not be executed, which may be on a disk that does not respond.
  nonisolated let looks: BlockingCallPool
  /// The event loop that runs the actor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Creates a launcher that uses the service manager on `bus`.
  ///
  /// - Parameters:
  ///   - timeout: The time to wait for an absent service manager, which may be re-executing itself; afterwards the
  ///     start fails. `nil` starts a child process instead. Set it in a confined process, whose child processes would
  ///     be confined too.
  ///   - encodedExecutor: The program that executes the `EncodedArguments` after its `--exec`. It is used for arguments
  ///     that are not UTF-8, which D-Bus cannot carry to the service manager.
  public init(
    bus: BusConnection?, on loop: EventLoop, waitingForManager timeout: Duration? = nil,
    encodedExecutor: String? = nil
  ) {
    self.init(
      bus: bus, on: loop, waitingForManager: timeout, encodedExecutor: encodedExecutor,
      runThread: DetachedThread.run)
  }

  /// Creates a launcher with the function that runs another one on a new thread, and returns whether there is one.
  ///
  /// - Parameter managerAbsence: The longest time for which the service manager leaves the bus during a start.
  init(
    bus: BusConnection?, on loop: EventLoop, waitingForManager timeout: Duration? = nil,
    encodedExecutor: String? = nil, managerAbsence: Duration = TransientUnit.managerAbsence,
    runThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool
  ) {
    self.bus = bus
    self.managerAbsence = managerAbsence
    self.runThread = runThread
    self.encodedExecutor = encodedExecutor
    self.loop = loop
    self.timeout = timeout
    looks = BlockingCallPool(on: loop, timeout: .seconds(2), capacity: 16)
  }

  /// Starts a program, and returns after it has been executed.
  ///
  /// - Throws: `LaunchError` if it was not executed, with `isUncertain` if that cannot be determined.
  public func start(_ launch: Launch) async throws(LaunchError) -> LaunchedProgram {
    if let bus, await SystemdManagerInterface.isServed(on: bus) { return try await startUnit(launch, bus) }
    guard let timeout else { return try await startChild(launch) }
    if let bus, await SystemdManagerInterface.becomesServed(on: bus, within: timeout) {
      return try await startUnit(launch, bus)
    }
    throw LaunchError(
      launch.executable,
      "systemd's user manager does not reply on the bus, and the broker, which is one of its units, cannot start programs without it; "
        + "to see its state, run: systemctl --user status")
  }

  /// Returns whether a service manager is available to start units.
  public func hasUserManager() async -> Bool {
    guard let bus else { return false }
    return await SystemdManagerInterface.isServed(on: bus)
  }

  /// Returns the service manager's environment for programs; empty if it is absent or does not reply within two seconds.
  public static func managerEnvironment(_ bus: BusConnection) async -> [String: String] {
    let variables =
      (try? await bus.get(
        SystemdManagerInterface.environment, at: SystemdManagerInterface.manager, timeout: .seconds(2),
        autoStart: false))
    return LaunchEnvironment.variables((variables ?? []).map { Array($0.utf8) })
  }

  /// Starts a child process on a detached thread.
  ///
  /// The thread that starts a process blocks until its program is executed, which may be on a disk that does not
  /// respond.
  private func startChild(_ launch: Launch) async throws(LaunchError) -> LaunchedProgram {
    let (loop, run) = (loop, runThread)
    return try await withCheckedContinuation { continuation in
      let isStarted = run { continuation.resume(returning: Self.child(of: launch, on: loop)) }
      guard !isStarted else { return }
      continuation.resume(
        returning: .failure(
          LaunchError(
            launch.executable,
            "the system permits no further thread (ulimit -u, or TasksMax= of the unit)")))
    }.get()
  }

  private static func child(of launch: Launch, on loop: EventLoop) -> Result<LaunchedProgram, LaunchError> {
    let program = launch.program(environment: LaunchEnvironment.own())
    do throws(SystemdError) {
      let child = try ChildProcess(program, on: loop)
      return .success(
        LaunchedProgram(
          "process \(child.handle.pid)", stop: { try? child.handle.send(signal: SIGTERM) },
          end: { await child.exitStatus() }))
    } catch {
      return .failure(LaunchError(program, error))
    }
  }

  private func startUnit(_ launch: Launch, _ bus: BusConnection) async throws(LaunchError) -> LaunchedProgram
  {
    let program = launch.executable
    let arguments = try unitArguments(of: launch)
    do throws(BusError) {
      let unit = TransientUnit(
        name: UnitName.service(for: launch.application, random: .random(in: 1...UInt64.max)), bus: bus,
        managerAbsence: managerAbsence)
      try await unit.start(launch, arguments, lookingBy: looks)
      // The status is awaited immediately, because the service manager retains the unit until its reference is
      // released.
      let end = loop.start { await unit.exitStatus() }
      return LaunchedProgram(
        "systemd unit \(unit.name)", stop: { await unit.stop() }, end: { await end.value })
    } catch {
      throw LaunchError(program, error.message, isUncertain: error.leavesOutcomeUnknown)
    }
  }

  /// Returns the arguments that the service manager executes for `launch`, as text because D-Bus carries only UTF-8.
  private func unitArguments(of launch: Launch) throws(LaunchError) -> [String] {
    let texts = launch.arguments.compactMap(\.text)
    guard texts.count < launch.arguments.count else { return texts }
    guard let encodedExecutor else {
      throw LaunchError(
        launch.executable,
        "an argument is not UTF-8, but D-Bus messages to the user manager can carry only UTF-8")
    }
    return [encodedExecutor, "--exec"] + EncodedArguments.encode(launch.arguments.map(\.bytes))
  }
}

extension Launch {
  /// Returns the home directory, or the root directory if it is not accessible.
  private static func home(_ environment: [String: String]) -> String {
    guard let home = environment["HOME"], access(home, X_OK) == 0 else { return "/" }
    return home
  }

  /// Returns the configuration of a child process, with `environment` overridden by the session and the launch's own variables.
  public func program(environment: [String: String]) -> ProcessConfiguration {
    var start = ProcessConfiguration(
      executable: executable, arguments: arguments.map(\.bytes),
      environment: session.applied(to: environment).merging(variables) { $1 },
      workingDirectory: workingDirectory ?? Self.home(environment))
    start.output = output?.rawValue
    start.isMute = output != nil
    return start
  }
}
