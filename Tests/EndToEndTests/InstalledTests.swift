// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// Callers that are identified by a system entry, and by an entry in HOME with the ID of one.
@Suite struct `A condition on the installed files of a caller` {
  private static let policy = """
    format = 1
    owner = "corp"
    [route.approved]
    match = "play:{x}"
    source = { application = "org.example.Chat", assurance = ">= executable", installed = "system" }
    allow = true
    final = true
    wins_over = "all-others"
    [route.all-others]
    match = "play:{x}"
    deny = "approved programs alone"
    final = true
    """

  private static let other: uid_t = 12_345

  /// Runs `body` on a desk with `org.example.Chat` in the system and a HOME of another user, which only root can create.
  private func with(_ body: @Sendable (InstalledDesktop, Target, _ program: String) async throws -> Void)
    async throws
  {
    guard getuid() == 0 else { try Test.cancel("only root can make files of two owners") }
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      let program = "\(desk.desktop.root)/share/chat"
      try FileManager.default.copyProgram(atPath: "/usr/bin/busctl", toPath: program)
      try desk.desktop.installDesktopEntry("org.example.Chat", exec: "\(program) %u", in: .system)
      try desk.desktop.installRoutes("corp", Self.policy, in: .system)
      try #require(chown(desk.desktop.home, Self.other, Self.other) == 0)
      try await body(desk, target, program)
    }
  }

  private func call(_ desk: InstalledDesktop, _ program: String) async throws -> CommandResult {
    try await desk.run(
      program,
      ["--user", "call"] + InstalledDesktop.broker + [
        "Open", "asa{sv}", "1", "play:1", "1", "wait", "s", "delivered",
      ])
  }

  @Test func `matches system if its entry and program belong to root`() async throws {
    try await with { desk, target, program in
      try await call(desk, program).orThrow()
      let arrival = try await target.next()
      #expect(arrival.source == "org.example.Chat" && arrival.assurance == "executable", "\(arrival)")
    }
  }

  @Test func `is denied if an entry in HOME has the ID of a system entry`() async throws {
    try await with { desk, _, program in
      let own = "\(desk.desktop.bin)/forger"
      try FileManager.default.copyProgram(atPath: "/usr/bin/busctl", toPath: own)
      let path = try desk.desktop.installDesktopEntry("org.example.Chat", exec: "\(own) %u")
      let denied = try await call(desk, own)
      #expect(!denied.succeeded && denied.errorOutput.contains("approved programs alone"), "\(denied)")
      // No entry names the system's own program any more.
      #expect(try await !call(desk, program).succeeded)

      let words = ["explain", "--skip-comparison", "--as", "org.example.Chat:executable", "play:1"]
      let reported = try await desk.run("usher", words)
      let hidden = "\(desk.desktop.systemData)/applications/org.example.Chat.desktop"
      #expect(reported.status == 3, "\(reported)")
      #expect(
        reported.lines.contains(
          "  installed: by the user, \(path), which hides \(hidden) (\(desk.desktop.home) belongs to user \(Self.other))"
        ), "\(reported)")
      #expect(try await desk.run("usher", words + ["--installed", "system"]).status == 0)
    }
  }

  @Test func `is denied if its group or another user can write the entry, the program or a directory above`()
    async throws
  {
    try await with { desk, _, program in
      let entry = "\(desk.desktop.systemData)/applications/org.example.Chat.desktop"
      for path in [entry, program, "\(desk.desktop.systemData)/applications", desk.desktop.systemData] {
        var status = stat()
        try #require(stat(path, &status) == 0)
        try #require(chmod(path, status.st_mode | 0o020) == 0)
        // The broker caches the result of the check for a second.
        try await untilExplained(desk, 3)
        #expect(try await !call(desk, program).succeeded, "\(path)")
        try #require(chmod(path, status.st_mode) == 0)
        try await untilExplained(desk, 0)
      }
      try await call(desk, program).orThrow()
    }
  }

  /// Waits until the broker has checked the installation again, by the exit status of `usher explain`.
  private func untilExplained(_ desk: InstalledDesktop, _ status: Int32) async throws {
    let words = ["explain", "--skip-comparison", "--as", "org.example.Chat:executable", "play:1"]
    for _ in 0..<200 where try await desk.run("usher", words).status == status { return }
    Issue.record("the decision does not become \(status)")
  }
}
