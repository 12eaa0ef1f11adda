// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

/// Requests that fail after their callers have exited with success, in the broker that accepted them or in the next one.
@Suite struct `A link whose caller has left` {
  private static let slow = ["USHER_TEST_LIMITS": "slow-start=0"]

  /// A change between two brokers because of which the next one cannot deliver a stored link.
  enum Change: CaseIterable {
    case isDenied
    case isUninstalled

    /// The reason in the notification.
    var reason: String {
      switch self {
      case .isDenied: "not any more"
      case .isUninstalled: "is no longer installed"
      }
    }

    func make(on desk: InstalledDesktop) throws {
      switch self {
      case .isDenied:
        try desk.desktop.writeRoutes(
          "denied.toml",
          """
          [route.denied]
          scheme = "mimic"
          deny   = "not any more"
          """)
      case .isUninstalled:
        try FileManager.default.removeItem(
          atPath: "\(desk.desktop.dataHome)/applications/org.example.Mimic.desktop")
      }
    }
  }

  /// Opens a link as the opener of the desktop, for an application that does not acquire its name.
  private static func accept(on desk: InstalledDesktop) async throws -> BusApplication {
    let application = try await BusApplication.install(.hesitates, .application1, on: desk)
    #expect(try await desk.usher("open", "--from-desktop", "mimic:1?token=secret").status == 0)
    #expect(try await application.next()["started"] == true)
    return application
  }

  /// Opens a link as the opener of the desktop, about which the user is asked by a notification.
  private static func openWithQuestion(on desk: InstalledDesktop) async throws -> NotificationServer {
    try desk.desktop.writeRoutes(
      "rules.toml",
      """
      [route.each]
      scheme = "mimic"
      ask    = true
      """)
    let server = try await NotificationServer.start(on: desk)
    #expect(try await desk.usher("open", "--from-desktop", "mimic:1?token=secret").status == 0)
    _ = try await server.next(1)
    return server
  }

