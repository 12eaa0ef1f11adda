// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// The view of requests on a real terminal, with a real broker.
@Suite struct `usher monitor --watch` {
  /// Runs a script of a shell with job control on a terminal, in which `watch` runs the view and reports how it has left the terminal.
  private static func start(
    _ desk: InstalledDesktop, _ script: String = "watch", rows: Int = 24, columns: Int = 80,
    adding variables: [String: String] = [:]
  ) throws -> TerminalProgram {
    // The traps keep the shell alive. A command that it starts has the default effects.
    let preamble = """
      trap : INT QUIT TERM HUP
      set -m
      before=$(stty -g)
      report() { [ "$before" ] && [ "$(stty -g)" = "$before" ] && echo "restored after $1" || echo "changed after $1"; }
      watch() { usher monitor --watch; report $?; }
      """
    let environment = desk.desktop.environment.merging(["TERM": "xterm-256color"]) { $1 }
      .merging(variables) { $1 }
    return try TerminalProgram(
      "sh", ["-c", "\(preamble)\n\(script)\nread line"], environment: environment, rows: rows,
      columns: columns)
  }

  /// Returns whether a screen shows all texts, each in one line.
  ///
  /// A test waits for all of them at once, because the terminal may pass on a frame in parts.
  private static func shows(_ screen: TerminalScreen, _ texts: String...) -> Bool {
    texts.allSatisfy { text in screen.lines.contains { $0.contains(text) } }
  }

  /// Waits until the shell has the terminal again, and fails unless it is as it was before.
  private static func expectRestored(
    _ shell: TerminalProgram, after status: Int32, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let left = try await shell.screen { !$0.isAlternate && shows($0, " after ") }
    #expect(shows(left, "restored after \(status)"), "\(left.lines)", sourceLocation: sourceLocation)
    #expect(left.showsCursor && left.wraps && left.unknown == [], sourceLocation: sourceLocation)
    #expect(await shell.echoes, sourceLocation: sourceLocation)
  }

  /// Returns the process ID of the view.
  private static func process(of desk: InstalledDesktop) throws -> Int32 {
    let found = desk.desktop.processes.first { $0.arguments.suffix(2) == ["monitor", "--watch"] }
    return try #require(found).processIdentifier
  }

  @Test func `shows links live, opens one, filters, and shows no secret`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      // The history is shown, too.
      _ = try await desk.open("nobody://lovelace:secret@x/1?token=secret#secret")
      let shell = try Self.start(desk)
      _ = try await shell.screen { Self.shows($0, "nobody://x/1", "usherd ") }
      _ = try await desk.open("--wait", "handled", "notes://note/7?tab=edit&token=secret#secret")
      _ = try await target.next()
      let list = try await shell.screen {
        $0.lines[2].contains("✓ handled") && $0.lines[2].contains("notes://note/7")
          && $0.lines[3].contains("✕ NoHandler")
      }
      #expect(list.isAlternate && !list.showsCursor && !list.wraps && list.unknown == [], "\(list.unknown)")
      #expect(await !shell.echoes)

      // The complete request.
      await shell.resize(rows: 60, columns: 80)
      await shell.press("\r")
      // The decision is asked for in the background.
      _ = try await shell.screen {
        Self.shows($0, "j/k scroll", "notes://note/7?…#…", "Caller", "Nothing identifies the calling program")
          && Self.shows($0, "Decision", "These steps are those of a decision now")
          && Self.shows($0, "Delivery", "queued ", "sent ", " after it arrived", "━")
          && Self.shows($0, "Receipt", "by starting the application")
      }
      // A part of it.
      await shell.resize(rows: 12, columns: 80)
      _ = try await shell.screen { Self.shows($0, "✓ handled", "Caller") && !Self.shows($0, "Receipt") }
      await shell.press("G")
      _ = try await shell.screen {
        Self.shows($0, "by starting the application") && !Self.shows($0, "Caller")
      }
      await shell.press("\u{1B}")
      _ = try await shell.screen { Self.shows($0, "Outcome", "2 requests") }

