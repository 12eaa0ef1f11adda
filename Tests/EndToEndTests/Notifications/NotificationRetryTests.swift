// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Synchronization
import TestSupport
import Testing

/// Notifications with a server in the test's own process that rejects calls, answers late or not at all.
@Suite struct `A notification of a server that does not answer as it should` {
  /// A stand-in for a notification server, whose user taps each notification that it shows.
  private final class Server: Sendable {
    /// The deviation of the server.
    enum Flaw: String, CaseIterable {
      /// The first `GetCapabilities` fails.
      case rejectsCapabilities
      /// The first `Notify` fails.
      case rejectsNotification
      /// The first `Notify` is answered after the time for which most calls wait.
      case isSlow
      /// No `Notify` is answered.
      case isSilent
    }

    private struct State {
      var flaw: Flaw?
      var calls = 0
    }

    private let bus: BusConnection
    private let state: Mutex<State>
    private let shown = AsyncStream<String>.makeStream()

    private init(_ bus: BusConnection, _ flaw: Flaw?) {
      self.bus = bus
      state = Mutex(State(flaw: flaw))
    }

    /// Starts a server.
    static func start(_ flaw: Flaw?, on desk: InstalledDesktop) async throws -> Server {
      let server = Server(try await desk.connect(), flaw)
      try await server.bus.export(
        BusObject(
          NotificationsInterface.server.path,
          [
            .method(NotificationsInterface.getCapabilities) { _ async throws(BusError) in
              if server.takes(.rejectsCapabilities) { throw BusError(.failed, "not now") }
              return ["body", "actions"]
            },
            .method(NotificationsInterface.notify) { _, _, _, _, title, _, _, _, _ async throws(BusError) in
              try await server.show(title)
            },
            .method(NotificationsInterface.closeNotification) { _, _ async throws(BusError) in },
          ]))
      guard try await server.bus.requestName(NotificationsInterface.server.name) == .owned else {
        throw TestSupportError("another notification server runs")
      }
      return server
    }

    /// The number of calls of `Notify`.
    var calls: Int { state.withLock(\.calls) }

    /// Returns the title of the next call of `Notify`.
    func next() async throws -> String? {
      try await withDeadline(Command.defaultDeadline, "a call of Notify") {
        await self.shown.stream.first { _ in true }
      }
    }

    /// Leaves the name to another server, and runs on.
    func giveWay() async throws { try await bus.releaseName(NotificationsInterface.server.name) }

    func end() async { await bus.close() }

    private func takes(_ flaw: Flaw) -> Bool {
      state.withLock { state in
        guard state.flaw == flaw else { return false }
        if flaw != .isSilent { state.flaw = nil }
        return true
      }
    }

    private func show(_ title: String) async throws(BusError) -> UInt32 {
      state.withLock { $0.calls += 1 }
      shown.continuation.yield(title)
      if takes(.rejectsNotification) { throw BusError(.failed, "too many notifications") }
      if takes(.isSilent) { for await _ in AsyncStream<Never>.makeStream().stream {} }
      // The time is an input of this test.
      if takes(.isSlow) { try? await Task.sleep(for: .seconds(12)) }
      // The user is faster than the reply.
      try await bus.emit(
        NotificationsInterface.actionInvoked, from: NotificationsInterface.server.path, 7, "default")
      return 7
    }
  }

  @Test(arguments: [Server.Flaw.rejectsCapabilities, .rejectsNotification, .isSlow])
  private func `is shown later, and acted on once`(flaw: Server.Flaw) async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let server = try await Server.start(flaw, on: desk)
      let daemon = try await TriggerDaemon(on: desk)
      try await daemon.add(#"{"identifier": "a", "content": {"title": "A"}}"#)
      _ = try await application.nextEnvelope()
      #expect(try await application.nextEnvelope().payload?["action-identifier"] == "default")
      try await daemon.waitUntilDelivered([])
      #expect(server.calls == (flaw == .rejectsNotification ? 2 : 1))
      await server.end()
    }
  }

  @Test func `is shown by the server that replaces it`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let silent = try await Server.start(.isSilent, on: desk)
      let daemon = try await TriggerDaemon(on: desk)
      try await daemon.add(#"{"identifier": "a", "content": {"title": "A"}}"#)
      _ = try await application.nextEnvelope()
      #expect(try await silent.next() == "A")
      try await silent.giveWay()
      let second = try await Server.start(nil, on: desk)
      #expect(try await application.nextEnvelope().payload?["action-identifier"] == "default")
      try await daemon.waitUntilDelivered([])
      #expect(silent.calls == 1 && second.calls == 1)
      await silent.end()
      await second.end()
    }
  }
}
