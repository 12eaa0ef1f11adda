import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// The broker is killed in the middle of what it does; the next one goes on (docs/delivery.md).
@Suite struct `A broker that is killed` {
  /// Every point at which something is written down, sent or answered, in turn: the broker is killed there, the caller
  /// brings its request to the next one, and nothing arrives twice.
  @Test(arguments: [(TargetKind.scenes, true), (.scenes, false), (.gApplication, true), (.plain, false)])
  func `at every commit point in turn loses nothing and sends nothing twice`(
    kind: TargetKind, isRunning: Bool
  ) async throws {
    try await Desk.with { desk in
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
        } else {
          try await target.end(on: desk)
        }
        try await desk.killBroker()
        let broker = try await desk.startBroker(adding: ["USHER_TEST_KILL_AT": "\(point)"])
        reports.append(try await desk.open(target.url(point)))
        wasKilled = desk.isGone(broker)
        // The order is kept: whatever came twice would have come before this. Programs tell of themselves in any order.
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
      // An envelope to a running application is not written down: it is sent, and answered.
      #expect(reports.count > (kind == .scenes && isRunning ? 2 : 6), "\(reports.map(\.outcome))")
    }
  }

  /// Asked to end, as for an upgrade, it leaves no less behind.
  @Test(arguments: [SIGKILL, SIGTERM])
  func `goes on with what was accepted, in order, though its callers have left`(signal: Int32) async throws {
    try await Desk.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      let urls = (1...50).map { "mimic:\($0)" }
      var options = OpenOptions()
      options.wait = .accepted
      try await PipelinedOpener(desk).open(urls, options)
      async let waiting = desk.open("--wait", "handled", "mimic:51")
      #expect(try await application.next()["started"] == true)
      try await desk.waitUntilPending { $0 == 51 }
      try await desk.killBroker(signal)
      // Anybody's call starts another; what waits was there before.
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

  @Test func `Rule 14: sends what was cut off once more to an application that knows it, under the same ID`()
    async throws
  {
    try await Desk.with { desk in
      let application = try await BusApplication.install(.silent, .application1, on: desk)
      // Not running yet, so it is written down.
      async let report = desk.open("--timeout", "5", "mimic:1")
      let first = try await application.nextCall()
      try await desk.killBroker()
      #expect(try await application.nextCall() == first)
      #expect(try await report.outcome == "unknown")
    }
  }

  @Test func `says unknown of what it was sending to any other, and sends it never again`() async throws {
    try await Desk.with { desk in
      let report = try await desk.killBrokerWhileItSends()
      #expect(report.message.contains("the broker ended"))
    }
  }

  @Test func `gives a caller that asks again under its ID the receipt, and refuses another content`()
    async throws
  {
    try await Desk.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      let caller = try await desk.connect()
      var options = OpenOptions()
      options.requestID = "mine"
      func open(_ url: String) async throws -> Receipt {
        try Receipt(
          try await caller.call(
            BrokerInterface.open, at: BrokerInterface.broker, [url], options.entries, timeout: .seconds(60)))
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
      // Programs that were started one after the other tell of themselves in any order.
      let arrived = [try await target.next().urls, try await target.next().urls]
      #expect(Set(arrived) == [[target.url(1)], [target.url(3)]])
    }
  }

  @Test func `opens the fallback of what failed before`() async throws {
    try await Desk.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      let other = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setDefaults([
        "mimic": ["org.usher.Handler", application.id], "play": ["org.usher.Handler", TargetKind.plain.id],
      ])
      async let report = desk.open("--fallback", "play:instead", "mimic:1")
      #expect(try await application.next()["started"] == true)
      // What is not installed any more when the next broker looks cannot get it.
      try FileManager.default.removeItem(
        atPath: "\(desk.desktop.dataHome)/applications/\(application.id).desktop")
      try await desk.killBroker()
      #expect(try await other.next().urls == ["play:instead"])
      #expect(try await report.status == 0)
    }
  }

  /// One broker after the other dies at its fortieth point, in the middle of a crowd: none of them gets through all of it.
  @Test(arguments: [TargetKind.scenes, .gApplication])
  func `again and again answers everybody, and sends nothing twice`(kind: TargetKind) async throws {
    try await Desk.with { desk in
      let target = try await Target.install(kind, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [kind])
      for name in ["org.usher.Broker1", "org.usher.Handler"] {
        try desk.desktop.installActivation(
          name, exec: "/usr/bin/env USHER_TEST_KILL_AT=40 \(desk.desktop.bin)/usherd")
      }
      var arrived: [String] = []
      let reports = try await withThrowingTaskGroup(of: (String, OpenReport).self) { openers in
        for number in 1...20 {
          let url = target.url(number)
          openers.addTask { (url, try await desk.open("--timeout", "60", url)) }
        }
        return try await openers.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      for name in ["org.usher.Broker1", "org.usher.Handler"] {
        try desk.desktop.installActivation(name, exec: "\(desk.desktop.bin)/usherd")
      }
      try await desk.killBroker()
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
    try await Desk.with { desk in
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

  /// On a bus without systemd another call starts it; under systemd nobody has to call.
  @Test func `is started again by systemd, and goes on though nobody calls`() async throws {
    try await Session.with { session in
      let application = try await BusApplication.install(.hesitates, .application1, in: session.desktop)
      _ = try await session.must("usher open --wait accepted mimic:1")
      #expect(try await application.next()["started"] == true)
      _ = try await session.must("systemctl --user kill --signal=KILL usherd.service")
      // By the next broker, which nobody has called.
      #expect(try await application.next()["started"] == true)
      #expect(try await session.must("systemctl --user show -P NRestarts usherd.service") == ["1"])
      _ = try await session.must("echo go >'\(session.desktop.root)/\(application.id).go'")
      #expect(try await application.nextCall()["urls"] == ["mimic:1"])
    }
  }
}

extension Desk {
  /// Whether a broker has ended.
  func isGone(_ broker: Broker) -> Bool {
    // A zombie that nobody reaped yet has gone, too.
    guard let status = FileManager.default.contents(atPath: "/proc/\(broker.pid)/stat") else { return true }
    return String(decoding: status, as: UTF8.self).split(separator: ")").last?.hasPrefix(" Z") == true
  }
}
