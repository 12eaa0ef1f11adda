import Foundation

/// Runs programs to their end.
///
/// ```swift
/// let result = try await Command.run("xdg-open", ["notes://note/7"], environment: desktop.environment)
/// #expect(result.succeeded, "\(result)")
/// ```
public enum Command {
  /// What a program may take before it is killed, unless the call says otherwise.
  ///
  /// Generous: a bound, not a wait.
  public static let defaultDeadline: Duration = .seconds(240)

  /// The folders in which programs are found where an environment has no `PATH`.
  public static let defaultPath = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"

  /// `PATH` and a UTF-8 locale, nothing of the tester's session.
  public static let bareEnvironment = ["PATH": defaultPath, "LANG": "C.UTF-8"]
    .merging(sanitizerOptions) { $1 }

  /// Where programs under a sanitizer write what they find, if the tester said so: every environment has it.
  static let sanitizerOptions = ProcessInfo.processInfo.environment.filter { $0.key == "TSAN_OPTIONS" }

  /// Runs `program` (a path, or a name in the `PATH` of `environment`) with exactly that environment until it ends.
  ///
  /// Children that it leaves behind are neither waited for nor ended. Past `deadline`, or when the task is
  /// cancelled, the program is killed with its process group. Throws only when it cannot be started.
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
}
