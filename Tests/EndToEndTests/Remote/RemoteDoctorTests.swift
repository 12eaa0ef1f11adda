// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

/// The findings and notes of `usher doctor` about links across machines.
@Suite struct `usher doctor on machines` {
  private static func report(
    on desk: InstalledDesktop, _ variables: [String: String] = [:]
  ) async throws -> (findings: [PropertyList], notes: [String]) {
    let output = try await desk.run("usher", ["doctor", "--json"], adding: variables).output
    let report = try PropertyList(json: output)
    func about(_ key: String) -> [PropertyList] {
      (report[key]?.array ?? []).filter { $0["check"] == "remote" }
    }
    return (about("findings"), about("notes").compactMap { $0["message"]?.string })
  }

  @Test func `reports machines and containers whose links do nothing, with the command that helps`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      #expect(try await Self.report(on: desk).findings.isEmpty)
      #expect(try await Self.report(on: desk).notes.isEmpty)
      // A command that connects the machine again has a relay and no connection.
      let run = desk.desktop.runtimeDirectory
      try desk.desktop.write(
        "build.example.org\nada@build\nada\n-o\nHostKeyAlias=build.example.org\n",
        to: "run/usher/remote/build.example.org.host")
      let relay = try await RunningProgram.start(
        "\(BuiltProducts.directory)/usher-remote",
        ["build.example.org", "\(run)/usher/remote/build.example.org.sock"],
        environment: desk.desktop.environment)
      _ = try await relay.line { $0 == "ready" }
      // A killed relay leaves its socket behind.
      try FileManager.default.createDirectory(
        atPath: "\(run)/usher-container-fedora", withIntermediateDirectories: true)
      let container = try await RunningProgram.start(
        "\(BuiltProducts.directory)/usher-remote",
        ["container:fedora", "\(run)/usher-container-fedora/socket"], environment: desk.desktop.environment)
      _ = try await container.line { $0 == "ready" }
      container.kill()
      _ = await container.waitUntilExit()

      let findings = try await Self.report(on: desk).findings
      #expect(
        findings.map { $0["command"]?.string } == [
          "usher remote disconnect build.example.org && "
            + "usher remote connect -o HostKeyAlias=build.example.org ada@build",
          "systemctl --user restart usher-remote@fedora.service",
        ], "\(findings)")
      #expect(findings.allSatisfy { $0["message"]?.string?.contains("do nothing") == true }, "\(findings)")
      // The notification server has no buttons.
      let server = try await NotificationServer.start(on: desk, capabilities: "body")
      let notes = try await Self.report(on: desk, ["PATH": desk.desktop.bin]).notes
      #expect(notes.count == 1 && notes.first?.contains("apt install zenity") == true, "\(notes)")
      withExtendedLifetime(server) {}
      let list = try await desk.usher("remote", "list")
      #expect(
        list.output == """
          build.example.org  ada@build  (not connected at the moment)
          container:fedora  fedora  (not connected at the moment)

          """, "\(list)")
      relay.terminate()
      _ = await relay.waitUntilExit()
      // Without its relay, the command that has made the connection is gone.
      #expect(try await Self.report(on: desk).findings.count == 1)
    }
  }

  @Test func `says where links of a remote login lead`() async throws {
    try await InstalledDesktop.with { desk in
      let login = try await Self.report(on: desk, ["SSH_CONNECTION": "1 2 3 4"])
      #expect(login.findings.isEmpty && login.notes.first?.contains("usher ssh") == true, "\(login)")
      let rig = try await RemoteRig.start(on: desk)
      let reached = try await Self.report(
        on: desk, ["SSH_CONNECTION": "1 2 3 4", "USHER_SOCKET": rig.socket])
      #expect(reached.findings.isEmpty && reached.notes.isEmpty, "\(reached)")
      _ = await rig.end()
      let lost = try await Self.report(on: desk, ["USHER_SOCKET": rig.socket])
      #expect(lost.findings.first?["command"] == "unset USHER_SOCKET", "\(lost)")
    }
  }
}
