// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport

/// An application that Usher identifies by its program: a copy of gdbus, which calls `org.usher.Triggers1`.
struct IdentifiedApplication: Sendable {
  let id: String
  private let desk: InstalledDesktop
  private let program: String

  /// Installs an application.
  static func install(_ id: String = "org.example.Notes", on desk: InstalledDesktop) throws
    -> IdentifiedApplication
  {
    let program = "\(desk.desktop.bin)/\(id)"
    try FileManager.default.copyProgram(atPath: "/usr/bin/gdbus", toPath: program)
    try desk.desktop.installDesktopEntry(id, exec: "\(program) %u")
    return IdentifiedApplication(id: id, desk: desk, program: program)
  }

  /// Calls a method, by default for the application itself; `nil` for a method without that argument.
  @discardableResult
  func call(
    _ member: String, for application: String? = "", _ arguments: [String] = []
  ) async throws -> CommandResult {
    try await desk.run(
      program,
      [
        "call", "--session", "--timeout", "60", "--dest", "org.usher.Triggers1", "--object-path",
        "/org/usher/Triggers1", "--method", "org.usher.Triggers1.\(member)",
      ] + [application].compactMap(\.self) + arguments)
  }

  /// Requests the permission for notifications, and returns whether the user allows them.
  func requestAuthorization() async throws -> Bool {
    try await call("RequestAuthorization", ["['alert']"]).orThrow().output == "(true,)\n"
  }

  /// Returns the value of `authorization` in the settings.
  func authorization() async throws -> String? {
    let settings = try await call("NotificationSettings").orThrow().output
    return ["not-determined", "denied", "authorized"].first { settings.contains("<'\($0)'>") }
  }

  /// Adds a notification that is due after some seconds, or at once.
  @discardableResult
  func notify(_ title: String, after seconds: Double? = nil) async throws -> CommandResult {
    let trigger = seconds.map { ", 'trigger': <{'kind': <'interval'>, 'interval': <\($0)>}>" } ?? ""
    return try await call(
      "AddNotification", ["{'identifier': <'\(title)'>, 'content': <{'title': <'\(title)'>}>\(trigger)}"])
  }
}
