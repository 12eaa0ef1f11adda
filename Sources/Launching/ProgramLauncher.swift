public import DBus
import Freedesktop
import Glibc
public import Systemd

/// Starts programs: as a unit of the user manager where one answers, otherwise as our own child.
///
/// Either way the program gets no descriptor of ours, a session of its own and no shell; launched as a unit
/// it also outlives us, has its own cgroup, and its unit's name tells others who it is.
public actor ProgramLauncher {
  private nonisolated let loop: EventLoop
  private let bus: BusConnection?
  private nonisolated let timeout: Duration?
  private let encodedExecutor: String?
  private var isSubscribed = false
  /// The loop it lives on.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// A launcher that looks for the user manager on `bus`.
  ///
  /// - Parameters:
  ///   - patience: for whoever is confined, so that children would be as well: how long to wait for a user manager that
  ///     is not there, as while it executes itself anew; `nil` starts a child in its place.
  ///   - encodedExecutor: the program that becomes the one that `EncodedArguments` after its `--exec` say, for
  ///     arguments that are not UTF-8, which D-Bus cannot carry to the user manager.
  public init(
    bus: BusConnection?, on loop: EventLoop, waitingForManager timeout: Duration? = nil,
    encodedExecutor: String? = nil
  ) {
    self.bus = bus
    self.encodedExecutor = encodedExecutor
    self.loop = loop
    self.timeout = timeout
  }

  /// Starts a program; returns once it has been executed.
  ///
  /// - Throws: `LaunchError` when it was not executed, and, as `isUncertain`, when nobody can know.
  public func start(_ launch: Launch) async throws(LaunchError) -> LaunchedProgram {
    if let bus, await Self.hasUserManager(bus) { return try await startUnit(launch, bus) }
    guard let timeout else { return try await startChild(launch) }
    if let bus, await managerComes(bus, within: timeout) { return try await startUnit(launch, bus) }
    throw LaunchError(
      launch.executable,
      "the user manager does not answer on the bus, and this broker is its unit and starts nothing by itself; try "
        + "again, or see “systemctl --user status”")
  }

  /// Whether a user manager is there that could start units.
  public func hasUserManager() async -> Bool {
    guard let bus else { return false }
    return await Self.hasUserManager(bus)
  }

  private static func hasUserManager(_ bus: BusConnection) async -> Bool {
    ((try? await bus.owner(of: SystemdManagerInterface.name)) ?? nil) != nil
  }

  private nonisolated func managerComes(_ bus: BusConnection, within timeout: Duration) async -> Bool {
    guard let owners = try? await bus.owners(of: SystemdManagerInterface.name) else { return false }
    return await withTaskGroup { [loop] group in
      group.addTask { await owners.contains { $0 != nil } }
      group.addTask {
        try? await loop.sleep(for: timeout)
        return false
      }
      let came = await group.next() ?? false
      group.cancelAll()
      return came
    }
  }

  /// The environment that the user manager gives to programs; empty when there is none, or it does not answer within two
  /// seconds.
  public static func managerEnvironment(_ bus: BusConnection) async -> [String: String] {
    let variables =
      (try? await bus.get(
        SystemdManagerInterface.environment, at: SystemdManagerInterface.manager, timeout: .seconds(2),
        autoStart: false))
    return LaunchEnvironment.variables(variables ?? [])
  }

  /// Starts a child beside the loop: until its program is executed, which may be on a disk that does not answer, the thread that starts it
  /// stands still.
  private func startChild(_ launch: Launch) async throws(LaunchError) -> LaunchedProgram {
    let loop = loop
    return try await withCheckedContinuation { continuation in
      let start = { @Sendable in continuation.resume(returning: Self.child(of: launch, on: loop)) }
      if !DetachedThread.run(start) { start() }
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
      if !isSubscribed {
        // Without it the manager sends no JobRemoved.
        try await bus.call(SystemdManagerInterface.subscribe, at: SystemdManagerInterface.manager)
        isSubscribed = true
      }
      let unit = TransientUnit(
        name: UnitName.service(for: launch.application, random: .random(in: 1...UInt64.max)), bus: bus)
      try await unit.start(launch, arguments)
      // Watched from now on, whoever asks: the unit is kept for us until its status was taken.
      let end = loop.start { await unit.exitStatus() }
      return LaunchedProgram(
        "systemd unit \(unit.name)", stop: { await unit.stop() }, end: { await end.value })
    } catch {
      let isUncertain = [.timeout, .noReply, .disconnected].contains(error.name)
      throw LaunchError(program, error.message, isUncertain: isUncertain)
    }
  }

  /// What the user manager executes for `launch`: text, because it comes over D-Bus.
  private func unitArguments(of launch: Launch) throws(LaunchError) -> [String] {
    let texts = launch.arguments.compactMap(\.text)
    guard texts.count < launch.arguments.count else { return texts }
    guard let encodedExecutor else {
      throw LaunchError(
        launch.executable,
        "an argument is not UTF-8, and the user manager is asked over D-Bus, which carries text alone")
    }
    return [encodedExecutor, "--exec"] + EncodedArguments.encode(launch.arguments.map(\.bytes))
  }
}

extension Launch {
  /// The home directory, or the root where it is not there.
  private static func home(_ environment: [String: String]) -> String {
    guard let home = environment["HOME"], access(home, X_OK) == 0 else { return "/" }
    return home
  }

  /// The launch as a child of ours, with `environment` under the launch's own variables.
  public func program(environment: [String: String]) -> ProcessConfiguration {
    var start = ProcessConfiguration(
      executable: executable, arguments: arguments.map(\.bytes),
      environment: environment.merging(variables) { $1 },
      workingDirectory: workingDirectory ?? Self.home(environment))
    start.output = output?.rawValue
    start.isMute = output != nil
    return start
  }
}
