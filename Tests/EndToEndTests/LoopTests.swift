// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

@Suite struct `A redirect loop` {
  /// Runs a test with a broker whose memory of links lasts for an hour, so that it does not depend on the time that programs take.
  private static func withLastingMemory(_ body: @Sendable (InstalledDesktop) async throws -> Void)
    async throws
  {
    try await InstalledDesktop.with { desk in
      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": "loops=3600"])
      try await body(desk)
      _ = try await broker.stop()
    }
  }

  private static func install(_ desk: InstalledDesktop) throws {
    for id in ["org.example.A", "org.example.B"] {
      try desk.desktop.installDesktopEntry(id, exec: "true %u", schemes: ["round"])
    }
    try desk.desktop.setDefaults(["round": ["org.usher.Handler", "org.example.B"]])
  }

  @Test func `between two applications is stopped, and both are named`() async throws {
    try await Self.withLastingMemory { desk in
      try Self.install(desk)
      #expect(try await desk.open("--source-application", "org.example.A", "round:1").status == 0)
      let back = [
        "open", "--json", "--source-application", "org.example.B", "--app", "org.example.A", "round:1",
      ]
      let report = try OpenReport(try await desk.run("usher", back))
      #expect(report.status == 7 && report.error == "Loop", "\(report)")
      #expect(report.message.contains("org.example.A → org.example.B → org.example.A"), "\(report)")
      // Another link belongs to another redirect chain, and a link that the user clicks is opened.
      let other = Array(back.dropLast()) + ["round:2"]
      #expect(try await desk.run("usher", other).status == 0)
      #expect(try await desk.run("usher", back, adding: ["XDG_ACTIVATION_TOKEN": "token"]).status == 0)
    }
  }

  @Test func `is stopped if an application names a link that it received as a fallback`() async throws {
    try await Self.withLastingMemory { desk in
      try Self.install(desk)
      // The application B receives the first link by itself, and the second one as a fallback.
      #expect(try await desk.open("--source-application", "org.example.A", "round:1").status == 0)
      let instead = ["--source-application", "org.example.A", "--fallback", "round:2", "no-such-scheme:x"]
      #expect(try await desk.run("usher", ["open"] + instead).status == 0)
      for url in ["round:1", "round:2"] {
        let report = try await desk.open(
          "--source-application", "org.example.B", "--fallback", url, "no-such-scheme:x")
        #expect(report.status == 7 && report.error == "Loop", "\(report)")
        #expect(report.message.contains("org.example.A → org.example.B → org.example.B"), "\(report)")
      }
    }
  }

  @Test func `between two Scenes applications is stopped after eight hops, with an error`()
    async throws
  {
    try await Self.withLastingMemory { desk in
      for (id, scheme) in [("org.example.One", "one"), ("org.example.Two", "two")] {
        try desk.desktop.installDesktopEntry(
          id, exec: "\(BuiltProducts.directory)/SceneProbe \(id) \(desk.desktop.root)/\(id).log",
          schemes: [scheme], lines: ["Implements=org.usher.Application1;"])
      }
      try desk.desktop.setDefaults(
        ["one": ["org.usher.Handler", "org.example.One"], "two": ["org.usher.Handler", "org.example.Two"]])
      let monitor = try await RunningProgram.start(
        "usher", ["monitor", "--json"], environment: desk.desktop.environment)
      _ = try await monitor.line { $0.contains("watching") }
      let first = try await desk.open("one:bounce/two")
      #expect(first.status == 0, "\(first)")
      let refused = try PropertyList(json: await monitor.line { $0.contains("Error.Loop") })
      #expect(refused["urls"] == ["two:bounce/one"])
      #expect(refused["source-application"] == "org.example.One")
      let log = try String(contentsOfFile: "\(desk.desktop.root)/org.example.One.log", encoding: .utf8)
      // The link that the test opened, and its repetitions.
      #expect(log.split(separator: "\n").count { $0.hasPrefix("begin") } == 5)
      monitor.terminate()
      _ = await monitor.waitUntilExit()
    }
  }

  /// A launcher that does not know the bus starts the program again, with the link that it received a moment ago.
  @Test func `is none if a second instance passes on a link that the first one received`() async throws {
    try await InstalledDesktop.with { desk in
      let (id, log) = ("org.example.One", "\(desk.desktop.root)/one.log")
      let program = "\(BuiltProducts.directory)/SceneProbe"
      try desk.desktop.installDesktopEntry(
        id, exec: "\(program) \(id) \(log)", schemes: ["one"], lines: ["Implements=org.usher.Application1;"])
      try desk.desktop.setDefaults(["one": ["org.usher.Handler", id]])
      #expect(try await desk.open("--wait", "handled", "one:ok/1").status == 0)
      let running = desk.processes(of: program)
      let second = try await desk.run(program, [id, log, "one:ok/1"])
      #expect(second.status == 0 && second.errorOutput.isEmpty, "\(second)")
      // The first instance is still the one that receives links.
      let later = try await desk.open("--wait", "handled", "one:ok/2")
      #expect(later.status == 0 && later.first?["delivery"] == "running", "\(later)")
      #expect(running.count == 1 && desk.processes(of: program) == running)
      let ended = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        .filter { $0.hasPrefix("end") }.compactMap { $0.split(separator: " ").last }
      #expect(ended == ["one:ok/1", "one:ok/1", "one:ok/2"])
    }
  }

