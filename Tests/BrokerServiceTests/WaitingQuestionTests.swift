// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import Logging
import RouteTables
import Synchronization
import Systemd
import TestSupport
import Testing

@testable import BrokerService

/// Sign-ins and registrations of a machine that are requested while the user is asked about another one.
@Suite struct `A sign-in that waits for its turn` {
  /// A notification server on a bus, whose user presses a button when the test does.
  private final class Server: Sendable {
    /// A notification.
    struct Shown: Sendable {
      let id: UInt32
      let title: String
      let keys: [String]
    }

    private let bus: BusConnection
    private let notifications: AsyncStream<Shown>
    private let last = Mutex<UInt32>(0)

    init(on bus: BusConnection) async throws {
      let (notifications, show) = AsyncStream<Shown>.makeStream()
      (self.bus, self.notifications) = (bus, notifications)
      try await bus.export(
        BusObject(
          NotificationsInterface.server.path,
          [
            .method(NotificationsInterface.getCapabilities) { _ async throws(BusError) in ["actions"] },
            .method(NotificationsInterface.getServerInformation) { _ async throws(BusError) in
              ("test", "", "1", "1.2")
            },
            .method(NotificationsInterface.notify) {
              [self] _, _, _, _, title, _, actions, _, _ async throws(BusError) in
              let id: UInt32 = last.withLock { number in
                number += 1
                return number
              }
              let keys = stride(from: 0, to: actions.count, by: 2).map { actions[$0] }
              show.yield(Shown(id: id, title: title, keys: keys))
              return id
            },
            .method(NotificationsInterface.closeNotification) { _, _ async throws(BusError) in },
          ]))
      guard try await bus.requestName("org.freedesktop.Notifications") == .owned else {
        throw TestSupportError("the bus has a notification server")
      }
    }

    /// Waits for the next notification.
    func next() async throws -> Shown {
      let shown = try await withDeadline(Command.defaultDeadline, "a prompt") { [notifications] in
        await notifications.first { _ in true }
      }
      guard let shown else { throw TestSupportError("no prompt is shown") }
      return shown
    }

    /// Presses the button with this index, from the left.
    func press(_ button: Int, of shown: Shown) async throws {
      try await bus.emit(
        NotificationsInterface.actionInvoked, from: NotificationsInterface.server.path, shown.id,
        shown.keys[button])
    }
  }

