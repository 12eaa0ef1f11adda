// SPDX-License-Identifier: Apache-2.0
import DBus
import Glibc
import TestSupport

/// A notification server of python3-dbusmock on a desk's bus, with simulated actions of the user.
struct NotificationServer: Sendable {
  private let program: RunningProgram
  private let desk: InstalledDesktop

  /// A displayed notification.
  struct Notification: Sendable {
    let id: Int
    /// The server's log line about the call.
    let text: String
  }

  /// Starts a server, and returns when it owns its name.
  static func start(on desk: InstalledDesktop, capabilities: String = "body actions") async throws
    -> NotificationServer
  {
    let program = try await RunningProgram.start(
      "/usr/bin/python3",
      [
        "-u", "-m", "dbusmock", "--session", "--template", "notification_daemon", "-p",
        "{\"capabilities\": \"\(capabilities)\"}",
      ], environment: desk.desktop.environment)
    try await desk.waitForOwner(of: "org.freedesktop.Notifications")
    return NotificationServer(program: program, desk: desk)
  }

  /// Waits for the next notification; the first one has the ID 1, and so on.
  func next(_ id: Int) async throws -> Notification {
    let line = try await program.line { $0.contains(" Notify ") }
    return Notification(id: id, text: line)
  }

  /// Waits for a line of a notification's text that contains `words`.
  func line(with words: String) async throws -> String { try await program.line { $0.contains(words) } }

  /// Presses the button with this index, from the left.
  func press(_ button: Int, of id: Int) async throws {
    try await emit("ActionInvoked", "us", "u", "\(id)", "s", "\(button)")
  }

  /// Chooses the action with this key.
  func invoke(_ key: String, of id: Int) async throws {
    try await emit("ActionInvoked", "us", "u", "\(id)", "s", key)
  }

  /// Enters a text, as KDE's server reports it.
  func reply(_ text: String, to id: Int) async throws {
    try await emit("NotificationReplied", "us", "u", "\(id)", "s", text)
  }

  /// Waits until the server has answered all earlier calls.
  func ping() async throws {
    try await desk.run(
      "busctl",
      [
        "--user", "call", "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
        "org.freedesktop.Notifications", "GetServerInformation",
      ]
    ).orThrow()
  }

  /// Exits without closing any notification.
  func vanish() async throws {
    program.kill()
    _ = await program.waitUntilExit()
  }

  /// Issues an activation token for the next button, as a server of a Wayland desktop does.
  func issueToken(_ token: String, for id: Int) async throws {
    try await emit("ActivationToken", "us", "u", "\(id)", "s", token)
  }

  /// Closes the notification without an answer.
  func close(_ id: Int) async throws { try await emit("NotificationClosed", "uu", "u", "\(id)", "u", "2") }

  private func emit(_ signal: String, _ signature: String, _ values: String...) async throws {
    try await desk.run(
      "busctl",
      [
        "--user", "call", "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
        "org.freedesktop.DBus.Mock", "EmitSignal", "sssav", "org.freedesktop.Notifications", signal,
        signature,
        "\(values.count / 2)",
      ] + values
    ).orThrow()
  }
}

extension InstalledDesktop {
  /// Waits until `name` has an owner, or `program`, which should acquire it, has exited.
  func waitForOwner(of name: BusName, orExitOf program: RunningProgram) async throws {
    let connection = try await connect()
    try await withDeadline(Command.defaultDeadline, "the owner of \(name)") {
      while try await connection.owner(of: name) == nil, kill(program.processIdentifier, 0) == 0 {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    await connection.close()
  }

  /// Waits until `name` has an owner.
  func waitForOwner(of name: BusName) async throws {
    let connection = try await connect()
    let owners = try await connection.owners(of: name)
    let found = try await withDeadline(Command.defaultDeadline, "the owner of \(name)") {
      await owners.first { $0 != nil }
    }
    guard found != nil else { throw TestSupportError("nobody takes \(name)") }
    await connection.close()
  }
}
