// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// Requests with a launch reason other than a URL, from the command to the application.
@Suite struct `A request without a URL` {
  private static let actions = [
    "Actions=edit;", "[Desktop Action edit]", "Name=Edit", "Exec=/bin/false --edit",
  ]

  @Test func `reaches an application as an envelope, with all options`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      for reason in ["activate", "user-activity", "remote-notification", "location", "never-heard-of"] {
        let report = try await desk.open(
          "--reason", reason, "--payload", #"{"type": "org.example.edit"}"#, "--app", ServedApplication.id,
          "--target-content-id", "note-7", "--annotation", "3", "--wait", "handled")
        #expect(report.status == 0 && report.outcome == "handled", "\(report)")
        let envelope = try await application.nextEnvelope()
        #expect(envelope.urls == [] && envelope.reason.rawValue == reason)
        #expect(envelope.payload == ["type": "org.example.edit"] && envelope.annotation == 3)
        #expect(envelope.targetContentID == "note-7" && envelope.application == ServedApplication.id)
        #expect(envelope.delivery == .running)
      }
      // An action without a reason is a shortcut item.
      try await desk.usher("open", "--action", "recent-7", "--app", ServedApplication.id).orThrow()
      let chosen = try await application.nextEnvelope()
      #expect(chosen.reason == .shortcutItem && chosen.desktopAction == "recent-7")
      // A reason is valid together with a URL.
      try await desk.usher("open", "--reason", "user-activity", "--open-in-place", "served:1").orThrow()
      let both = try await application.nextEnvelope()
      #expect(both.urls == ["served:1"] && both.reason == .userActivity && both.openInPlace == true)
    }
  }

  @Test func `is in the history and the monitor, without URLs`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let monitor = try await RunningProgram.start(
        "usher", ["monitor", "--json"], environment: desk.desktop.environment)
      _ = try await monitor.line { $0.contains("watching") }
      try await desk.usher("open", "--reason", "activate", "--app", ServedApplication.id).orThrow()
      let ended = try PropertyList(json: try await monitor.line { $0.contains("\"ended\"") })
      #expect(ended["application"]?.string == ServedApplication.id && ended["urls"] == [])
      monitor.kill()
      let history = try PropertyList(json: try await desk.usher("history", "--json").orThrow().output)
      let entry = history["entries"]?.array?.first
      #expect(entry?["outcome"] == "handled" && entry?["urls"] == [], "\(history)")
      #expect(try await desk.usher("history").output.contains("-> \(ServedApplication.id)"))
    }
  }

  @Test func `is Activate or ActivateAction for an application of the standard`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.standard, on: desk, lines: Self.actions)
      try await desk.run(
        "usher", ["open", "--reason", "activate", "--app", ServedApplication.id],
        adding: ["XDG_ACTIVATION_TOKEN": "token-1"]
      ).orThrow()
      let activated = try await application.next()
      #expect(activated.method == "Activate" && activated.entries["activation-token"] == "token-1")
      #expect(activated.entries["org.usher.reason"] == "activate")
      try await desk.usher(
        "open", "--action", "edit", "--payload", #""draft""#, "--app", ServedApplication.id
      ).orThrow()
      let action = try await application.next()
      #expect(action.method == "ActivateAction" && action.word == "edit")
      #expect(action.list == ["draft"] || action.list == [.variant("draft")], "\(action)")
      try await desk.usher("open", "--action", "edit", "--app", ServedApplication.id).orThrow()
      #expect(try await application.next().list == [])
      // The standard interface cannot express other reasons, and the error says so.
      let other = try await desk.open("--reason", "location", "--app", ServedApplication.id)
      #expect(other.status == 6 && other.error == "NotHandled" && other.outcome == "failed", "\(other)")
      #expect(other.message.contains("Implements=org.usher.Application1;"), "\(other)")
      let unknown = try await desk.open("--action", "print", "--app", ServedApplication.id)
      #expect(unknown.error == "NoHandler" && unknown.message.contains("it has edit"), "\(unknown)")
    }
  }

  @Test func `starts a GApplication, which is activated`() async throws {
    try await InstalledDesktop.with { desk in
      let tap = try await ReportPipe("gtk", in: desk.desktop)
      let program = try desk.desktop.installScript(
        "gtk", "#!/bin/sh\nexec '\(BuiltProducts.gtkNotes)' \"$@\" 1<>'\(tap.path)'\n")
      try desk.desktop.install("Examples/gtk-notes/org.example.GtkNotes.desktop", exec: program)
      try desk.desktop.install("Examples/gtk-notes/org.example.GtkNotes.service", exec: program)
      let report = try await desk.open("--reason", "activate", "--app", "org.example.GtkNotes")
      #expect(report.status == 0 && report.first?["delivery"] == "launch", "\(report)")
      #expect(try await tap.next()["activated"] == true)
    }
  }

  @Test func `starts an application on Scenes, which gets it`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      let report = try await desk.open("--reason", "activate", "--app", target.kind.id)
      #expect(report.first?["delivery"] == "launch", "\(report)")
      let arrival = try await target.next()
      #expect(arrival.urls == [] && arrival.delivery == "launch", "\(arrival)")
    }
  }

  @Test func `is a local notification that starts an application only if the user acted on it`() async throws
  {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      @Sendable func notify(_ payload: String) async throws -> OpenReport {
        try await desk.open(
          "--reason", "local-notification", "--payload", payload, "--app", target.kind.id)
      }
      let due = try await notify(#"{"alert": "Time to go"}"#)
      #expect(due.status == 6 && due.error == "NotHandled", "\(due)")
      #expect(due.message.contains("starts an application only if the user acted on it"), "\(due)")
      #expect(target.processes(on: desk).isEmpty)
      let tapped = try await notify(#"{"alert": "Time to go", "action-identifier": "default"}"#)
      #expect(tapped.first?["delivery"] == "launch", "\(tapped)")
      #expect(try await target.next().delivery == "launch")
      // The running instance receives both.
      let running = try await notify(#"{"alert": "Time to go"}"#)
      #expect(running.first?["delivery"] == "running", "\(running)")
      #expect(try await target.next().delivery == "running")
    }
  }

  /// Runs with a broker, and in a rescue shell without one.
  @Test(arguments: [true, false])
  func `is an Exec line for a plain program, and nothing else is started for it`(hasBus: Bool) async throws {
    try await InstalledDesktop.with { desk in
      let recorder = try Recorder("player", in: desk.desktop)
      try desk.desktop.installDesktopEntry(
        "org.example.Player", exec: "\(recorder.execWord) --main %u", schemes: ["play"],
        lines: ["Actions=next;", "[Desktop Action next]", "Name=Next", "Exec=\(recorder.execWord) --next"])
      @Sendable func open(_ words: String...) async throws -> OpenReport {
        try OpenReport(
          try await desk.run(
            "usher", ["open", "--json", "--app", "org.example.Player"] + words,
            adding: hasBus ? [:] : ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]))
      }
      let activated = try await open("--reason", "activate")
      #expect(activated.status == 0 && activated.outcome == "delivered", "\(activated)")
      #expect(try await recorder.nextStart().arguments == ["--main"])
      #expect(try await open("--action", "next").status == 0)
      #expect(try await recorder.nextStart().arguments == ["--next"])
      for reason in ["local-notification", "shortcut-item"] {
        let refused = try await open("--reason", reason, "--payload", "{}")
        #expect(refused.status == 6 && refused.error == "NotHandled", "\(refused)")
        #expect(refused.message.contains("Implements=org.usher.Application1;"), "\(refused)")
      }
      let absent = try await open("--action", "stop")
      #expect(absent.status == 2 && absent.message.contains("it has next"), "\(absent)")
      // A program that had been started before would have reported first.
      #expect(try await open("--wait", "handled", "play:end").status == 0)
      #expect(try await recorder.nextStart().arguments == ["--main", "play:end"])
    }
  }

  @Test func `that is incomplete is rejected with the correction`() async throws {
    try await InstalledDesktop.with { desk in
      for (words, sentence) in [
        ([], "add a URL or the path of a file"),
        (["--app", "org.example.Notes"], "--reason activate to start org.example.Notes"),
        (["--reason", "activate"], "add --app ID"),
        (["--reason", "url", "--app", "org.example.Notes"], "no URL is given"),
        (["--payload", "{", "--reason", "activate", "--app", "org.example.Notes"], "payload"),
        (["--progress", "notes:1"], "--progress needs --wait handled"),
      ] {
        let result = try await desk.run("usher", ["open"] + words)
        #expect(result.status == 64 && result.errorOutput.contains(sentence), "\(result)")
      }
      for options in [["0"], ["1", "reason", "s", "activate"], ["1", "target", "s", "org.example.Notes"]] {
        let result = try await desk.run(
          "busctl", ["--user", "call"] + InstalledDesktop.broker + ["Open", "asa{sv}", "0"] + options)
        #expect(!result.succeeded, "\(result)")
        #expect(
          result.errorOutput.contains(
            options.contains("reason") ? "needs a target application" : "the request has no URL"))
      }
    }
  }

  @Test func `has a limit of hops, and counts for the rate limit of links`() async throws {
    try await InstalledDesktop.with { desk in
      // The requests of an hour count together.
      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": "loops=3600"])
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let caller = try await desk.connect()
      var options = OpenOptions()
      (options.reason, options.target) = (.activate, ServedApplication.id)
      var errors: [BrokerErrorName?] = []
      // One request beyond the limit of hops, and thirty others.
      for hops: UInt32 in [9] + Array(repeating: 1, count: 30) {
        options.hops = hops
        do {
          _ = try await caller.call(
            BrokerInterface.open, at: BrokerInterface.broker, [], options.entries)
        } catch { errors.append((error as? BusError)?.brokerError) }
      }
      #expect(errors == [.loop, .tooMany])
      _ = try await broker.stop()
    }
  }

  @Test func `outlives its broker`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      async let report = desk.open("--reason", "location", "--payload", "7", "--app", application.id)
      #expect(try await application.next()["started"] == true)
      try await desk.waitUntilPending { $0 == 1 }
      try await desk.killBroker()
      #expect(try await application.next()["started"] == true)
      try await application.takeName(on: desk)
      let call = try await application.nextCall()
      #expect(call["call"] == "Deliver" && call["reason"] == "location", "\(call)")
      #expect(try await report.status == 0)
    }
  }

  @Test func `that did not arrive is followed by its fallback`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      let report = try await desk.open(
        "--reason", "location", "--payload", "7", "--app", target.kind.id, "--fallback", "play:instead")
      #expect(report.status == 0, "\(report)")
      let arrival = try await target.next()
      #expect(arrival.urls == ["play:instead"])
      #expect(arrival.envelope["reason"] == nil && arrival.envelope["payload"] == nil, "\(arrival)")
    }
  }
}
