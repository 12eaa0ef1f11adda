// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of `usher listen` with a program as an application that replies.
@Suite struct `A program behind usher listen` {
  @Test func `receives the whole envelope, cold and warm, and its reply is returned`() async throws {
    try await InstalledDesktop.with { desk in
      let listening = try await Listening.register(on: desk)
      let cold = try await listening.open(
        "value", "--annotation", #"{"from":"test"}"#, "--source-application", "org.example.Mail")
      #expect(cold.status == 0 && cold.outcome == "handled", "\(cold)")
      #expect(cold.first?["delivery"] == "launch" && cold.first?["value"]?["note"] == 7, "\(cold)")
      let first = try await listening.next()
      #expect(first.envelope.urls == ["lines:value"] && first.envelope.delivery == .launch)
      #expect(first.envelope.annotation == ["from": "test"] && first.envelope.application == Listening.id)
      #expect(first.envelope.sourceApplication == "org.example.Mail" && first.envelope.assurance == .claimed)

      let warm = try await listening.open("1", "lines:2", "lines:value")
      #expect(warm.first?["value"]?["urls"] == ["lines:1", "lines:2", "lines:value"], "\(warm)")
      let second = try await listening.next()
      #expect(second.envelope.delivery == .running && second.pid == first.pid)
    }
  }

  @Test func `receives other reasons too`() async throws {
    try await InstalledDesktop.with { desk in
      let listening = try await Listening.register(on: desk)
      let report = try await desk.open(
        "--wait", "handled", "--reason", "user-activity", "--payload", #"{"type":"t"}"#, "--app", Listening.id
      )
      #expect(report.outcome == "handled", "\(report)")
      let reported = try await listening.next()
      #expect(reported.envelope.reason == .userActivity && reported.envelope.payload == ["type": "t"])
    }
  }

  @Test(arguments: [
    ("not", "NotHandled", "failed", "did not handle the request"),
    ("error", "TargetFailed", "failed", "the note is locked"),
    ("nonsense", "TargetFailed", "unknown", "handled: this is of type s, but it must be a boolean (b)"),
    ("crash", "TargetFailed", "unknown", "answers exited with signal 9 (Killed) without a reply"),
    ("status", "TargetFailed", "unknown", "answers exited with exit status 3 without a reply"),
  ])
  func `that does not handle a request: its caller gets that outcome, and the next request is handled`(
    what: String, error: String, outcome: String, sentence: String
  ) async throws {
    try await InstalledDesktop.with { desk in
      let listening = try await Listening.register(on: desk)
      for what in [what, "value", what] {
        let report = try await listening.open(what)
        guard what != "value" else {
          #expect(report.outcome == "handled", "\(report)")
          continue
        }
        #expect(report.error == error && report.message.contains(sentence), "\(report)")
        #expect(report.outcome == outcome, "\(report)")
      }
    }
  }

  @Test(arguments: ["hang", "endless"])
  func `that does not reply in time is ended, and its caller gets an error`(what: String) async throws {
    try await InstalledDesktop.with { desk in
      let listening = try await Listening.register("--timeout \(Listening.limit)", on: desk)
      let report = try await listening.open(what)
      #expect(report.error == "TargetFailed" && report.outcome == "unknown", "\(report)")
      #expect(
        report.message.contains("did not reply within \(Listening.limit) s and was terminated"), "\(report)")
      #expect(report.message.contains("“thinking”"), "\(report)")
      let hung = try await listening.next()
      try await desk.waitForEnd(of: hung.pid ?? 0)
      #expect(try await listening.open("value").outcome == "handled")
      #expect(try await listening.next().pid != hung.pid)
      // A line of a program that has had another request may contain the link of another caller.
      let later = try await listening.open(what)
      #expect(later.error == "TargetFailed" && !later.message.contains("thinking"), "\(later)")
    }
  }

