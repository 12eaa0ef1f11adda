// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// Tests of `usher explain --in-app`, with which the application names the scene for a link.
@Suite struct `An explanation from inside the application` {
  @Test func `uses an envelope that changes nothing`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.explaining.open()
      let result = try await desk.run(
        "usher",
        [
          "explain", "--skip-comparison", "--in-app", "--target-content-id", "note-7", "--source-application",
          "org.example.Chat", "served:1",
        ]
      ).orThrow()
      #expect(
        result.output.hasSuffix(
          """
            in org.example.Served:
              1. two scenes
              2. session-7 prefers it
              scene: session-7

          """), "\(result)")
      let call = try await application.next()
      #expect(call.method == "Explain")
      let envelope = try Envelope(call.entries)
      #expect(envelope.urls == ["served:1"] && envelope.application == ServedApplication.id)
      #expect(envelope.targetContentID == "note-7" && envelope.sourceApplication == "org.example.Chat")
      #expect(envelope.delivery == .running && call.entries["in-application"] == nil)
      // A query does not consume the token.
      try await desk.call(
        InstalledDesktop.broker, "Explain", "sa{sv}", "served:1", "2", "in-application", "b", "true",
        "activation-token",
        "s", "token"
      ).orThrow()
      #expect(try await Envelope(application.next().entries).activationToken == nil)
      let json = try await desk.run(
        "usher", ["explain", "--skip-comparison", "--in-app", "--json", "served:1"])
      let received = try PropertyList(json: json.output)
      #expect(received["scene"] == "session-7" && received["decision"] == "deliver", "\(json)")
      #expect(received["scene-steps"] == ["two scenes", "session-7 prefers it"])
      // Without the option the scene is not reported.
      let plain = try await desk.run("usher", ["explain", "--skip-comparison", "--json", "served:1"])
      #expect(try PropertyList(json: plain.output)["scene-steps"] == nil)
    }
  }

  @Test func `reports why there is none`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await BusApplication.install(.silent, .application1, on: desk)
      let absent = try await desk.usher("explain", "--skip-comparison", "--in-app", "mimic:1").orThrow()
      #expect(absent.output.contains("org.example.Mimic is not running"), "\(absent)")
      #expect(desk.processes(of: "\(desk.desktop.bin)/mimic-app").isEmpty)
      _ = try await ServedApplication.start(.standard, on: desk)
      let foreign = try await desk.usher("explain", "--skip-comparison", "--in-app", "served:1").orThrow()
      #expect(foreign.output.contains("does not accept envelopes"), "\(foreign)")
      let wrong = try await desk.call(
        InstalledDesktop.broker, "Explain", "sa{sv}", "served:1", "1", "in-application", "s", "yes")
      #expect(wrong.errorOutput.contains("in-application: the value has type s"), "\(wrong)")
    }
  }

  @Test func `waits two seconds for an application that hangs`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      let received = try await desk.usher("explain", "--skip-comparison", "--in-app", "served:1").orThrow()
      #expect(
        received.output.contains(
          "did not report within \(Int(2 * timeoutFactor)) s which scene would receive it"), "\(received)")
      #expect(try await application.next().method == "Explain")
      await application.explaining.open()
    }
  }
}
