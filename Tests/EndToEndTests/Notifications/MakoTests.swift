// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// Notifications with a real server that issues activation tokens, mako on sway without a screen.
///
/// `scripts/bootstrap examples` installs both; without them the test is skipped.
@Suite struct `With mako, a notification` {
  @Test func `hands the activation token of a click to the application, and has none without a click`()
    async throws
  {
    guard try await Command.run("sh", ["-c", "command -v sway swaymsg mako makoctl"]).succeeded else {
      try Test.cancel("sway or mako is not installed")
    }
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let compositor = try await Compositor.start(on: desk)
      let mako = try await RunningProgram.start(
        "mako", ["-c", try desk.desktop.write("default-timeout=0\n", to: "mako")],
        environment: desk.desktop.environment.merging(compositor.session) { $1 })
      try await desk.waitForOwner(of: "org.freedesktop.Notifications")
      let daemon = try await TriggerDaemon(on: desk)
      func response(to identifier: String) async throws -> Envelope {
        let envelope = try await application.nextEnvelope()
        #expect(envelope.payload?["identifier"]?.string == identifier)
        #expect(envelope.payload?["action-identifier"] == "default")
        return envelope
      }
      func show(_ identifier: String) async throws {
        try await daemon.add(#"{"identifier": "\#(identifier)", "content": {"title": "T"}}"#)
        #expect(try await application.nextEnvelope().payload?["action-identifier"] == nil)
        try await withDeadline(Command.defaultDeadline, "the notification of mako") {
          while try await !desk.run("makoctl", ["list"]).orThrow().output.contains("\"T\"") {
            try await Task.sleep(for: .milliseconds(20))
          }
        }
      }
      // The command acts without an input event, for which the compositor issues no token.
      try await show("command")
      try await desk.run("makoctl", ["invoke"]).orThrow()
      #expect(try await response(to: "command").activationToken == nil)
      try await daemon.waitUntilDelivered([])
      try await show("click")
      let pointer = try await compositor.startClicking(x: 1_120, y: 25)
      let token = try #require(try await response(to: "click").activationToken)
      #expect(token.utf8.count >= 16, "\(token)")
      pointer.terminate()
      try await daemon.waitUntilDelivered([])
      #expect(try await !desk.run("makoctl", ["list"]).orThrow().output.contains("\"T\""))
      mako.terminate()
    }
  }
}