  /// The other one replies as soon as this one was asked to exit, two seconds before it is killed.
  @Test func `that does not exit delays the replies of no other`() async throws {
    try await InstalledDesktop.with { desk in
      let listening = try await Listening.register(
        "--each --concurrent 2 --timeout \(Listening.limit)", on: desk)
      let (finished, finish) = AsyncStream<String>.makeStream()
      @Sendable func open(_ what: String) async throws -> OpenReport {
        let report = try await listening.open(what)
        finish.yield(what)
        return report
      }
      async let stubborn = open("stubborn")
      _ = try await listening.next()
      async let other = open("patient")
      let (answered, failed) = try await (other, stubborn)
      #expect(answered.outcome == "handled" && failed.error == "TargetFailed")
      #expect(await finished.first { _ in true } == "patient")
    }
  }

  /// The program may have had its effect before it was killed, and the fallback had it again.
  @Test func `that is killed is not replaced by a fallback`() async throws {
    try await InstalledDesktop.with { desk in
      let listening = try await Listening.register(on: desk)
      let killed = try await listening.open("crash", "--fallback", "lines:value")
      #expect(killed.error == "TargetFailed" && killed.outcome == "unknown", "\(killed)")
      let failed = try await listening.open("error", "--fallback", "lines:value")
      #expect(failed.first?["value"]?["note"] == 7 || failed.status == 0, "\(failed)")
      for what in ["crash", "error", "value"] {
        #expect(try await listening.next().envelope.urls == ["lines:\(what)"])
      }
    }
  }

  /// It finished its request while the next instance had the request, too.
  @Test(arguments: [false, true])
  func `is killed with usher listen, before the next instance starts another`(isInShell: Bool) async throws {
    try await InstalledDesktop.with { desk in
      let wrapper =
        isInShell ? try desk.desktop.installScript("wrapper", "#!/bin/sh\n\"$@\"\nexit $?\n") : ""
      let listening = try await Listening.register(wrapper: wrapper, on: desk)
      async let report = listening.open("progress")
      let first = try await listening.next()
      let program = try #require(first.pid)
      var listener = try #require(Self.status(of: program)?.parent)
      if isInShell { listener = try #require(Self.status(of: listener)?.parent) }
      kill(listener, SIGKILL)
      let second = try await listening.next()
      #expect(second.pid != program && second.envelope.requestID == first.envelope.requestID)
      #expect(["Z", "X", nil].contains(Self.status(of: program)?.state))
      try await listening.goOn()
      #expect(try await report.outcome == "handled")
    }
  }

  /// Returns the state of a process and its parent; `nil` if there is no such process.
  private static func status(of pid: Int32) -> (state: String, parent: Int32)? {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return nil }
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 1, let parent = Int32(fields[1]) else { return nil }
    return (String(fields[0]), parent)
  }

  @Test func `may write other lines, progress, and replies to unknown requests`() async throws {
    try await InstalledDesktop.with { desk in
      let listening = try await Listening.register(on: desk)
      #expect(try await listening.open("words").outcome == "handled")
      let opener = try await RunningProgram.start(
        "sh", ["-c", "exec usher open --wait handled --progress lines:progress 2>&1"],
        environment: desk.desktop.environment)
      #expect(try await opener.line { $0.contains("counting") }.contains("3"))
      try await listening.goOn()
      #expect(await opener.waitUntilExit().succeeded)
      #expect(try await listening.open("other").first?["value"] == 2)
      // A superfluous reply is not the reply to the next request.
      #expect(try await listening.open("late").outcome == "handled")
      #expect(try await listening.open("value").first?["value"]?["note"] == 7)
      #expect(try await listening.open("half").first?["value"] == "half")
    }
  }

  /// Such a reply could otherwise reach the caller of the next request.
  @Test(arguments: [
    ("nameless", "request-id: the key is missing"), ("latin-1", "the line is not UTF-8"),
    ("mute", "closed its output without a reply"),
  ])
  func `whose reply cannot be attributed fails its request, and is started again`(
    what: String, sentence: String
  ) async throws {
    try await InstalledDesktop.with { desk in
      let listening = try await Listening.register("--timeout 600", on: desk)
      let report = try await listening.open(what)
      #expect(report.error == "TargetFailed" && report.message.contains(sentence), "\(report)")
      let former = try await listening.next()
      try await desk.waitForEnd(of: former.pid ?? 0)
      #expect(try await listening.open("value").first?["value"]?["note"] == 7)
      #expect(try await listening.next().pid != former.pid)
    }
  }

