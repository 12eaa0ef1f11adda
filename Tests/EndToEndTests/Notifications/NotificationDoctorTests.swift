// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// The findings and notes of `usher doctor` about notifications.
@Suite struct `usher doctor on notifications` {
  private struct Report {
    let findings: [PropertyList]
    let notes: [String]

    init(on desk: InstalledDesktop) async throws {
      let report = try PropertyList(json: try await desk.usher("doctor", "--json").output)
      findings = (report["findings"]?.array ?? []).filter { $0["check"] == "notifications" }
      notes = (report["notes"]?.array ?? []).filter { $0["check"] == "notifications" }
        .compactMap { $0["message"]?.string }
    }

    /// The command of the only finding whose message contains these words.
    func command(_ words: String) throws -> String? {
      try #require(
        findings.count == 1 && findings[0]["message"]?.string?.contains(words) == true, "\(findings)")
      return findings[0]["command"]?.string
    }
  }

  private static let id = ServedApplication.id

  @Test func `reports nothing before the first one, and then a missing server and its limits`() async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.installDesktopEntry(Self.id, exec: "/bin/true")
      let before = try await Report(on: desk)
      #expect(before.findings.isEmpty && before.notes.isEmpty, "\(before)")
      try await desk.usher("notify", Self.id, "--title", "T", "--in", "1h").orThrow()
      try desk.desktop.installScript("dunst", "#!/bin/sh\n")
      let names = try await desk.run("busctl", ["--user", "list", "--activatable"]).orThrow().output
      if names.contains("org.freedesktop.Notifications") {
        // A server that is installed on this machine is started for the first notification.
        #expect(try await Report(on: desk).findings.isEmpty)
      } else {
        #expect(try await Report(on: desk).command("no notification server") == "dunst &")
      }
      let server = try await NotificationServer.start(on: desk, capabilities: "body persistence inline-reply")
      let limited = try await Report(on: desk)
      #expect(limited.findings.isEmpty, "\(limited)")
      #expect(
        limited.notes.contains { $0.contains("has limits: a click on a notification has no effect") },
        "\(limited)")
      #expect(limited.notes.contains { $0.contains("no push distributor is installed") }, "\(limited)")
      try await desk.usher("grants", "allow", "--refuse", "--permission", "notifications", Self.id).orThrow()
      let refused = try await Report(on: desk).notes
      #expect(
        refused.contains { $0.contains("usher grants revoke --permission notifications \(Self.id)") },
        "\(refused)")
      try await server.vanish()
    }
  }

  @Test func `reports a server that fails beside the other findings`() async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.installDesktopEntry(Self.id, exec: "/bin/true")
      let distributor = try await PushDistributor.start(on: desk)
      _ = try await PushDistributor.register(on: desk)
      distributor.stop()
      try await desk.waitForNoOwner(of: PushDistributor.name)
      // A program with the name of the server that implements none of its methods.
      let server = try await desk.connect()
      #expect(try await server.requestName("org.freedesktop.Notifications") == .owned)
      let messages = try await Report(on: desk).findings.compactMap { $0["message"]?.string }
      #expect(
        messages.count == 2 && messages.contains { $0.hasPrefix("the notification server does not reply") }
          && messages.contains { $0.contains("is not installed") }, "\(messages)")
      await server.close()
    }
  }

  @Test func `reports an unreadable store, one that others can read, and a missing distributor or program`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      try desk.desktop.installDesktopEntry(Self.id, exec: "/bin/true")
      _ = try await NotificationServer.start(on: desk, capabilities: "actions persistence inline-reply")
      let distributor = try await PushDistributor.start(on: desk)
      _ = try await PushDistributor.register(on: desk)
      #expect(try await Report(on: desk).findings.isEmpty)
      let store = "\(desk.desktop.stateHome)/usher/triggers.sqlite"
      chmod(store, 0o644)
      #expect(try await Report(on: desk).command("other users can read") == "chmod 600 \(store)")
      chmod(store, 0o600)
      let other = try await PushDistributor.start(named: "\(PushDistributor.name).other", on: desk)
      distributor.stop()
      try await desk.waitForNoOwner(of: PushDistributor.name)
      #expect(
        try await Report(on: desk).command("is not installed")
          == "usher push register \(Self.id) --distributor \(PushDistributor.name).other")
      other.stop()
      try await desk.waitForNoOwner(of: "\(PushDistributor.name).other")
      #expect(try await Report(on: desk).command("is not installed") == "usher push unregister \(Self.id)")
      try await TriggerDaemon(on: desk).kill()
      try FileManager.default.removeItem(atPath: store)
      try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: false)
      #expect(
        try await Report(on: desk).command("cannot be read (it is not a file)") == "mv \(store) \(store).old")
      try FileManager.default.removeItem(atPath: store)
      try FileManager.default.removeItem(atPath: "\(desk.desktop.bin)/usher-triggers")
      let install = "make build && sudo make install-files PREFIX=/usr/local"
      #expect(try await Report(on: desk).command("does not exist") == install)
    }
  }
}

extension InstalledDesktop {
  /// Waits until a name has no owner.
  fileprivate func waitForNoOwner(of name: String) async throws {
    try await withDeadline(Command.defaultDeadline, "the end of \(name)") {
      while try await run("busctl", ["--user", "status", name]).succeeded {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }
}
