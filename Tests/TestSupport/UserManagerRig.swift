import Foundation

/// A real `systemd --user` with a session bus of its own, headless, for the time of one command.
///
/// It needs root, cgroup2 and namespaces. Where that is not to be had, `unavailableReason` says why; a test then
/// skips with it:
///
/// ```swift
/// @Test func sourceIsVerified() async throws {
///   if let reason = await UserManagerRig.unavailableReason() { try Test.cancel("\(reason)") }
///   let result = try await UserManagerRig.run("sh", ["-c", "systemd-run --user …"], environment: desktop.environment)
/// ```
///
/// Inside, `XDG_RUNTIME_DIR` and `DBUS_SESSION_BUS_ADDRESS` are the rig's own and processes have other numbers; the
/// files of the desktop, sockets of recorders included, are the same as outside.
public enum UserManagerRig {
  /// The script that makes the rig.
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

  /// Why there can be no rig on this machine, or `nil` when there can.
  ///
  /// Tried once a test run.
  public static func unavailableReason() async -> String? { await probe.value }

  /// Runs a command inside a rig of its own and returns what the command did.
  public static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String],
    input: String = "", deadline: Duration = Command.defaultDeadline
  ) async throws(TestSupportError) -> CommandResult {
    try await Seats.ofUserManagers.sit { () throws(TestSupportError) in
      try await Command.run(
        script, [program] + arguments, environment: environment, input: input, deadline: deadline)
    }
  }

  /// Starts a command inside a rig of its own, such as a shell that is told by its standard input what to do.
  ///
  /// The rig goes when the command ends, or when nobody holds the program any more; for that long the caller
  /// keeps one of `Seats.ofUserManagers`.
  public static func start(
    _ program: String, _ arguments: [String] = [], environment: [String: String]
  ) async throws(TestSupportError) -> RunningProgram {
    try await RunningProgram.start(script, [program] + arguments, environment: environment)
  }
}
