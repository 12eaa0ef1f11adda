// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import TestSupport

/// A real dunst under Xvfb, on a desk's bus.
struct Dunst: Sendable {
  let desk: InstalledDesktop
  private let display: RunningProgram
  private let number: String
  private let configuration: String
  private let program: RunningProgram

  /// Starts Xvfb and dunst, and returns when dunst owns its name.
  ///
  /// - Parameter configuration: The path of its configuration file.
  static func start(on desk: InstalledDesktop, configuration: String = "/dev/null") async throws -> Dunst {
    let display = try await RunningProgram.start(
      "Xvfb", ["-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"])
    let number = try await display.line { !$0.isEmpty }
    return try await start(on: desk, display, number, configuration)
  }

  private static func start(
    on desk: InstalledDesktop, _ display: RunningProgram, _ number: String, _ configuration: String
  ) async throws -> Dunst {
    let program = try await RunningProgram.start(
      "dunst", ["-conf", configuration],
      environment: desk.desktop.environment.merging(["DISPLAY": ":\(number)"]) { $1 })
    try await desk.waitForOwner(of: "org.freedesktop.Notifications")
    return Dunst(desk: desk, display: display, number: number, configuration: configuration, program: program)
  }

  /// Kills dunst, and starts another one.
  func restart() async throws -> Dunst {
    program.kill()
    _ = await program.waitUntilExit()
    return try await Self.start(on: desk, display, number, configuration)
  }

  /// Returns how many notifications are on the screen.
  func displayed() async throws -> Int {
    Int(try await control("count", "displayed").trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
  }

  /// Waits until a number of notifications is on the screen.
  func waitUntilDisplayed(_ count: Int) async throws {
    try await withDeadline(Command.defaultDeadline, "\(count) notifications of dunst") {
      while try await displayed() != count { try await Task.sleep(for: .milliseconds(20)) }
    }
  }

  /// Performs the default action of the newest notification, as a click on it does.
  func click() async throws { try await control("action", "0") }

  /// Removes the newest notification, as the user does.
  func close() async throws { try await control("close") }

  @discardableResult
  private func control(_ arguments: String...) async throws -> String {
    try await desk.run("dunstctl", arguments).orThrow().output
  }
}