      await shell.press("/noH")
      _ = try await shell.screen {
        Self.shows($0, "1 of 2 requests") && $0.lines[11] == "/noH" && $0.showsCursor
          && !Self.shows($0, "notes:")
      }
      await shell.press("\r")
      _ = try await shell.screen {
        Self.shows($0, "Esc clear", "nobody://x/1") && !$0.showsCursor && !Self.shows($0, "notes:")
      }
      await shell.press("\u{1B}")
      _ = try await shell.screen { Self.shows($0, "nobody://x/1", "notes:") }
      await shell.press("q")
      try await Self.expectRestored(shell, after: 0)
      let output = await String(decoding: shell.output, as: UTF8.self)
      for secret in ["secret", "token", "tab=", "lovelace"] { #expect(!output.contains(secret)) }
    }
  }

  @Test func `does not change while it is paused, and counts the events`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await desk.open("nobody:1")
      let shell = try Self.start(desk)
      _ = try await shell.screen { Self.shows($0, "nobody:1", "usherd ") }
      await shell.press("p")
      _ = try await shell.screen { Self.shows($0, "paused, 0 events since then", "p resume") }
      _ = try await desk.open("nobody:2")
      _ = try await shell.screen { Self.shows($0, "paused, 1 event since then", " 1 request ") }
      // After a resize, the complete screen is drawn, the last line at the end.
      await shell.resize(rows: 20, columns: 80)
      let paused = try await shell.screen { $0.lines[19].contains("p resume") }
      #expect(Self.shows(paused, "nobody:1") && !Self.shows(paused, "nobody:2"), "\(paused.lines)")
      await shell.press("p")
      let resumed = try await shell.screen { Self.shows($0, "nobody:1", "nobody:2", " 2 requests ") }
      #expect(!Self.shows(resumed, "paused"))
      await shell.press("q")
      try await Self.expectRestored(shell, after: 0)
    }
  }

  @Test(arguments: [("\u{3}", SIGINT), ("\u{1C}", SIGQUIT), ("", SIGTERM), ("", SIGHUP)])
  func `leaves the terminal as it was after a signal`(key: String, signal: Int32) async throws {
    try await InstalledDesktop.with { desk in
      // Without a core file.
      let shell = try Self.start(desk, "ulimit -c 0; watch")
      _ = try await shell.screen { Self.shows($0, "No request yet") }
      #expect(await !shell.echoes)
      if key.isEmpty { kill(try Self.process(of: desk), signal) } else { await shell.press(key) }
      try await Self.expectRestored(shell, after: 128 + signal)
    }
  }

  @Test func `ends when the terminal is lost`() async throws {
    try await InstalledDesktop.with { desk in
      // Without job control, the kernel sends SIGHUP only to the shell.
      let status = "\(desk.desktop.home)/status"
      let shell = try Self.start(desk, "set +m; usher monitor --watch; echo $? >'\(status)'; exit")
      _ = try await shell.screen { Self.shows($0, "No request yet") }
      await shell.hangUp()
      try await desk.waitForEnd(of: shell.processIdentifier)
      #expect(try String(contentsOfFile: status, encoding: .utf8) == "\(128 + SIGHUP)\n")
    }
  }

  @Test func `is suspended and continued, and follows the size of the terminal`() async throws {
    try await InstalledDesktop.with { desk in
      let shell = try Self.start(desk, "watch; read line; fg; report $?")
      _ = try await desk.open("nobody:1")
      _ = try await shell.screen { Self.shows($0, "nobody:1") }
      await shell.press("\u{1A}")
      try await Self.expectRestored(shell, after: 128 + SIGTSTP)
      _ = try await desk.open("nobody:2")
      await shell.press("\n")
      let continued = try await shell.screen { $0.isAlternate && Self.shows($0, "nobody:2", "From") }
      #expect(!continued.showsCursor && !continued.wraps)
      #expect(await !shell.echoes)
      await shell.resize(rows: 15, columns: 40)
      let narrow = try await shell.screen {
        Self.shows($0, "nobody:2", "URL") && $0.lines[14].hasPrefix("q quit")
      }
      #expect(!Self.shows(narrow, "From") && !Self.shows(narrow, "Receipt"), "\(narrow.lines)")
      await shell.resize(rows: 50, columns: 200)
      let wide = try await shell.screen {
        Self.shows($0, "Took", "Receipt") && $0.lines[49].hasPrefix("q quit")
      }
      #expect(Self.shows(wide, "From", "Caller", "org.usher.Error.NoHandler"), "\(wide.lines)")
      await shell.press("q")
      _ = try await shell.screen { Self.shows($0, "restored after 0") }
      try await Self.expectRestored(shell, after: 0)
    }
  }

  @Test func `continues with the next broker, and keeps its requests`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await desk.open("nobody:1")
      let shell = try Self.start(desk)
      _ = try await shell.screen { Self.shows($0, "nobody:1", "usherd ") }
      try await desk.killBroker()
      _ = try await shell.screen { Self.shows($0, "the broker exited; monitoring the next one") }
      _ = try await desk.open("nobody:2")
      _ = try await shell.screen { Self.shows($0, "nobody:1", "nobody:2") }
      await shell.press("k")
      _ = try await shell.screen { !Self.shows($0, "exited") }
      await shell.press("q")
      try await Self.expectRestored(shell, after: 0)
    }
  }

  @Test func `without a bus prints the error after it has left the terminal as it was`() async throws {
    try await InstalledDesktop.with { desk in
      let shell = try Self.start(
        desk, columns: 200, adding: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(desk.desktop.root)/missing"])
      try await Self.expectRestored(shell, after: 69)
      let left = await shell.current
      #expect(Self.shows(left, "usher: cannot monitor requests", "usher doctor"), "\(left.lines)")
    }
  }

  @Test func `draws at most ten times a second, and shows the last request of a flood`() async throws {
    try await InstalledDesktop.with { desk in
      let shell = try Self.start(desk)
      _ = try await shell.screen { Self.shows($0, "No request yet") }
      let caller = try await desk.connect()
      let opener = PipelinedOpener(caller)
      let (start, before) = (ContinuousClock.now, await shell.output.count)
      // One after another, so that a view that draws each request would draw as often.
      for number in 1...200 {
        for call in await opener.send(["nobody:\(number)"], OpenOptions()) {
          await #expect(throws: BusError.self) { try await call.value }
        }
      }
      _ = try await shell.screen { Self.shows($0, "nobody:200") }
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      // Each drawing of a list with new requests writes the row of the newest one.
      let drawings =
        await String(decoding: shell.output.dropFirst(before), as: UTF8.self)
        .components(separatedBy: "\u{1B}[3;1H").count - 1
      #expect(drawings > 0 && Double(drawings) <= seconds * 10 + 2, "\(drawings) in \(seconds) s")

      for call in await opener.send((0..<1_000).map { "nobody:\($0)" }, OpenOptions()) {
        await #expect(throws: BusError.self) { try await call.value }
      }
      // An omitted event is in the history, which the view then reads.
      _ = try await desk.open("nobody:last")
      _ = try await shell.screen { Self.shows($0, "nobody:last") && !Self.shows($0, "missed") }
      await shell.press("q")
      try await Self.expectRestored(shell, after: 0)
      await caller.close()
    }
  }

  @Test func `needs a terminal`() async throws {
    try await InstalledDesktop.with { desk in
      let instead = "; to print requests as lines, run: usher monitor"
      let both = "--watch needs a terminal as its input and output\(instead)"
      let piped = try await desk.usher("monitor", "--watch")
      #expect(piped.status == 64 && piped.output.isEmpty && piped.errorOutput.contains(both), "\(piped)")
      let position = "--watch needs a terminal that can position text, but TERM is"
      for (script, terminal, error) in [
        ("usher monitor --watch </dev/null; report $?", "xterm", both),
        ("usher monitor --watch >\"$HOME/output\"; report $?", "xterm", both),
        ("watch", "dumb", "\(position) dumb\(instead)"), ("watch", "", "\(position) not set\(instead)"),
      ] {
        let shell = try Self.start(desk, script, columns: 200, adding: ["TERM": terminal])
        try await Self.expectRestored(shell, after: 64)
        let screen = await shell.current
        #expect(Self.shows(screen, error), "\(script): \(screen.lines)")
        // The view has written nothing.
        #expect(await !String(decoding: shell.output, as: UTF8.self).contains("\u{1B}[?"))
      }
    }
  }

  @Test(arguments: [true, false]) func `has colors unless the user wants none`(isColored: Bool) async throws {
    try await InstalledDesktop.with { desk in
      _ = try await desk.open("nobody:1")
      let shell = try Self.start(desk, adding: isColored ? [:] : ["NO_COLOR": "1"])
      let screen = try await shell.screen { Self.shows($0, "nobody:1") }
      #expect(screen.lines[2].hasPrefix(">"), "\(screen.lines)")
      let output = await String(decoding: shell.output, as: UTF8.self)
      #expect(output.contains(/\u{1B}\[[1-9][0-9;]*m/) == isColored)
      await shell.press("q")
      try await Self.expectRestored(shell, after: 0)
    }
  }
}