  /// Expects a notification about the link.
  private static func expectNotice(
    _ number: Int, because reason: String, on server: NotificationServer,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let shown = try await server.next(number)
    #expect(
      shown.text.contains("A link was not opened") && shown.text.contains("mimic:"), "\(shown)",
      sourceLocation: sourceLocation)
    #expect(!shown.text.contains("secret"), "\(shown)", sourceLocation: sourceLocation)
    _ = try await server.line(with: reason)
  }

  @Test(arguments: Change.allCases)
  func `is reported by a notification if the next broker cannot deliver it`(change: Change) async throws {
    try await InstalledDesktop.with { desk in
      _ = try await Self.accept(on: desk)
      try await desk.killBroker()
      try change.make(on: desk)
      let server = try await NotificationServer.start(on: desk)
      // The next call starts a broker.
      #expect(try await desk.call(InstalledDesktop.broker, "Status").succeeded)
      try await Self.expectNotice(1, because: change.reason, on: server)
    }
  }

  /// Changes what an earlier broker has stored: all requests have expired.
  private static func expireAll(on desk: InstalledDesktop) async throws {
    try await change("UPDATE request SET expires = 1", on: desk)
  }

  /// Changes one row of what an earlier broker has stored.
  private static func change(_ statement: String, on desk: InstalledDesktop) async throws {
    try await Command.run(
      "/usr/bin/python3",
      [
        "-c",
        """
        import sqlite3, sys
        store = sqlite3.connect(sys.argv[1])
        assert store.execute(sys.argv[2]).rowcount == 1
        store.commit()
        store.close()
        """, "\(desk.desktop.runtimeDirectory)/usher/pending.sqlite", statement,
      ]
    ).orThrow()
  }

  @Test func `and that expires while no broker runs is in the history, and reported by a notification`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      _ = try await Self.accept(on: desk)
      try await desk.killBroker()
      try await Self.expireAll(on: desk)
      let server = try await NotificationServer.start(on: desk)
      #expect(try await desk.call(InstalledDesktop.broker, "Status").succeeded)
      try await Self.expectNotice(
        1, because: "expired before it could be sent to org.example.Mimic", on: server)
      let history = try await desk.usher("history").lines
      #expect(history.count == 1 && history[0].contains("failed (Timeout)"), "\(history)")
    }
  }

  @Test(arguments: ["UPDATE content SET text = '{'", "UPDATE request SET details = '{'"])
  func `and that the next broker cannot read is in the history, and reported by a notification`(
    damage: String
  ) async throws {
    try await InstalledDesktop.with { desk in
      _ = try await Self.accept(on: desk)
      try await desk.killBroker()
      try await Self.change(damage, on: desk)
      let server = try await NotificationServer.start(on: desk)
      #expect(try await desk.call(InstalledDesktop.broker, "Status").succeeded)
      let shown = try await server.next(1)
      #expect(shown.text.contains("A link was not opened"), "\(shown)")
      _ = try await server.line(with: "cannot be read")
      let history = try await desk.usher("history").lines
      #expect(history.count == 1 && history[0].contains("failed (InvalidRequest)"), "\(history)")
      try await Self.expectNoFurtherReport(after: history, on: desk)
    }
  }

  @Test(arguments: [#"{"urls": []}"#, #"{"urls": ["no URL"]}"#, "{"])
  func `and about which the user was asked, but which the next broker cannot read, is reported likewise`(
    content: String
  ) async throws {
    try await InstalledDesktop.with { desk in
      _ = try await BusApplication.install(.hesitates, .application1, on: desk)
      let server = try await Self.openWithQuestion(on: desk)
      try await desk.killBroker()
      try await Self.change("UPDATE content SET text = '\(content)'", on: desk)
      #expect(try await desk.call(InstalledDesktop.broker, "Status").succeeded)
      let shown = try await server.next(2)
      #expect(shown.text.contains("A link was not opened"), "\(shown)")
      _ = try await server.line(with: "cannot be read")
      let history = try await desk.usher("history").lines
      #expect(history.count == 1 && history[0].contains("failed (InvalidRequest)"), "\(history)")
      try await Self.expectNoFurtherReport(after: history, on: desk)
    }
  }

  /// Requires that nothing is pending, and that a later broker adds nothing to the history.
  private static func expectNoFurtherReport(after history: [String], on desk: InstalledDesktop) async throws {
    try await desk.waitUntilPending { $0 == 0 }
    try await desk.killBroker()
    #expect(try await desk.call(InstalledDesktop.broker, "Status").succeeded)
    #expect(try await desk.usher("history").lines == history)
  }

  @Test
  func `and about which the user was asked too long ago is in the history, and reported by a notification`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      _ = try await BusApplication.install(.hesitates, .application1, on: desk)
      let server = try await Self.openWithQuestion(on: desk)
      try await desk.killBroker()
      try await Self.expireAll(on: desk)
      #expect(try await desk.call(InstalledDesktop.broker, "Status").succeeded)
      try await Self.expectNotice(2, because: "expired before the user had answered", on: server)
      let history = try await desk.usher("history").lines
      #expect(history.count == 1 && history[0].contains("failed (Timeout)"), "\(history)")
      try await Self.expectNoFurtherReport(after: history, on: desk)
    }
  }

  @Test func `is not reported by the next broker if that opens the fallback`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setDefaults([
        "mimic": ["org.usher.Handler", "org.example.Mimic"],
        "play": ["org.usher.Handler", TargetKind.plain.id],
      ])
      for (number, fallback) in [target.url(1), "no-such-scheme:x"].enumerated() {
        let accepted = try await desk.open("--wait", "accepted", "--fallback", fallback, "mimic:\(number)")
        #expect(accepted.outcome == "accepted", "\(accepted)")
      }
      #expect(try await application.next()["started"] == true)
      try await desk.killBroker()
      try Change.isUninstalled.make(on: desk)
      let server = try await NotificationServer.start(on: desk)
      #expect(try await desk.call(InstalledDesktop.broker, "Status").succeeded)
      #expect(try await target.next().urls == [target.url(1)])
      let shown = try await server.next(1)
      #expect(shown.text.contains("no-such-scheme:"), "\(shown)")
    }
  }

  /// The user has seen a notification about the failure.
  @Test func `is not followed by its fallback in the next broker if it had failed before`() async throws {
    try await InstalledDesktop.with { desk in
      let (_, target) = try await desk.installFallback(.fails)
      let server = try await NotificationServer.start(on: desk)
      let accepted = try await desk.open("--wait", "accepted", "--fallback", target.url(1), "mimic:1")
      #expect(accepted.outcome == "accepted", "\(accepted)")
      #expect(try await server.next(1).text.contains("A link was not opened"))
      try await desk.killBroker()
      try await desk.expectNoFallback(to: target)
      #expect(try await !desk.usher("history").lines.contains { $0.contains(target.url(1)) })
    }
  }

  @Test
  func `is reported by a notification if its application exits while it starts, also under the next broker`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      let broker = try await desk.startBroker(adding: Self.slow)
      var timeout = 0.1
      while try await desk.open("--timeout", "\(timeout)", "mimic:\(timeout)").outcome != "accepted" {
        timeout *= 2
      }
      #expect(try await application.next()["started"] == true)
      let former = application.processes(on: desk)
      await broker.kill()
      for pid in former where application.processes(on: desk).contains(pid) { try await desk.end(pid) }
      let server = try await NotificationServer.start(on: desk)
      let next = try await desk.startBroker(adding: Self.slow)
      #expect(try await application.next()["started"] == true)
      for pid in application.processes(on: desk) { try await desk.end(pid) }
      try await Self.expectNotice(1, because: "org.example.Mimic", on: server)
      _ = try await next.stop()
    }
  }

  @Test func `after a question is reported by a notification if it cannot be stored`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await BusApplication.install(.exitsAtOnce, .application1, on: desk)
      let server = try await Self.openWithQuestion(on: desk)
      try FileManager.default.removeItem(atPath: "\(desk.desktop.runtimeDirectory)/usher")
      try desk.desktop.write("in the way", to: "run/usher")
      try await server.press(0, of: 1)
      try await Self.expectNotice(2, because: "org.example.Mimic", on: server)
    }
  }
}
