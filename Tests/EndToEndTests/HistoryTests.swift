// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

@Suite struct `usher history` {
  private static func entries(_ desk: InstalledDesktop, _ arguments: String...) async throws -> [PropertyList]
  {
    let result = try await desk.run("usher", ["history", "--json"] + arguments)
    try result.orThrow()
    return try PropertyList(json: result.output)["entries"]?.array ?? []
  }

  @Test func `lists requests with target and outcome, without secrets`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      _ = try await desk.open("--wait", "handled", "notes://lovelace:hushhush@note/7?token=secret#secret")
      _ = try await target.next()
      _ = try await desk.open("nobody:secret?token=secret")
      let entries = try await Self.entries(desk)
      #expect(entries.count == 2, "\(entries)")
      #expect(entries[1]["urls"] == ["notes://note/7?…#…"])
      #expect(entries[1]["application"] == "org.example.Notes")
      #expect(entries[1]["delivery"] == "launch")
      #expect(entries[0]["error"] == "org.usher.Error.NoHandler")
      #expect(entries[0]["outcome"] == "failed")
      #expect(entries.allSatisfy { ($0["duration"]?.integer ?? -1) >= 0 && ($0["time"]?.integer ?? 0) > 0 })
      #expect(try await Self.entries(desk, "--limit", "1") == [entries[0]])
      let file = try Data(contentsOf: URL(fileURLWithPath: "\(desk.desktop.stateHome)/usher/state.sqlite"))
      let log =
        (try? Data(contentsOf: URL(fileURLWithPath: "\(desk.desktop.stateHome)/usher/state.sqlite-wal")))
        ?? Data()
      for secret in ["token", "lovelace", "hushhush"] {
        #expect((file + log).range(of: Data(secret.utf8)) == nil, "\(secret) is in the file")
      }
      let lines = try await desk.usher("history").lines
      #expect(lines.count == 2)
      #expect(lines.last?.contains("failed (NoHandler)") == true, "\(lines)")
    }
  }

  /// One array on D-Bus has at most 64 MiB, and a bus disconnects a sender of a longer one.
  @Test func `lists many long rows, which the broker sends in several replies`() async throws {
    try await InstalledDesktop.with { desk in
      let broker = try await desk.startBroker()
      #expect(try await Self.entries(desk).isEmpty)
      let script = """
        import sqlite3, sys
        urls = " ".join(["notes:" + "€" * 500] * 20)
        store = sqlite3.connect(sys.argv[1])
        store.executemany(
            "INSERT INTO history (time, request, urls, assurance, outcome, duration) VALUES (?, ?, ?, 'unknown', 'handled', 7)",
            [(1_000 - n, f"r{n}", urls) for n in range(700)])
        store.commit()
        """
      try await desk.run("/usr/bin/python3", ["-c", script, "\(desk.desktop.stateHome)/usher/state.sqlite"])
        .orThrow()
      let caller = try await desk.connect()
      let reply = try await caller.call(
        BrokerInterface.history, at: BrokerInterface.broker, ["limit": .uint32(10_000)],
        timeout: Command.defaultDeadline)
      #expect((1..<700).contains(reply.count), "\(reply.count)")
      #expect(reply.last?["next"] != nil && reply.dropLast().allSatisfy { $0["next"] == nil })
      let list = #"usher history --json --limit 10000 | grep -oE '"(request-id|next)":"?[a-z0-9]*'"#
      let listed = try await desk.run("sh", ["-c", list]).orThrow().lines
      #expect(listed == (0..<700).reversed().map { "\"request-id\":\"r\($0)" })
      _ = try await broker.stop()
    }
  }

  @Test func `says which route rejected a link, and selects a period`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      try desk.desktop.writeRoutes(
        "rules.toml", "[route.no-ads]\nmatch = \"play:ads/{x...}\"\ndeny = \"no ads\"\n")
      let broker = try await desk.startBroker()
      #expect(try await desk.open("play:ads/1?token=s3cr3t").status == 3)
      let entry = try await Self.entries(desk)[0]
      #expect(entry["reason"] == "the user's route “no-ads” denies the link: no ads", "\(entry)")
      let lines = try await desk.usher("history", "--since", "1h").lines
      #expect(lines.count == 1 && lines[0].hasSuffix("(the user's route “no-ads” denies the link: no ads)"))
      #expect(try await Self.entries(desk, "--until", "1h").isEmpty)
      #expect(try await desk.usher("history", "--since", "yesteryear").status == 64)
      let log = try await broker.stop()
      #expect(log.split(separator: "\n").count { $0.contains("no-ads") } == 1, "\(log)")
      #expect(!log.contains("s3cr3t"))
    }
  }

  @Test func `of an earlier broker is not logged again by the next one`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      let first = try await desk.startBroker()
      #expect(try await desk.open("play:1").status == 0)
      #expect(try await first.stop().contains("delivered"))
      let second = try await desk.startBroker()
      _ = try await Self.entries(desk)
      #expect(!(try await second.stop().contains("delivered")))
    }
  }

  /// By this ID the logs of the caller, the broker and the application can be joined.
  @Test func `has the ID that the caller, the application and the log of the broker have`() async throws {
    try await InstalledDesktop.with { desk in
      let broker = try await desk.startBroker()
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      var ids: [String?] = []
      for options in [["--wait", "handled"], ["--wait", "delivered"]] {
        let receipt = try await desk.run("usher", ["open", "--json", "served:1"] + options).orThrow().output
        let id = try PropertyList(json: receipt)["request-id"]?.string
        #expect(try await application.nextEnvelope().callerRequestID == id)
        ids.append(id)
      }
      #expect(try await Self.entries(desk).map { $0["request-id"]?.string } == ids.reversed())
      let log = try await broker.stop()
      for id in ids.compactMap(\.self) { #expect(log.contains(id), "\(log)") }
    }
  }

  @Test func `shows no path of which a part is secret to a route, nor does the monitor`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      try desk.desktop.writeRoutes(
        "rules.toml",
        """
        [route.reset]
        match = "play:reset/{token}"
        rewrite = "play:open/{token}"
        secret = "token"

        [route.others]
        match = "play:hushhush/{token}"
        allow = true
        secret = true
        source = "org.example.Nobody"
        """)
      let monitor = try await RunningProgram.start(
        "usher", ["monitor", "--json"], environment: desk.desktop.environment)
      _ = try await monitor.line { $0.contains("watching") }
      for url in ["play:reset/s3cr3t", "play:hushhush/s3cr3t", "play:7"] {
        _ = try await desk.open("--wait", "handled", url)
      }
      #expect(try await target.next().urls == ["play:open/s3cr3t"])
      let entries = try await Self.entries(desk)
      #expect(entries.map { $0["urls"] } == [["play:7"], ["play:…"], ["play:…"]], "\(entries)")
      _ = try await monitor.line { $0.contains("play:7") && $0.contains("ended") }
      monitor.terminate()
      let output = await monitor.waitUntilExit().output
      #expect(!output.contains("s3cr3t") && output.contains("play:…"), "\(output)")
    }
  }

  @Test func `survives the broker, and lists interrupted requests`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.silent, .standard, on: desk)
      async let report = desk.open("mimic:1")
      #expect(try await application.nextCall()["urls"] == ["mimic:1"])
      try await desk.killBroker()
      #expect(try await report.outcome == "unknown")
      #expect(try await Self.entries(desk).map { $0["outcome"]?.string } == ["unknown"])
      // A broker that is asked to exit writes all entries first.
      for pid in desk.processes(of: "\(desk.desktop.bin)/usherd") { try await desk.end(pid) }
      #expect(try await Self.entries(desk).map { $0["outcome"]?.string } == ["unknown"])
    }
  }

  @Test func `that cannot be written delays no link, and the doctor reports it`() async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.write("in the way", to: "home/.local/state/usher")
      let target = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      #expect(try await desk.open(target.url(1)).status == 0)
      #expect(try await target.next().urls == [target.url(1)])
      let result = try await desk.usher("history")
      #expect(result.errorOutput.contains("\(desk.desktop.stateHome)/usher"), "\(result)")
      let doctor = try await desk.usher("doctor")
      #expect(doctor.output.contains("the history is not recorded"), "\(doctor)")
    }
  }

  @Test(arguments: ["history", "monitor"])
  func `without a broker reports what it needs, as does usher monitor`(command: String) async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    let result = try await Command.run("usher", [command], environment: desktop.environment)
    #expect(result.status == 69, "\(result)")
    #expect(result.errorOutput.contains("cannot connect to a session bus"), "\(result)")
  }
}
