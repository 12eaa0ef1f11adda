// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A real `systemd --user` with its own session bus, headless, for the duration of one command.
///
/// It needs root, cgroup2 and namespaces. If these are unavailable, `unavailableReason` returns the reason, with which a
/// test is skipped:
///
/// ```swift
/// @Test func sourceIsVerified() async throws {
///   if let reason = await UserManagerRig.unavailableReason() { try Test.cancel("\(reason)") }
///   let result = try await UserManagerRig.run("sh", ["-c", "systemd-run --user …"], environment: desktop.environment)
/// ```
///
/// Inside, `XDG_RUNTIME_DIR` and `DBUS_SESSION_BUS_ADDRESS` are the rig's own, and process IDs differ. The files of the
/// desktop, including sockets of recorders, are equal to those outside.
public enum UserManagerRig {
  /// The script that creates the rig.
  public static var script: String { "\(BuiltProducts.repository)/scripts/with-user-manager" }

  private static let probe = Task<String?, Never> {
    do throws(TestSupportError) {
      let result = try await Command.run(script, ["true"])
      if result.succeeded { return nil }
      let said = result.errorOutput.trimmingCharacters(in: .whitespacesAndNewlines)
      return said.isEmpty ? "no user manager here: \(result.ending)" : said
    } catch {
      return error.description
    }
  }

  /// Returns the reason why this machine cannot run a rig; `nil` if it can.
  ///
  /// Tried once in a test run.
  public static func unavailableReason() async -> String? { await probe.value }

  /// Runs a command inside its own rig, and returns the result of the command.
  public static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String],
    input: String = "", deadline: Duration = Command.defaultDeadline
  ) async throws(TestSupportError) -> CommandResult {
    try await Semaphore.userManagers.withPermit { () throws(TestSupportError) in
      try await Command.run(
        script, [program] + arguments, environment: environment, input: input, deadline: deadline)
    }
  }

  /// Starts a command inside its own rig, such as a shell that receives commands on its standard input.
  ///
  /// The rig ends when the command exits, or when the program object is released; until then the caller occupies one of
  /// `Semaphore.userManagers`.
  public static func start(
    _ program: String, _ arguments: [String] = [], environment: [String: String]
  ) async throws(TestSupportError) -> RunningProgram {
    try await RunningProgram.start(script, [program] + arguments, environment: environment)
  }
}
