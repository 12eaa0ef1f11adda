// SPDX-License-Identifier: Apache-2.0
import DBus
import Glibc
import Synchronization
import TestSupport

/// A notification server of python3-dbusmock on a desk's bus, with simulated actions of the user.
final class NotificationServer: Sendable {
  private let program: RunningProgram
  private let desk: InstalledDesktop
  private let shown = Mutex(Shown())

  /// The lines of the server's log about the notifications.
  private struct Shown {
    /// The part of the keys of the actions that is the same in one notification, by the number of the notification.
    var secrets: [Int: String] = [:]
    /// The lines of the last notification after the first one.
    var lines: [String] = []
  }

  /// A displayed notification.
  struct Notification: Sendable {
    let id: Int
    /// The server's log line about the call.
    let text: String
  }

  /// Starts a server, and returns when it replies to calls, which may be long after it owns its name.
  static func start(on desk: InstalledDesktop, capabilities: String = "body actions") async throws
    -> NotificationServer
  {
    let name: BusName = "org.freedesktop.Notifications"
    let connection = try await desk.connect()
    let former = try await connection.owner(of: name)
    await connection.close()
    let program = try await RunningProgram.start(
      "/usr/bin/python3",
      [
        "-u", "-m", "dbusmock", "--session", "--template", "notification_daemon", "-p",
        "{\"capabilities\": \"\(capabilities)\"}",
      ], environment: desk.desktop.environment)
    try await desk.waitForOwner(of: name, after: former)
    try await desk.call(
      [name.rawValue, "/org/freedesktop/Notifications", name.rawValue],
      "GetServerInformation"
    ).orThrow()
    return NotificationServer(program, on: desk)
  }

  /// A line of shell that waits until the server that owns the name replies to calls.
  ///
  /// The mock owns its name before it has read its template. A broker that asks meanwhile waits five seconds and then shows no prompt.
  static let waitForReply =
    "gdbus call --session --timeout 240 --dest org.freedesktop.Notifications "
    + "--object-path /org/freedesktop/Notifications --method org.freedesktop.Notifications.GetServerInformation >/dev/null"

  private init(_ program: RunningProgram, on desk: InstalledDesktop) {
    self.program = program
    self.desk = desk
  }

  /// Waits for the next notification; the first one has the ID 1, and so on.
  func next(_ id: Int) async throws -> Notification {
    var lines = [try await program.line { $0.contains(" Notify ") }]
    // A text may have several lines. The last argument is a number after the dictionary of the hints.
    while lines.last?.firstMatch(of: /\] \{.*\} -?\d+$/) == nil {
      lines.append(try await program.line { _ in true })
    }
    let text = lines.joined(separator: "\n")
    let secret = text.firstMatch(of: /"([0-9a-f]{32})-0"/)?.output.1
    shown.withLock { $0 = Shown(secrets: $0.secrets, lines: Array(lines.dropFirst())) }
    shown.withLock { $0.secrets[id] = secret.map(String.init) }
    return Notification(id: id, text: text)
  }

  /// Waits for a line of a notification's text that contains `words`.
  func line(with words: String) async throws -> String {
    if let line = shown.withLock({ $0.lines.first { $0.contains(words) } }) { return line }
    return try await program.line { $0.contains(words) }
  }

  /// Presses the button with this index, from the left.
  func press(_ button: Int, of id: Int) async throws {
    guard let secret = shown.withLock({ $0.secrets[id] }) else {
      throw TestSupportError("the notification \(id) has no buttons, or was not awaited")
    }
    try await emit("ActionInvoked", "us", "u", "\(id)", "s", "\(secret)-\(button)")
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

  /// Waits until the program that shows a notification closes it.
  func waitForClose(of id: Int) async throws {
    _ = try await program.line { $0.hasSuffix(" CloseNotification \(id)") }
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
    try await wait(for: name, "the owner of \(name)") { $0 != nil }
  }

  /// Waits until `name` has an owner other than `former`, whose name it may take over.
  func waitForOwner(of name: BusName, after former: BusName?) async throws {
    try await wait(for: name, "a new owner of \(name)") { $0 != nil && $0 != former }
  }

  private func wait(
    for name: BusName, _ what: String, until isExpected: @escaping @Sendable (BusName?) -> Bool
  ) async throws {
    let connection = try await connect()
    let owners = try await connection.owners(of: name)
    let found = try await withDeadline(Command.defaultDeadline, what) {
      await owners.first(where: isExpected)
    }
    guard found != nil else { throw TestSupportError("\(what) does not come") }
    await connection.close()
  }
}
