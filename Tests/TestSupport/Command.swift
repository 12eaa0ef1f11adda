// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A runner of programs that waits for their exit.
///
/// ```swift
/// let result = try await Command.run("xdg-open", ["notes://note/7"], environment: desktop.environment)
/// #expect(result.succeeded, "\(result)")
/// ```
public enum Command {
  /// The default time after which a program is killed.
  ///
  /// It is generous, because it limits a failure and delays no successful test.
  public static let defaultDeadline: Duration = .seconds(240)

  /// The instant at which a wait that begins now fails: after ``defaultDeadline``, multiplied by ``timeoutFactor``.
  public static var deadlineFromNow: ContinuousClock.Instant { .now + defaultDeadline * timeoutFactor }

  /// The directories of programs for an environment without `PATH`.
  public static let defaultPath = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"

  /// `PATH` and a UTF-8 locale, without any variable of the tester's session.
  public static let bareEnvironment = ["PATH": defaultPath, "LANG": "C.UTF-8"]
    .merging(inherited) { $1 }

  /// The variables of the tester that every environment contains: the sanitizer's options, and those for a loaded machine, where busctl and
  /// others must not give up a call after the 25 s of sd-bus.
  static let inherited = ProcessInfo.processInfo.environment.filter { variable, _ in
    variable == "TSAN_OPTIONS"
      || timeoutFactor != 1 && ["USHER_TEST_TIMEOUT_FACTOR", "SYSTEMD_BUS_TIMEOUT"].contains(variable)
  }

  /// Runs `program` (a path, or a name in the `PATH` of `environment`) with exactly that environment until it exits.
  ///
  /// Its remaining children are neither awaited nor terminated. At the deadline, or if the task is cancelled, the program
  /// is killed with its process group. Throws only if the program cannot be started.
  public static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = bareEnvironment,
    directory: String? = nil, input: String = "", deadline: Duration = defaultDeadline
  ) async throws(TestSupportError) -> CommandResult {
    let running = try await RunningProgram.start(
      ProgramLaunch(
        program: program, arguments: arguments, environment: environment, directory: directory,
        input: .bytes(Array(input.utf8)), deadline: deadline))
    return await running.waitUntilExit()
  }

  /// Runs `program` as ``run(_:_:environment:directory:input:deadline:)`` does, and blocks the current thread until it exits.
  ///
  /// For tests that are not asynchronous. Foundation's `Process` crashes in a process with more than some 1,300 open files: it copies
  /// whole `dirent` structures of `/proc/self/fd`, and reads beyond the end of the buffer of `readdir`.
  public static func runSynchronously(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = bareEnvironment,
    directory: String? = nil, deadline: Duration = defaultDeadline
  ) throws(TestSupportError) -> CommandResult {
    try ProgramThread.run(
      ProgramLaunch(
        program: program, arguments: arguments, environment: environment, directory: directory,
        deadline: deadline
      ))
  }
}