  /// Runs `body` with a service that shows its prompts at a notification server.
  private static func with(_ body: (PromptService, Server) async throws -> Void) async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let own = try await BusConnection.open(.address(bus.address))
      let other = try await BusConnection.open(.address(bus.address))
      let server = try await Server(on: other)
      let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      let grants = await GrantRepository(
        in: BaseDirectories(environment: desktop.environment), log: log, timeout: Command.defaultDeadline)
      let prompts = await PromptService(
        on: own,
        probe: PromptCapabilityProbe(
          bus: own, files: FileThread(), fileReader: LocalFiles(), timeout: Command.defaultDeadline),
        launcher: ProgramLauncher(bus: nil, on: .shared), grants: grants,
        identifyingBy: CallerIdentification(.init(own, runtimeDirectory: nil), on: .shared), log: log)
      try await body(prompts, server)
      await other.close()
      await own.close()
    }
  }

  private static func machine(_ name: String = "build") throws -> RemoteMachine {
    try #require(RemoteMachine(name))
  }

  private static func signIn(_ state: String, of name: String = "build") throws -> UserQuestion {
    let url = try URLString(
      "https://accounts.example/authorize?client_id=cli&state=\(state)&redirect_uri=http%3A%2F%2Flocalhost%3A8085%2Fcb"
    )
    guard case .redirect(let redirect) = LoopbackRedirect.Reading(url) else {
      throw TestSupportError("\(url.text) is not a sign-in")
    }
    return .link(Question(.signIn(redirect), about: url, from: .remote(try machine(name))))
  }

  private static func registration() throws -> UserQuestion {
    .registration(try #require(SchemeRegistration(of: "com.example.tool", for: try machine())))
  }

  private static func link() throws -> UserQuestion {
    .link(Question(.sandbox, about: try URLString("https://example.org/"), from: .remote(try machine())))
  }

  /// Asks a question of the machine, after all earlier ones.
  @BrokerActor
  private static func ask(
    _ question: UserQuestion, by prompts: PromptService, for questioner: String = "machine build",
    within timeout: Duration? = nil
  ) -> Task<PromptResponse, Never> {
    let text =
      switch question {
      case .link(let link): QuestionText(link, opener: nil, title: { _ in nil })
      case .permission(let permission): QuestionText(permission, title: nil)
      case .registration(let registration): QuestionText(registration)
      }
    let query = PromptService.Query(
      question: question, text: text, candidates: [], environment: [:], session: .unknown, tokens: nil)
    return BrokerActor.loop.start { await prompts.ask(query, for: questioner, timeout: { timeout }) }
  }

  /// Returns whether a question ends because of the pause of its machine.
  private static func isPaused(_ question: Task<PromptResponse, Never>) async -> Bool {
    if case .silent(let reason) = await question.value {
      reason.contains("is not asked again yet")
    } else {
      false
    }
  }

  /// Expects that the next prompt is about an ordinary link, and allows it.
  private static func allow(
    _ link: Task<PromptResponse, Never>, at server: Server, or first: Server.Shown? = nil
  ) async throws {
    let shown: Server.Shown
    if let first { shown = first } else { shown = try await server.next() }
    #expect(shown.title == "Open this https: link?")
    try await server.press(0, of: shown)
    #expect(await link.value == .answered(.yes))
  }

  @Test func `ends when the user refuses the one before, and so does a registration, but no other link`()
    async throws
  {
    try await Self.with { prompts, server in
      let first = try await Self.ask(Self.signIn("s1"), by: prompts)
      let shown = try await server.next()
      let link = try await Self.ask(Self.link(), by: prompts)
      let second = try await Self.ask(Self.signIn("s2"), by: prompts)
      let registration = try await Self.ask(Self.registration(), by: prompts)
      try await server.press(1, of: shown)
      #expect(await first.value == .answered(.no))
      #expect(await Self.isPaused(second))
      #expect(await Self.isPaused(registration))
      let third = try await Self.ask(Self.signIn("s3"), by: prompts)
      #expect(await Self.isPaused(third))
      try await Self.allow(link, at: server)
      // Another machine may ask.
      let other = try await Self.ask(Self.signIn("s1", of: "other"), by: prompts, for: "machine other")
      try await server.press(0, of: server.next())
      #expect(await other.value == .answered(.yes))
    }
  }

  @Test func `ends when the time for the answer to the one before has passed`() async throws {
    try await Self.with { prompts, server in
      let first = try await Self.ask(Self.signIn("s1"), by: prompts, within: .milliseconds(1))
      let second = try await Self.ask(Self.registration(), by: prompts)
      #expect(await first.value == .late)
      #expect(await Self.isPaused(second))
      let link = try await Self.ask(Self.link(), by: prompts)
      // The first prompt may have been shown before.
      let shown = try await server.next()
      try await Self.allow(link, at: server, or: shown.title.hasPrefix("Sign in") ? nil : shown)
    }
  }

  @Test func `is shown when the machine has withdrawn the one before, and ends with the second withdrawal`()
    async throws
  {
    try await Self.with { prompts, server in
      let first = try await Self.ask(Self.signIn("s1"), by: prompts)
      _ = try await server.next()
      let second = try await Self.ask(Self.signIn("s2"), by: prompts)
      let third = try await Self.ask(Self.signIn("s3"), by: prompts)
      let link = try await Self.ask(Self.link(), by: prompts)
      first.cancel()
      #expect(await first.value == .late)
      #expect(try await server.next().title.hasPrefix("Sign in"))
      second.cancel()
      #expect(await second.value == .late)
      #expect(await Self.isPaused(third))
      try await Self.allow(link, at: server)
    }
  }

  @Test func `ends when the user ends a registration of the machine, and the one that is shown does not`()
    async throws
  {
    try await Self.with { prompts, server in
      let first = try await Self.ask(Self.signIn("s1"), by: prompts)
      let shown = try await server.next()
      let second = try await Self.ask(Self.signIn("s2"), by: prompts)
      await prompts.pauseQuestions(of: try Self.machine())
      #expect(await Self.isPaused(second))
      try await server.press(0, of: shown)
      #expect(await first.value == .answered(.yes))
    }
  }
}
