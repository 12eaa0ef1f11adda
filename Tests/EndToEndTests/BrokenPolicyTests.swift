// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The broker's handling of errors in the administrator's route files.
@Suite struct `A broken policy` {
  private static let head = "format = 1\nowner = \"corp\"\n"
  private static let deny = head + "[route.no]\nmatch = \"play:{x...}\"\ndeny = \"not here\"\nfinal = true\n"
  private static let denied = "the administrator's final route “no” denies the link: not here"
  private static let typo = deny.replacing("deny", with: "dney")

  private static func with(_ body: @Sendable (InstalledDesktop) async throws -> Void) async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.installDesktopEntry("org.example.Play", exec: "true %u", schemes: ["play", "chat"])
      try desk.desktop.setDefaults(["play": ["org.example.Play"], "chat": ["org.example.Play"]])
      try await body(desk)
    }
  }

  private static func write(_ text: String, _ name: String = "corp", on desk: InstalledDesktop) throws
    -> String
  {
    try desk.desktop.write(text, to: "etc/usher/routes/\(name).toml")
  }

  private static func versions(_ desk: InstalledDesktop) -> String {
    "\(desk.desktop.stateHome)/usher/routes"
  }

  /// Waits until the broker has stored a version of an administrator's file.
  private static func waitUntilStored(_ desk: InstalledDesktop) async throws {
    try await withDeadline(Command.defaultDeadline, "the version to be stored") {
      while true {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: versions(desk))) ?? []
        if names.contains(where: { $0.hasPrefix("administrator-") }) { return }
        try await Task.sleep(for: .milliseconds(10))
      }
    }
  }

  @Test func `keeps a final deny while the broker runs and after a restart`() async throws {
    try await Self.with { desk in
      let file = try Self.write(Self.deny, on: desk)
      var broker = try await desk.startBroker()
      #expect(try await desk.open("play:1").message == Self.denied)
      try await Self.waitUntilStored(desk)
      for broken in [Self.typo, Self.deny + "[route.two\n", "\u{0}"] {
        _ = try Self.write(broken, on: desk)
        #expect(try await desk.open("play:2").message == Self.denied, "\(broken)")
        // A valid file beside it takes effect at once.
        let new = try Self.write(
          Self.head + "[route.chat]\nmatch = \"chat:{x...}\"\ndeny = \"no chat\"\nfinal = true\n", "new",
          on: desk)
        #expect(
          try await desk.open("chat:1").message
            == "the administrator's final route “chat” denies the link: no chat", "\(broken)")
        let log = try await broker.stop()
        #expect(log.contains("the broker uses the version of \(file) from 20"), "\(log)")
        try FileManager.default.removeItem(atPath: new)
        broker = try await desk.startBroker()
        #expect(try await desk.open("play:3").message == Self.denied, "\(broken)")
        let reported = try await desk.usher("explain", "play:3")
        #expect(
          (reported.output + reported.errorOutput).contains("the broker uses the version of \(file) from 20"),
          "\(reported)")
        let doctor = try await desk.usher("doctor")
        #expect(
          (doctor.output + doctor.errorOutput).contains("the broker uses the version of \(file) from 20"),
          "\(doctor)")
        let system = try await desk.usher("routes", "check", "--system")
        #expect(system.status == 1 && system.output.contains("\n  \(file): no\n"), "\(system)")
        #expect(system.output.contains("    corp.toml: 1 route, 1 final, the version of 20"), "\(system)")
        #expect(system.output.contains("the broker uses the version of \(file) from 20"), "\(system)")
      }
      _ = try await broker.stop()
    }
  }

  @Test func `without an earlier version rejects URLs that it may deny`() async throws {
    try await Self.with { desk in
      let file = try Self.write(Self.typo, on: desk)
      let refused = try await desk.open("play:1")
      #expect(refused.error == "Denied" && refused.message.contains("\(file):5:1: "), "\(refused)")
      #expect(refused.message.contains("usher routes check \(file)"), "\(refused)")
      for arguments in [["doctor"], ["explain", "chat:1"]] {
        let reported = try await desk.run("usher", arguments)
        let text = reported.output + reported.errorOutput
        #expect(text.contains("no earlier version without errors is stored"), "\(reported)")
      }
      #expect(try await desk.open("chat:1").status == 0)
      _ = try Self.write(Self.deny + "[route.two\n", on: desk)
      let all = try await desk.open("chat:1")
      #expect(all.error == "Denied" && all.message.contains("\(file):7:"), "\(all)")
      _ = try Self.write(Self.head, on: desk)
      #expect(try await desk.open("play:1").status == 0)
    }
  }
}
