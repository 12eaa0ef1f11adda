// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// The life of `usher-triggers`, and what it sends.
@Suite struct `The trigger daemon` {
  private static func start(on desk: InstalledDesktop) async throws -> RunningProgram {
    let program = try await RunningProgram.start("usher-triggers", environment: desk.desktop.environment)
    try await desk.waitForOwner(of: TriggersInterface.busName)
    return program
  }

  @Test func `exits when nothing is stored or shown any more, and is started again by a call`() async throws {
    try await InstalledDesktop.with(needsPermit: false) { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let server = try await NotificationServer.start(on: desk)
      let program = try await Self.start(on: desk)
      let daemon = try await TriggerDaemon(on: desk)
      // A pending notification, a shown one, and a badge.
      try await daemon.add(
        #"{"identifier": "later", "content": {"title": "L"}, "trigger": {"kind": "interval", "interval": 3600}}"#
      )
      try await daemon.add(#"{"identifier": "now", "content": {"title": "N", "badge": 2}}"#)
      _ = try await server.next(1)
      let first = try await daemon.bus.owner(of: TriggersInterface.busName)
      let cancelled = try await desk.usher("notify", "cancel", ServedApplication.id, "now", "typo").orThrow()
      #expect(
        cancelled.errorOutput.contains("has no notification “typo”")
          && !cancelled.errorOutput.contains("“now”"), "\(cancelled)")
      try await desk.usher("notify", "cancel", ServedApplication.id, "--all").orThrow()
      #expect(try await daemon.bus.owner(of: TriggersInterface.busName) == first)
      try await desk.usher("notify", ServedApplication.id, "--badge", "0").orThrow()
      let ended = await program.waitUntilExit()
      #expect(
        ended.status == 0 && ended.errorOutput.contains("there is no work for applications"),
        "\(ended)")
      #expect(try await daemon.pending().isEmpty)
      let second = try await daemon.bus.owner(of: TriggersInterface.busName)
      #expect(second != nil && second != first)
    }
  }

  @Test func `leaves the name to the daemon that has it`() async throws {
    try await InstalledDesktop.with { desk in
      let first = try await Self.start(on: desk)
      let second = try await desk.run("usher-triggers")
      #expect(
        second.status == 0 && second.errorOutput.contains("another daemon owns the bus name"), "\(second)")
      first.terminate()
      #expect(await first.waitUntilExit().status == 0)
    }
  }

  /// The numbers that the daemon announces for the icon of `ServedApplication`.
  private static func badges(
    _ daemon: TriggerDaemon
  ) async throws -> AsyncStream<ReceivedSignal<String, [String: Variant]>> {
    try await daemon.bus.signals(
      BusSignal<Arguments<String, [String: Variant]>>(
        "Update", of: "com.canonical.Unity.LauncherEntry", carries: ["app_uri", "properties"]),
      from: TriggersInterface.busName, at: "/org/usher/launcherentry/org_46example_46Served")
  }

  @Test func `announces badges, and again when a dock starts`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let server = try await NotificationServer.start(on: desk)
      let daemon = try await TriggerDaemon(on: desk)
      let badges = try await Self.badges(daemon)
      func next() async throws -> [String: Variant] {
        let signal = try await withDeadline(Command.defaultDeadline, "a badge") {
          await badges.first { _ in true }
        }
        let (uri, properties) = try #require(signal).values
        #expect(uri == "application://\(ServedApplication.id).desktop")
        return properties
      }
      try await desk.usher("notify", ServedApplication.id, "--badge", "3").orThrow()
      #expect(try await next() == ["count": .int64(3), "count-visible": .boolean(true)])
      // A notification without a badge changes nothing.
      try await daemon.add(#"{"identifier": "a", "content": {"title": "A"}}"#)
      _ = try await server.next(1)
      let dock = try await desk.connect()
      #expect(try await dock.requestName("com.canonical.Unity") == .owned)
      #expect(try await next() == ["count": .int64(3), "count-visible": .boolean(true)])
      try await daemon.bus.call(
        TriggersInterface.setBadge, at: TriggersInterface.triggers, ServedApplication.id, 0)
      #expect(try await next() == ["count": .int64(0), "count-visible": .boolean(false)])
      await dock.close()
    }
  }

  /// The broker exits at its N-th write, delivery or answer: while it offers the notification, or receives the user's response.
  @Test func `sends a response again to the next broker, under one request ID`() async throws {
    try await InstalledDesktop.with(needsPermit: false) { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let server = try await NotificationServer.start(on: desk)
      let program = try await Self.start(on: desk)
      let daemon = try await TriggerDaemon(on: desk)
      // The daemon stays until this notification is removed.
      try await daemon.add(
        #"{"identifier": "later", "content": {"title": "L"}, "trigger": {"kind": "interval", "interval": 3600}}"#
      )
      var (point, wasKilled) = (0, true)
      var taps: [(identifier: String, request: String?)] = []
      func record(_ envelope: Envelope) {
        guard envelope.payload?["action-identifier"] == "default" else { return }
        taps.append((envelope.payload?["identifier"]?.string ?? "?", envelope.callerRequestID))
      }
      while wasKilled {
        point += 1
        try #require(point < 40)
        try await desk.killBroker(ifAny: true)
        let broker = try await desk.startBroker(adding: ["USHER_TEST_KILL_AT": "\(point)"])
        try await daemon.add(#"{"identifier": "\#(point)", "content": {"title": "T"}}"#)
        _ = try await server.next(point)
        try await server.ping()
        try await server.invoke("default", of: point)
        while !taps.contains(where: { $0.identifier == "\(point)" }) {
          record(try await application.nextEnvelope())
        }
        try await daemon.waitUntilDelivered([])
        wasKilled = desk.isGone(broker)
      }
      // Now the daemon exits when the broker has accepted every response.
      try await desk.usher("notify", "cancel", ServedApplication.id, "later").orThrow()
      _ = await program.waitUntilExit()
      try await desk.usher("open", "served:last").orThrow()
      var envelope = try await application.nextEnvelope()
      while envelope.urls != ["served:last"] {
        record(envelope)
        envelope = try await application.nextEnvelope()
      }
      for number in 1...point {
        let requests = Set(taps.filter { $0.identifier == "\(number)" }.map(\.request))
        #expect(requests.count == 1, "killed at \(number): \(taps)")
        #expect(requests.first??.hasPrefix("notification-") == true, "\(requests)")
      }
      #expect(point > 6, "only \(point) points")
    }
  }
}
