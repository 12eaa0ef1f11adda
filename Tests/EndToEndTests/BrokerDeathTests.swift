// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// A broker that is killed at any point; the next one continues (docs/delivery.md).
@Suite struct `A broker that is killed` {
  /// Kills the broker at each point at which it stores, sends or answers, one point for each run.
  ///
  /// The caller repeats its request with the next broker, and no request arrives twice.
  @Test(arguments: [(TargetKind.scenes, true), (.scenes, false), (.gApplication, true), (.plain, false)])
  func `at every commit point in turn loses nothing and sends nothing twice`(
    kind: TargetKind, isRunning: Bool
  ) async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(kind, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [kind])
      var reports: [OpenReport] = []
      var arrived: [String] = []
      var wasKilled = true
      while wasKilled {
        let point = reports.count + 1
        try #require(point < 30)
        if isRunning {
          try await desk.usher("open", target.url(1_000 + point)).orThrow()
          arrived += try await target.next().urls
        } else if kind != .plain {
          // A plain program exits by itself, and one that has not reported yet must not be terminated.
          try await target.end(on: desk)
        }
        try await desk.killBroker(ifAny: true)
        let broker = try await desk.startBroker(adding: ["USHER_TEST_KILL_AT": "\(point)"])
        reports.append(try await desk.open(target.url(point)))
        wasKilled = desk.isGone(broker)
        // Deliveries are ordered, so that a repetition would have arrived before this request. Plain programs report in any order.
        let goal = kind == .plain ? "handled" : "delivered"
        try await desk.usher("open", "--wait", goal, target.url(2_000 + point)).orThrow()
        while !arrived.contains(target.url(2_000 + point)) { arrived += try await target.next().urls }
      }
      let certain = reports.indices.filter { reports[$0].status == 0 }.map { target.url($0 + 1) }
      while !Set(certain).isSubset(of: arrived) { arrived += try await target.next().urls }
      for (index, report) in reports.enumerated() {
        let count = arrived.filter { $0 == target.url(index + 1) }.count
        if kind == .scenes || report.status == 0 {
          #expect(report.status == 0, "point \(index + 1): \(report)")
          #expect(count == 1, "point \(index + 1): \(arrived)")
        } else {
          #expect(report.outcome == "unknown" && report.status == 5, "point \(index + 1): \(report)")
          #expect(count <= 1, "point \(index + 1): \(arrived)")
        }
      }
      // An envelope to a running application is not stored, so that only sending and answering are commit points.
      #expect(reports.count > (kind == .scenes && isRunning ? 2 : 6), "\(reports.map(\.outcome))")
    }
  }

  /// A broker that is asked to exit, as for an upgrade, continues in the same way.
  @Test(arguments: [SIGKILL, SIGTERM])
  func `continues with accepted requests, in order, without their callers`(signal: Int32) async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      let urls = (1...50).map { "mimic:\($0)" }
      var options = OpenOptions()
      options.wait = .accepted
      try await PipelinedOpener(desk).open(urls, options)
      async let waiting = desk.open("--wait", "handled", "mimic:51")
      #expect(try await application.next()["started"] == true)
      try await desk.waitUntilPending { $0 == 51 }
      try await desk.killBroker(signal)
      // Any call starts the next broker; the stored requests precede it.
      async let last = desk.open("mimic:52")
      #expect(try await application.next()["started"] == true)
      try await application.takeName(on: desk)
      var arrived: [String] = []
      while arrived.count < 52 {
        arrived += try await application.nextCall()["urls"]?.array?.compactMap(\.string) ?? []
      }
      #expect(arrived == urls + ["mimic:51", "mimic:52"])
      #expect(try await last.status == 0)
      #expect(try await waiting.outcome == "handled")
    }
  }

  /// The application may have handled it, and exited in order before this broker has sent it again.
  @Test func `has its envelopes marked as repeated by the next one`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      try await desk.usher("open", "--wait", "accepted", "served:1").orThrow()
      let first = try await application.nextEnvelope()
      #expect(!first.isRepeated)
      try await desk.killBroker()
      // Any call starts the next broker.
      try await desk.usher("history").orThrow()
      let again = try await application.nextEnvelope()
      #expect(again.requestID == first.requestID && again.isRepeated && !again.isRedelivered)
      await application.gate.open()
    }
  }

  /// The broker cannot know which requests the former one has sent to a running application without storing them, but their callers do.
  @Test func `has new requests of usher open not marked as repeated by the next one`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      try await desk.usher("open", "served:1").orThrow()
      #expect(try await !application.nextEnvelope().isRepeated)
      try await desk.killBroker()
      // On the bus, and at the socket of the broker that this call has started.
      for words in [["--annotation", "{}", "served:2"], ["served:3"]] {
        try await desk.run("usher", ["open"] + words).orThrow()
        #expect(try await !application.nextEnvelope().isRepeated, "\(words)")
      }
      var options = OpenOptions()
      options.requestID = "mine"
      try await PipelinedOpener(desk).open(["served:4"], options)
      #expect(try await application.nextEnvelope().isRepeated)
      options.isFirstAttempt = true
      options.requestID = "new"
      let opener = PipelinedOpener(try await desk.connect())
      for call in await opener.send(["served:5"], options) { _ = try await call.value }
      #expect(try await !application.nextEnvelope().isRepeated)
      // A repetition is the same request without the statement.
      options.isFirstAttempt = false
      for call in await opener.send(["served:5"], options) {
        #expect(try Receipt(try await call.value).outcome == .handled)
      }
    }
  }

  /// Otherwise the outcome of a call that the application has received would be unknown.
  @Test func `waits for the reply of an application before it exits, if it is asked to exit`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.answersLater, .standard, on: desk)
      let broker = try await desk.startBroker()
      async let report = desk.open("--wait", "delivered", "mimic:1")
      #expect(try await application.nextCall()["urls"]?.array?.first?.string == "mimic:1")
      async let later = desk.open("--wait", "delivered", "mimic:2")
      try await desk.waitUntilPending { $0 == 2 }
      kill(broker.pid, SIGTERM)
      try await desk.waitUntilStopping()
      try await application.takeName(on: desk)
      #expect(try await report.status == 0)
      // The next broker sends what was waiting.
      #expect(try await application.nextCall()["urls"]?.array?.first?.string == "mimic:2")
      try await application.takeName(on: desk)
      #expect(try await later.status == 0)
    }
  }

  @Test func `sends nothing that the rules deny by then, and records that`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      try desk.desktop.writeRoutes("rules.toml", "[route.none]\nmatch = \"other:x\"\ndeny = \"no\"\n")
      var options = OpenOptions()
      options.wait = .accepted
      try await PipelinedOpener(desk).open(
        ["mimic:1", "mimic:secret/2", "mimic:secret/3", "mimic:4"], options)
      async let waiting = desk.open("--wait", "handled", "mimic:secret/5")
      #expect(try await application.next()["started"] == true)
      try await desk.waitUntilPending { $0 == 5 }
      // The caller that waits starts the next broker at once, so the rules must be there before.
      try desk.desktop.writeRoutes(
        "rules.toml",
        "[route.now]\nmatch = \"mimic:secret/{x}\"\ndeny = \"closed by now\"\n"
          + "[route.asked]\nmatch = \"mimic:4\"\nask = true\n")
      try await desk.killBroker()
      // Any call starts the next broker.
      async let last = desk.open("mimic:6")
      #expect(try await application.next()["started"] == true)
      try await application.takeName(on: desk)
      var arrived: [String] = []
      while arrived.count < 2 {
        arrived += try await application.nextCall()["urls"]?.array?.compactMap(\.string) ?? []
      }
      #expect(arrived == ["mimic:1", "mimic:6"])
      #expect(try await last.status == 0)
      let report = try await waiting
      #expect(report.status == 3 && report.message.contains("closed by now"), "\(report)")
      let history = try await desk.usher("history").lines
      #expect(history.count { $0.contains("failed (Denied)") } == 4, "\(history)")
    }
  }

  @Test func `decides again both what the caller sent and what a route made of it`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      try desk.desktop.writeRoutes(
        "rules.toml", "[route.go]\nmatch = \"mimic:go/{x}\"\nrewrite = \"mimic:{x}\"\n")
      var options = OpenOptions()
      options.wait = .accepted
      try await PipelinedOpener(desk).open(["mimic:1", "mimic:go/2", "mimic:go/3", "mimic:go/4"], options)
      #expect(try await application.next()["started"] == true)
      try await desk.waitUntilPending { $0 == 4 }
      try desk.desktop.writeRoutes(
        "rules.toml",
        "[route.before]\nmatch = \"mimic:go/2\"\ndeny = \"no\"\n"
          + "[route.after]\nmatch = \"mimic:3\"\ndeny = \"no\"\n")
      try await desk.killBroker()
      async let last = desk.open("mimic:6")
      #expect(try await application.next()["started"] == true)
      try await application.takeName(on: desk)
      var arrived: [String] = []
      while arrived.count < 3 {
        arrived += try await application.nextCall()["urls"]?.array?.compactMap(\.string) ?? []
      }
      #expect(arrived == ["mimic:1", "mimic:4", "mimic:6"])
      #expect(try await last.status == 0)
      let history = try await desk.usher("history").lines
      #expect(history.count { $0.contains("failed (Denied)") } == 2, "\(history)")
    }
  }

  @Test func `opens the files that a machine shares, unless the rules deny them by then`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      try desk.desktop.setDefaults([
        "mimic": ["org.usher.Handler", application.id], "file": [application.id],
      ])
      let shared = "\(desk.desktop.root)/shared"
      let route = """
        [route.src]
        match   = "file:///src/{path...}"
        source  = { remote = "build.example.org" }
        rewrite = "file://\(shared)/{path}"

        """
      try desk.desktop.writeRoutes("remote.toml", route)
      let rig = try await RemoteRig.start(on: desk)
      let server = try await NotificationServer.start(on: desk)
      for number in [1, 2] {
        try desk.desktop.write("text", to: "shared/\(number).txt")
        async let opened = rig.open("--wait=accepted", "--timeout=240", "file:///src/\(number).txt")
        _ = try await server.next(number)
        try await server.press(0, of: number)
        #expect(try await opened.status == 0)
      }
      #expect(try await application.next()["started"] == true)
      try await desk.waitUntilPending { $0 == 2 }
      try desk.desktop.writeRoutes(
        "remote.toml", route + "[route.now]\nmatch = \"file://\(shared)/2.txt\"\ndeny = \"closed by now\"\n")
      try await desk.killBroker()
      async let last = desk.open("mimic:3")
      #expect(try await application.next()["started"] == true)
      try await application.takeName(on: desk)
      var arrived: [String] = []
      while arrived.last != "mimic:3" {
        arrived += try await application.nextCall()["urls"]?.array?.compactMap(\.string) ?? []
      }
      #expect(arrived == ["file://\(shared)/1.txt", "mimic:3"])
      #expect(try await last.status == 0)
      let history = try await desk.usher("history").lines
      #expect(history.count { $0.contains("failed (Denied)") } == 1, "\(history)")
      #expect(await rig.end() == 0)
    }
  }

  @Test
  func
    `Rule 14: an interrupted request is sent again, under the same ID, to an application that detects repetitions`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.silent, .application1, on: desk)
      // The application does not run yet, so that the request is stored.
      async let report = desk.open("--timeout", timeLimit(15), "mimic:1")
      let first = try await application.nextCall()
      try await desk.killBroker()
      #expect(try await application.nextCall() == first)
      #expect(try await report.outcome == "unknown")
    }
  }

  @Test func `reports unknown for interrupted sends to other applications, and never repeats them`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let report = try await desk.killBrokerWhileItSends()
      #expect(report.message.contains("the broker exited"))
    }
  }

  @Test func `returns the receipt to a caller that repeats its ID, and rejects another content`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      let caller = try await desk.connect()
      var options = OpenOptions()
      options.requestID = "mine"
      func open(_ url: String) async throws -> Receipt {
        try Receipt(
          try await caller.call(
            BrokerInterface.open, at: BrokerInterface.broker, [url], options.entries,
            timeout: .seconds(60) * timeoutFactor))
      }
      let first = try await open(target.url(1))
      try await desk.killBroker()
      #expect(try await open(target.url(1)) == first)
      do {
        _ = try await open(target.url(2))
        Issue.record("it was opened")
      } catch let error as BusError {
        #expect(error.name == BrokerErrorName.invalidRequest.errorName, "\(error)")
      }
      options.requestID = nil
      _ = try await open(target.url(3))
      // Programs that were started in sequence report in any order.
      let arrived = [try await target.next().urls, try await target.next().urls]
      #expect(Set(arrived) == [[target.url(1)], [target.url(3)]])
    }
  }

  @Test func `opens the fallback of a request that failed before`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      let other = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setDefaults([
        "mimic": ["org.usher.Handler", application.id], "play": ["org.usher.Handler", TargetKind.plain.id],
      ])
      async let report = desk.open("--fallback", "play:instead", "mimic:1")
      #expect(try await application.next()["started"] == true)
      // The next broker cannot deliver to an application that was uninstalled meanwhile.
      try FileManager.default.removeItem(
        atPath: "\(desk.desktop.dataHome)/applications/\(application.id).desktop")
      try await desk.killBroker()
      #expect(try await other.next().urls == ["play:instead"])
      #expect(try await report.status == 0)
    }
  }

  @Test func `does not open a fallback that was rejected before, whatever the rules are by then`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let (_, target) = try await desk.installFallback(.fails)
      try desk.desktop.writeRoutes(
        "rules.toml", "[route.no]\nmatch = \"\(target.url(1))\"\ndeny = \"not this one\"\n")
      let report = try await desk.open("--fallback", target.url(1), "mimic:1")
      #expect(report.error == "Denied", "\(report)")
      // Rows that wait are written before the history is returned.
      try await desk.usher("history").orThrow()
      try desk.desktop.writeRoutes(
        "rules.toml", "[route.yes]\nmatch = \"\(target.url(1))\"\nallow = true\n")
      try await desk.killBroker()
      try await desk.expectNoFallback(to: target)
      let history = try await desk.usher("history").lines.filter { $0.contains(target.url(1)) }
      #expect(history.count == 1 && history[0].contains("Denied"), "\(history)")
    }
  }

  /// The caller has learned that the outcome is unknown.
  @Test func `does not open the fallback of a request that failed after its caller's timeout`() async throws {
    try await InstalledDesktop.with { desk in
      let (application, target) = try await desk.installFallback(.answersLater)
      async let first = desk.open("--wait", "handled", "mimic:1")
      #expect(try await application.nextCall()["urls"] == ["mimic:1"])
      try await application.takeName(on: desk)
      #expect(try await first.error == "NotHandled")
      let report = try await desk.open(
        "--timeout", timeLimit(5), "--fallback", target.url(1), "mimic:2")
      #expect(report.outcome == "unknown", "\(report)")
      #expect(try await application.nextCall()["urls"] == ["mimic:2"])
      try await application.takeName(on: desk)
      try await desk.waitUntilPending { $0 == 0 }
      try await desk.killBroker()
      try await desk.expectNoFallback(to: target)
      #expect(try await !desk.usher("history").lines.contains { $0.contains(target.url(1)) })
    }
  }

  /// Several brokers in turn exit at their fortieth commit point, so that none of them processes all requests.
  @Test(arguments: [TargetKind.scenes, .gApplication])
  func `repeatedly still replies to every caller, and sends nothing twice`(kind: TargetKind) async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(kind, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [kind])
      let starts = "\(desk.desktop.root)/starts"
      let program = try desk.desktop.installScript(
        "short-lived",
        "#!/bin/sh\necho >>'\(starts)'\nUSHER_TEST_KILL_AT=40 exec '\(desk.desktop.bin)/usherd'\n")
      for name in ["org.usher.Broker1", "org.usher.Handler"] {
        try desk.desktop.installActivation(name, exec: program)
      }
      // The bus knows the installed files already.
      try await desk.bus.reload()
      var arrived: [String] = []
      let reports = try await withThrowingTaskGroup(of: (String, OpenReport).self) { openers in
        for number in 1...20 {
          let url = target.url(number)
          openers.addTask { (url, try await desk.open("--timeout", timeLimit(60), url)) }
        }
        return try await openers.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      for name in ["org.usher.Broker1", "org.usher.Handler"] {
        try desk.desktop.installActivation(name, exec: "\(desk.desktop.bin)/usherd")
      }
      try await desk.bus.reload()
      // A broker that was started after another one shows that the first one was killed.
      #expect(try String(contentsOfFile: starts, encoding: .utf8).utf8.count > 1)
      try await desk.killBroker(ifAny: true)
      try await desk.usher("open", target.url(99)).orThrow()
      while arrived.last != target.url(99) { arrived += try await target.next().urls }
      #expect(Set(arrived).count == arrived.count, "\(arrived)")
      for (url, report) in reports {
        guard kind == .scenes || report.status == 0 else {
          #expect(report.outcome == "unknown", "\(report)")
          continue
        }
        #expect(report.status == 0, "\(report)")
        #expect(arrived.contains(url), "\(url): \(arrived)")
      }
    }
  }

  @Test func `outlives its bus, and so does its caller`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      async let report = desk.open("mimic:1")
      #expect(try await application.next()["started"] == true)
      await desk.bus.kill()
      let another = try await PrivateBus.start(in: desk.desktop)
      try await application.takeName(on: desk)
      #expect(try await application.nextCall()["urls"] == ["mimic:1"])
      #expect(try await report.status == 0)
      await another.stop()
    }
  }

  /// The bus passes its address with its GUID to the broker that it starts, and a restarted bus has another one.
  ///
  /// The application does not survive its bus. Its next instance recognizes the request by the ID.
  @Test func `outlives its bus also if the bus has started it, and sends the request under the same ID`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.silent, .application1, on: desk)
      let caller = try await RunningProgram.start(
        "usher", ["open", "--wait", "handled", "--timeout", "600", "mimic:1"],
        environment: desk.desktop.environment)
      let first = try await application.nextCall()
      await desk.bus.kill()
      let another = try await PrivateBus.start(in: desk.desktop)
      #expect(try await application.nextCall() == first)
      caller.terminate()
      _ = await caller.waitUntilExit()
      await another.stop()
    }
  }

  /// A call starts the broker on a bus without systemd; under systemd it is restarted without a call.
  @Test func `is restarted by systemd, and continues without a call`() async throws {
    try await Session.with { session in
      let application = try await BusApplication.install(.hesitates, .application1, in: session.desktop)
      _ = try await session.must("usher open --wait accepted mimic:1")
      #expect(try await application.next()["started"] == true)
      _ = try await session.must("systemctl --user kill --signal=KILL usherd.service")
      // The next broker runs without a call.
      #expect(try await application.next()["started"] == true)
      #expect(try await session.must("systemctl --user show -P NRestarts usherd.service") == ["1"])
      _ = try await session.must("echo go >'\(session.desktop.root)/\(application.id).go'")
      #expect(try await application.nextCall()["urls"] == ["mimic:1"])
    }
  }
}

extension InstalledDesktop {
  /// Installs an application, and a program whose links are fallbacks for its links.
  func installFallback(_ behaviour: BusApplication.Behaviour) async throws -> (BusApplication, Target) {
    let application = try await BusApplication.install(behaviour, .application1, on: self)
    let target = try await Target.install(.plain, on: desktop)
    try desktop.setDefaults([
      "mimic": ["org.usher.Handler", application.id], "play": ["org.usher.Handler", TargetKind.plain.id],
    ])
    return (application, target)
  }

  /// Starts the next broker, and expects that the target gets no link before a later one.
  func expectNoFallback(
    to target: Target, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(try await call(Self.broker, "Status").succeeded, sourceLocation: sourceLocation)
    try await usher("open", "--wait", "handled", target.url(2)).orThrow()
    #expect(try await target.next().urls == [target.url(2)], sourceLocation: sourceLocation)
  }

  /// Returns `true` if a broker has exited.
  func isGone(_ broker: Broker) -> Bool {
    // A zombie that was not reaped yet counts as exited.
    guard let status = FileManager.default.contents(atPath: "/proc/\(broker.pid)/stat") else { return true }
    return String(decoding: status, as: UTF8.self).split(separator: ")").last?.hasPrefix(" Z") == true
  }
}
