// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Logging
import Synchronization
import Systemd
import TestSupport
import Testing
@testable import TriggerService
import Triggers

/// A notification with the identifier of one that is on the screen, while the broker has not answered about it yet.
///
/// The notification server and the broker are in the test's process.
@Suite struct `A notification that replaces another` {
  private static let application = "org.example.Notes"

  /// A notification server and a broker that answers the first question about a permission at once, and the second when it may.
  private final class Desktop: Sendable {
    let bus: BusConnection
    /// `show REPLACED TITLE`, `close NUMBER`, `ask` and `open ACTION TITLE`.
    let events: AsyncStream<String>
    let answer = Gate()
    private let counts = Mutex((shown: UInt32(0), questions: 0))

    init(at address: String, second: PermissionStatus) async throws {
      let bus = try await BusConnection.open(.address(address))
      let (events, happened) = AsyncStream<String>.makeStream()
      (self.bus, self.events) = (bus, events)
      try await bus.export(
        BusObject(
          NotificationsInterface.server.path,
          [
            .method(NotificationsInterface.getCapabilities) { _ async throws(BusError) in
              ["body", "actions"]
            },
            .method(NotificationsInterface.notify) {
              [self] _, _, replaced, _, title, _, _, _, _ async throws(BusError) in
              happened.yield("show \(replaced) \(title)")
              guard replaced == 0 else { return replaced }
              return counts.withLock { counts in
                counts.shown += 1
                return counts.shown
              }
            },
            .method(NotificationsInterface.closeNotification) { _, number async throws(BusError) in
              happened.yield("close \(number)")
            },
          ]))
      try await bus.export(
        BusObject(
          BrokerInterface.path,
          [
            .method(BrokerInterface.requestPermission) { [self] _, _, _, _ async throws(BusError) in
              let isFirst = counts.withLock { counts in
                counts.questions += 1
                return counts.questions == 1
              }
              guard !isFirst else { return PermissionStatus.allowed.rawValue }
              happened.yield("ask")
              await answer.pass()
              return second.rawValue
            },
            .method(BrokerInterface.open) { _, _, options async throws(BusError) in
              let payload = (try? OpenOptions(options))?.payload
              happened.yield(
                "open \(payload?["action-identifier"]?.string ?? "") \(payload?["alert"]?["title"]?.string ?? "")"
              )
              return [:]
            },
          ]))
      for name in [NotificationsInterface.server.name, BrokerInterface.busName] {
        #expect(try await bus.requestName(name) == .owned)
      }
    }

    /// Expects that the next event which begins with `word` is `event`.
    func expect(_ word: String, _ event: String) async throws {
      let found = try await withDeadline(Command.defaultDeadline, "the event “\(event)”") {
        await self.events.first { $0.hasPrefix(word) }
      }
      #expect(found == event)
    }
  }

  /// Runs `body` when the first notification is shown with the number 1, and the broker is asked about the second.
  private static func with(
    second: PermissionStatus = .allowed,
    _ body: @BrokerActor @Sendable (Presenter, Desktop) async throws -> Void
  ) async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let other = try await Desktop(at: bus.address, second: second)
      let connection = try await BusConnection.open(.address(bus.address), on: .shared)
      try await run(body, on: connection, other, desktop.environment)
      await connection.close()
      await other.bus.close()
    }
  }

  @BrokerActor private static func run(
    _ body: @BrokerActor @Sendable (Presenter, Desktop) async throws -> Void, on bus: BusConnection,
    _ desktop: Desktop, _ environment: [String: String]
  ) async throws {
    let log = Logger(label: "test")
    let file = TriggerFile(in: BaseDirectories(environment: environment), log: log, atCommit: nil)
    let identification = SourceIdentification(on: bus, environment: environment, log: log)
    let facts = ApplicationFacts(in: file)
    let server = NotificationServer(on: bus, identification: identification, log: log)
    let (steps, stepped) = AsyncStream<Void>.makeStream()
    let presenter = Presenter(
      server: server, sender: EventSender(on: bus, file: file, log: log, atStep: nil),
      permission: ApplicationPermission(.notifications, on: bus), identification: identification,
      facts: facts,
      badges: BadgeService(on: bus, facts: facts, log: log), file: file, log: log
    ) { stepped.yield() }
    try await server.start { presenter.handle($0) }
    try add("First", to: presenter)
    try await withDeadline(Command.defaultDeadline, "the first notification") {
      // Before and after the call of the server.
      for _ in 0..<2 { _ = await steps.first { _ in true } }
    }
    try add("Second", to: presenter)
    try await desktop.expect("ask", "ask")
    try await body(presenter, desktop)
  }

  @BrokerActor private static func add(_ title: String, to presenter: Presenter) throws {
    var content = NotificationContent()
    content.title = title
    try presenter.deliver(
      NotificationRequest(identifier: "x", content: content), of: application,
      date: WallTime(milliseconds: 1_795_521_600_000), anchor: nil, isOfUser: false)
  }

  @Test func `does not receive the user's action on the other, which is delivered for that one`() async throws
  {
    try await Self.with { presenter, desktop in
      try await desktop.bus.emit(
        NotificationsInterface.actionInvoked, from: NotificationsInterface.server.path, 1, "default")
      try await desktop.expect("open", "open default First")
      #expect(presenter.delivered(of: Self.application).map(\.request.content.title) == ["Second"])
      await desktop.answer.open()
      try await desktop.expect("show", "show 0 Second")
    }
  }

  @Test func `is shown although the user has closed the other`() async throws {
    try await Self.with { presenter, desktop in
      presenter.handle(.closed(1, .dismissed))
      await desktop.answer.open()
      try await desktop.expect("show", "show 0 Second")
      #expect(presenter.delivered(of: Self.application).map(\.request.content.title) == ["Second"])
    }
  }

  @Test func `leaves the other on the screen no longer, if it is not shown itself`() async throws {
    try await Self.with(second: .denied) { presenter, desktop in
      await desktop.answer.open()
      try await desktop.expect("close", "close 1")
      #expect(presenter.isIdle)
    }
  }

  @Test func `is removed with the other before it is shown`() async throws {
    try await Self.with { presenter, desktop in
      try presenter.remove(["x"], of: Self.application)
      try await desktop.expect("close", "close 1")
      await desktop.answer.open()
    }
  }

  @Test func `is shown in its place`() async throws {
    try await Self.with { _, desktop in
      await desktop.answer.open()
      try await desktop.expect("show", "show 1 Second")
    }
  }
}
