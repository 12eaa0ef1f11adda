import Foundation
import TestSupport
import Testing

/// A session bus whose policy lets other users in: the broker does not.
@Suite struct `Another user` {
  private static let nobody: UInt32 = 65_534

  @Test func `is refused, whatever it asks, and nothing is opened`() async throws {
    guard getuid() == 0 else { try Test.cancel("only root can be two users") }
    let desktop = try ThrowAwayDesktop()
    for folder in [desktop.root, desktop.runtimeDirectory] {
      try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: folder)
    }
    try desktop.installUsher()
    let player = try Recorder("player", in: desktop)
    try desktop.installDesktopEntry("org.example.Player", exec: "\(player.path) %u", schemes: ["play"])
    try desktop.setDefaults(["play": ["org.usher.Handler", "org.example.Player"]])
    let bus = try await PrivateBus.start(in: desktop, letsOthersIn: true)
    @Sendable func call(as user: UInt32, _ place: [String], _ words: [String]) async throws -> CommandResult {
      try await Command.run(
        "setpriv",
        ["--reuid=\(user)", "--clear-groups", "busctl", "--address=\(bus.address)", "call"] + place + words,
        environment: desktop.environment)
    }
    for (place, words) in [
      (Desk.broker, ["Open", "asa{sv}", "1", "play:1", "0"]), (Desk.broker, ["CanOpen", "s", "play:1"]),
      (Desk.broker, ["Explain", "sa{sv}", "play:1", "0"]), (Desk.broker, ["Cancel", "s", "1"]),
      (Desk.broker, ["History", "a{sv}", "0"]), (Desk.broker, ["Status"]),
      (Desk.handler, ["Open", "asa{sv}", "1", "play:1", "0"]),
    ] {
      let refused = try await call(as: Self.nobody, place, words)
      #expect(
        refused.errorOutput.contains("Access denied"), "\(words): \(refused)")
    }
    // It stands first in the queue if anything was.
    try await call(as: 0, Desk.broker, ["Open", "asa{sv}", "1", "play:2", "0"]).orThrow()
    #expect(try await player.nextStart().arguments == ["play:2"])
    await bus.stop()
    desktop.endProcesses()
  }
}
