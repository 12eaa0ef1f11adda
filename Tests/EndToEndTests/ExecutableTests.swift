// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

/// A caller that is identified by its program, without a unit and a sandbox.
@Suite struct `A program of an application` {
  private func with(_ body: @Sendable (InstalledDesktop, Target, _ program: String) async throws -> Void)
    async throws
  {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      // The copy of busctl sends the test's calls under another program name.
      let program = "\(desk.desktop.bin)/chat"
      try FileManager.default.copyProgram(atPath: "/usr/bin/busctl", toPath: program)
      try desk.desktop.installDesktopEntry("org.example.Chat", exec: "\(program) %u")
      try await body(desk, target, program)
    }
  }

  private static let call =
    ["--user", "call"] + InstalledDesktop.broker + ["Open", "asa{sv}", "1", "play:1"]

  @Test func `is identified by the program, whatever it claims`() async throws {
    try await with { desk, target, program in
      try await desk.run(program, Self.call + ["1", "source-application", "s", "org.example.Liar"]).orThrow()
      let arrival = try await target.next()
      #expect(arrival.source == "org.example.Chat" && arrival.assurance == "executable", "\(arrival)")
    }
  }

  /// The broker cannot identify a caller that has exited, so that it would not recognize the repetition.
  @Test func `whose first instance exits before it is identified opens its link once`() async throws {
    try await with { desk, target, program in
      let broker = try await desk.startBroker()
      kill(broker.pid, SIGSTOP)
      let call = Self.call + ["1", "request-id", "s", "one"]
      try await desk.run(program, ["--expect-reply=false"] + call).orThrow()
      kill(broker.pid, SIGCONT)
      try await desk.run(program, call).orThrow()
      #expect(try await target.next().urls == ["play:1"])
      try await desk.usher("open", "play:end").orThrow()
      #expect(try await target.next().urls == ["play:end"])
      broker.program.kill()
    }
  }

  @Test func `is identified through a symbolic link too`() async throws {
    try await with { desk, target, program in
      try FileManager.default.createSymbolicLink(
        atPath: "\(desk.desktop.bin)/talk", withDestinationPath: program)
      try desk.desktop.installDesktopEntry("org.example.Chat", exec: "talk %u")
      try await desk.run("talk", Self.call + ["0"]).orThrow()
      let arrival = try await target.next()
      #expect(arrival.source == "org.example.Chat" && arrival.assurance == "executable", "\(arrival)")
    }
  }

  @Test func `shared by two applications identifies neither`() async throws {
    try await with { desk, target, program in
      try desk.desktop.installDesktopEntry("org.example.Twin", exec: "\(program) %u")
      try await desk.run(program, Self.call + ["0"]).orThrow()
      let arrival = try await target.next()
      #expect(arrival.source == nil && arrival.assurance == "unknown", "\(arrival)")
    }
  }

  @Test func `is identified by the program file, not by its path`() async throws {
    let mayMount = try await Command.run("unshare", ["--mount", "true"]).succeeded
    guard mayMount else { try Test.cancel("nothing can be mounted here") }
    try await with { desk, target, program in
      try await desk.run(
        "unshare",
        ["--mount", "sh", "-ec", #"mount --bind /usr/bin/busctl "$0"; exec "$0" "$@""#, program] + Self.call
          + ["0"]
      ).orThrow()
      let arrival = try await target.next()
      #expect(arrival.source == nil && arrival.assurance == "unknown", "\(arrival)")
    }
  }
}