  @Test func `never answers the next request with an earlier reply`() async throws {
    try await InstalledDesktop.with { desk in
      let listening = try await Listening.register(on: desk)
      // Invalid progress is left out, and does not end the request.
      #expect(try await listening.open("bad-progress").first?["value"] == "good")
      for _ in 1...10 {
        #expect(try await listening.open("late").outcome == "handled")
        #expect(try await listening.open("value").first?["value"]?["note"] == 7)
        #expect(try await listening.open("twice-nameless").outcome == "handled")
        let next = try await listening.open("value")
        // The superfluous line is an error of the program, which the next request may meet, but never its answer.
        #expect(next.first?["value"]?["note"] == 7 || next.error == "TargetFailed", "\(next)")
      }
    }
  }

  /// The program is about to exit when the next request arrives, which must not be lost.
  @Test func `that exits after each reply is started again for the next request`() async throws {
    try await InstalledDesktop.with { desk in
      let listening = try await Listening.register(on: desk)
      var processes: Set<Int32?> = []
      for number in 1...20 {
        let report = try await listening.open(number.isMultiple(of: 2) ? "end" : "last")
        #expect(report.outcome == "handled", "\(report)")
        processes.insert(try await listening.next().pid)
      }
      #expect(processes.count == 20)
    }
  }

  @Test func `may be a new one for each request, whose input ends`() async throws {
    try await InstalledDesktop.with { desk in
      let program = try desk.desktop.installScript(
        "count-words",
        "#!/bin/sh\nlines=$(cat | wc -l)\necho \"{\\\"handled\\\": true, \\\"value\\\": $lines}\"\n")
      for (number, command) in [(1, program), (2, "/bin/false"), (3, "/bin/true")] {
        try await desk.usher(
          "register", "--name", "Each", "--exec",
          "usher listen org.example.Each\(number) --each -- \(command)",
          "--scheme", "each\(number)"
        ).orThrow()
      }
      for _ in 1...2 {
        let report = try await desk.open("--wait", "handled", "each1:x")
        #expect(report.first?["value"] == 1, "\(report)")
      }
      // The exit status is the reply if the program writes none.
      let failed = try await desk.open("--wait", "handled", "each2:x")
      #expect(failed.error == "TargetFailed" && failed.message.contains("exit status 1"), "\(failed)")
      #expect(failed.outcome == "failed", "\(failed)")
      #expect(try await desk.open("--wait", "handled", "each3:x").outcome == "handled")
    }
  }

  @Test func `exits with usher listen, which exits when it is idle`() async throws {
    try await InstalledDesktop.with { desk in
      // On a busy machine, it must not be idle before its first request arrives.
      let listening = try await Listening.register("--idle \(0.5 * timeoutFactor)", on: desk)
      let first = try await listening.open("value")
      #expect(first.outcome == "handled", "\(first)")
      let pid = try #require(try await listening.next().pid)
      try await desk.waitForEnd(of: pid)
      let again = try await listening.open("value")
      #expect(again.first?["delivery"] == "launch", "\(again)")
    }
  }

  @Test func `that cannot be started fails its request`() async throws {
    try await InstalledDesktop.with { desk in
      let program = try desk.desktop.installScript("broken", "#!/no/such/shell\n")
      try await desk.usher(
        "register", "--name", "Broken", "--exec", "usher listen org.example.Broken -- \(program)", "--scheme",
        "broken"
      ).orThrow()
      let report = try await desk.open("--wait", "handled", "broken:x")
      #expect(
        report.error == "TargetFailed" && report.message.contains("No such file or directory"), "\(report)")
    }
  }
}