  @Test func `is no loop if an application opens a URL repeatedly that it did not receive`() async throws {
    try await InstalledDesktop.with { desk in
      try Self.install(desk)
      for _ in 0..<3 {
        #expect(try await desk.open("--source-application", "org.example.A", "round:1").status == 0)
      }
    }
  }

  /// A terminal hands the token of its start on to each program that runs in it.
  @Test func `An activation token counts as a click for one request, on the bus and the socket`() async throws
  {
    try await InstalledDesktop.with { desk in
      try Self.install(desk)
      try desk.desktop.installRoutes(
        "clicks",
        """
        format = 1
        owner = "user"

        [route.unclicked]
        scheme = "round"
        deny   = "not clicked"

        [route.clicked]
        scheme = "round"
        source = { user_activation = "clicked" }
        allow  = true

        """)
      // A plain call uses the socket, one with a name the bus.
      for (number, words) in [["open"], ["open", "--source-application", "org.example.A"]].enumerated() {
        for count in 0..<3 {
          let result = try await desk.run(
            "usher", words + ["round:\(number)-\(count)"], adding: ["XDG_ACTIVATION_TOKEN": "token-\(number)"]
          )
          #expect(result.status == (count == 0 ? 0 : 3), "\(result)")
        }
      }
    }
  }

  /// Each start runs the next one, which inherits `USHER_HOPS`; a token stands for a click.
  @Test(arguments: [
    (url: "chain:$((n + 1))", token: "token-$n", end: 12, arrives: true),
    // The token of one click is passed on with all further links.
    (url: "chain:$((n + 1))", token: "token", end: 12, arrives: false),
    (url: "chain:$(((n + 1) % 2))", token: "token-$$", end: 12, arrives: false),
    // No user clicks another link ten times a second.
    (url: "chain:$((n + 1))", token: "token-$n", end: 1_000, arrives: false),
  ])
  func `is distinguished from links that a user opens one after the other`(
    url: String, token: String, end: Int, arrives: Bool
  ) async throws {
    try await Self.withLastingMemory { desk in
      let chain = try desk.desktop.installScript(
        "chain",
        """
        #!/bin/sh
        n=${1#chain:}
        if [ "$n" = \(end) ]; then exec usher open end:1; fi
        XDG_ACTIVATION_TOKEN="\(token)" exec usher open "\(url)"

        """)
      let last = try Recorder("last", in: desk.desktop)
      try desk.desktop.installDesktopEntry("org.example.Chain", exec: "\(chain) %u", schemes: ["chain"])
      try desk.desktop.installDesktopEntry("org.example.Last", exec: "\(last.path) %u", schemes: ["end"])
      try desk.desktop.setDefaults(
        [
          "chain": ["org.usher.Handler", "org.example.Chain"],
          "end": ["org.usher.Handler", "org.example.Last"],
        ])
      let monitor = try await RunningProgram.start(
        "usher", ["monitor", "--json"], environment: desk.desktop.environment)
      _ = try await monitor.line { $0.contains("watching") }
      #expect(try await desk.open("chain:0").status == 0)
      let line = try await monitor.line { $0.contains("Error.Loop") || $0.contains("org.example.Last") }
      #expect(line.contains("Error.Loop") != arrives, "\(line)")
      if arrives { #expect(try await last.nextStart().arguments == ["end:1"]) }
      monitor.terminate()
      _ = await monitor.waitUntilExit()
    }
  }

  @Test func `through an intermediary has a rate limit, and its source gets an error`() async throws {
    try await Self.withLastingMemory { desk in
      try Self.install(desk)
      var options = OpenOptions()
      options.hops = 1
      let urls = (1...31).map { "round:\($0)" }
      var failures: [BusError] = []
      for call in try await PipelinedOpener(desk).send(urls, options) {
        do { _ = try await call.value } catch let error as BusError { failures.append(error) }
      }
      #expect(failures.map(\.brokerError) == [.tooMany])
      #expect(failures.first?.message.contains("30 links within 10 s") == true, "\(failures)")
      // Links without forwarding have no rate limit.
      for call in try await PipelinedOpener(desk).send(urls, OpenOptions()) { _ = try await call.value }
    }
  }
}
