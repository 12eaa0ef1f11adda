// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// A desktop inside a real user manager, with a shell that runs the test's commands.
struct Session: Sendable {
  let desktop: ThrowAwayDesktop
  private let shell: RunningProgram

  /// Creates a session, runs `body`, and ends it; skips the test if no user manager is available.
  static func with(_ body: @Sendable (Session) async throws -> Void) async throws {
    let desktop = try ThrowAwayDesktop()
    try desktop.installUsher()
    try await with(on: desktop, body)
  }

  /// Creates a session of a desktop's user, runs `body`, and ends it, as a logout does.
  static func with(
    on desktop: ThrowAwayDesktop, _ body: @Sendable (Session) async throws -> Void
  ) async throws {
    if let reason = await UserManagerRig.unavailableReason() { try Test.cancel("\(reason)") }
    // A notification server of the machine cannot run without a display, and the bus would wait for it.
    try desktop.installActivation(NotificationsInterface.server.name.rawValue, exec: "/bin/false")
    try await Semaphore.userManagers.withPermit {
      let shell = try await UserManagerRig.start("sh", environment: desktop.environment)
      try await body(Session(desktop: desktop, shell: shell))
      shell.closeInput()
      _ = await shell.waitUntilExit()
    }
  }

  /// Runs a line of shell; returns its output, whose last line must end with a line break, and its exit status.
  @discardableResult
  func run(_ line: String) async throws -> (status: Int, lines: [String]) {
    shell.write("{ \(line)\n} </dev/null; echo \"done $?\"\n")
    var lines: [String] = []
    while true {
      let next: String
      do {
        next = try await shell.line()
      } catch {
        throw TestSupportError("\(line)\n\(lines.joined(separator: "\n"))\n\(error)")
      }
      if next.hasPrefix("done "), let status = Int(next.dropFirst(5)) { return (status, lines) }
      lines.append(next)
    }
  }

  /// Runs a line that must succeed.
  func must(_ line: String) async throws -> [String] {
    let (status, lines) = try await run(line)
    guard status == 0 else { throw TestSupportError("\(line): \(status): \(lines.joined(separator: "\n"))") }
    return lines
  }

  /// Runs a command as an application that the desktop started: in its own unit, named after `id`.
  ///
  /// The unit lasts as long as any of its processes, as systemd's guide for desktop environments requires. Otherwise
  /// systemd would kill the programs that a short-lived opener has started.
  @discardableResult
  func run(as id: String, _ command: String) async throws -> (status: Int, lines: [String]) {
    try await run(
      "systemd-run --user --quiet --collect --wait --pipe -p ExitType=cgroup --unit='app-\(id)@1.service' \(command)"
    )
  }
}
