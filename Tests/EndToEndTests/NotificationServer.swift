import DBus
import TestSupport

/// A notification server of python3-dbusmock on a desk's bus, and the person before it.
struct NotificationServer: Sendable {
  private let program: RunningProgram
  private let desk: Desk

  /// A notification that is shown.
  struct Notification: Sendable {
    let id: Int
    /// The line that the server wrote of the call.
    let text: String
  }

  /// Starts one, and returns when it has its name.
  static func start(on desk: Desk, capabilities: String = "body actions") async throws -> NotificationServer {
    let program = try await RunningProgram.start(
      "/usr/bin/python3",
      [
        "-u", "-m", "dbusmock", "--session", "--template", "notification_daemon", "-p",
        "{\"capabilities\": \"\(capabilities)\"}",
      ], environment: desk.desktop.environment)
    try await desk.waitForOwner(of: "org.freedesktop.Notifications")
    return NotificationServer(program: program, desk: desk)
  }

  /// Returns when the next notification is shown; the first one has the ID 1, and so on.
  func next(_ id: Int) async throws -> Notification {
    let line = try await program.line { $0.contains(" Notify ") }
    return Notification(id: id, text: line)
  }

  /// Presses the button of this number, from the left.
  func press(_ button: Int, of id: Int) async throws {
    try await emit("ActionInvoked", "us", "u", "\(id)", "s", "\(button)")
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

extension Desk {
  /// Returns when somebody owns `name`.
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
