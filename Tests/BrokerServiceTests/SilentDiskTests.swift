// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import DBus
import Dispatch
import Freedesktop
import Logging
import State
import Systemd
import TestSupport
import Testing

@testable import BrokerService

@Suite struct `A disk of the history that does not respond` {
  @Test func `delays the exit of the broker no longer than a limit`() async throws {
    let directory = try TemporaryDirectory()
    let gate = DispatchSemaphore(value: 0)
    let writer = await HistoryWriter(
      in: BaseDirectories(environment: ["XDG_STATE_HOME": directory.path]),
      log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      open: { () throws(StateError) in
        gate.wait()
        return try HistoryStore.open(at: "\(directory.path)/usher/state.sqlite")
      })
    await writer.add(
      HistoryEntry(
        time: 1, request: "a", urls: "play:1", source: nil, assurance: "unknown", application: nil,
        delivery: nil, outcome: "delivered", error: nil, duration: 1))
    try await withDeadline(Command.defaultDeadline, "the end of the wait") {
      await writer.flush(within: .milliseconds(50))
    }
    gate.signal()
    // A disk that responds later gets the row.
    #expect(try await writer.page(limit: 1, in: 0..<10, before: nil).entries.count == 1)
  }
}

@Suite struct `A disk of the grants that does not respond` {
  /// A disk that opens the file of the grants when the test releases it.
  private final class Disk: Sendable {
    private let ended = DispatchSemaphore(value: 0)
    let asked: AsyncStream<Void>
    private let tell: AsyncStream<Void>.Continuation

    init() { (asked, tell) = AsyncStream<Void>.makeStream() }

    func open(_ path: String) throws(StateError) -> (store: GrantStore, setAside: String?) {
      tell.yield()
      ended.wait()
      return try GrantStore.open(at: path)
    }

    func letGo() { ended.signal() }
  }

  private static let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  @Test func `delays no other work, and pending grants are written later`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let disk = Disk()
    let keeper = await GrantRepository(
      in: BaseDirectories(environment: ["XDG_STATE_HOME": directory.path]), log: Self.log,
      timeout: .milliseconds(200),
      open: { () throws(StateError) in try disk.open("\(directory.path)/usher/state.sqlite") })
    let scope = GrantScope(scheme: "notes", isSandboxed: true)
    let entry = GrantEntry(scope: .init(scope), assurance: "unknown", answer: "yes", time: 1, expires: nil)
    let kept = Task { () -> StateError? in
      do throws(StateError) {
        try await keeper.keep([entry])
        return nil
      } catch {
        return error
      }
    }
    _ = await disk.asked.first { _ in true }
    // The event loop is not blocked meanwhile.
    await EventLoop.shared.start {}.value
    #expect(await keeper.grants(of: [scope], for: .unidentified).isEmpty)
    #expect(await kept.value?.reason == .notResponding)
    disk.letGo()
    // A read may take longer than the timeout on a busy machine, so the one that has the grant is examined.
    let grants = try await withDeadline(Command.defaultDeadline, "the grant") {
      var grants: [Grant] = []
      while grants.isEmpty {
        try Task.checkCancellation()
        grants = await keeper.grants(of: [scope], for: .unidentified)
      }
      return grants
    }
    #expect(grants.map(\.answer) == [.yes])
  }

  /// Runs `body` with a repository whose file has the consent to `notes:` links of sandboxed callers, and is opened when the test
  /// releases the disk.
  private static func withRepository(_ body: (GrantRepository, Disk, GrantScope) async throws -> Void)
    async throws
  {
    let directory = try TemporaryDirectory()
    let disk = Disk()
    let scope = GrantScope(scheme: "notes", isSandboxed: true)
    let entry = GrantEntry(scope: .init(scope), assurance: "unknown", answer: "yes", time: 1, expires: nil)
    let repository = await GrantRepository(
      in: BaseDirectories(environment: ["XDG_STATE_HOME": directory.path]), log: log,
      timeout: .seconds(3_600),
      open: { () throws(StateError) in
        let opened = try disk.open("\(directory.path)/usher/state.sqlite")
        try opened.store.add(entry, now: 1)
        return opened
      })
    try await body(repository, disk, scope)
  }

  /// Starts calls that list the grants, and waits until they are counted.
  private static func startCalls(
    of callers: [ChargedCaller], on repository: GrantRepository, _ disk: Disk
  ) async -> [Task<[GrantEntry]?, Never>] {
    let calls = callers.map { caller in
      EventLoop.shared.start { try? await repository.all(for: caller) }
    }
    // The first call has opened the file, and the last one has begun.
    _ = await disk.asked.first { _ in true }
    await EventLoop.shared.start {}.value
    return calls
  }

  /// Calls of one program took all places, so that decisions were made as if there were no grants, and answers were dropped.
  @Test func `displaces neither decisions nor answers by calls about grants`() async throws {
    try await Self.withRepository { repository, disk, scope in
      let callers = (0..<BrokerLimits.maximumGrantOperations).map { ChargedCaller("caller \($0)") }
      let calls = await Self.startCalls(of: callers, on: repository, disk)
      #expect(await repository.shortage(for: ChargedCaller("another")) == .full)
      let found = EventLoop.shared.start { await repository.grants(of: [scope], for: .unidentified) }
      let other = GrantScope(scheme: "play", isSandboxed: true)
      let entry = GrantEntry(scope: .init(other), assurance: "unknown", answer: "no", time: 1, expires: nil)
      let kept = EventLoop.shared.start { () -> StateError? in
        do throws(StateError) {
          try await repository.keep([entry])
          return nil
        } catch {
          return error
        }
      }
      // The loop does its work in order, so that both precede the first reply of the disk.
      await EventLoop.shared.start {}.value
      disk.letGo()
      #expect(await found.value.map(\.answer) == [.yes])
      #expect(await kept.value == nil)
      #expect(await repository.grants(of: [other], for: .unidentified).map(\.answer) == [.no])
      for call in calls { #expect(await call.value?.isEmpty == false) }
    }
  }

  /// The user was asked about what is stored.
  @Test func `finds the grants for all requests of a caller that waited for one prompt`() async throws {
    try await Self.withRepository { repository, disk, scope in
      let decisions = (0..<BrokerLimits.maximumWaitingPerPrompt).map { _ in
        EventLoop.shared.start { await repository.grants(of: [scope], for: .unidentified) }
      }
      _ = await disk.asked.first { _ in true }
      await EventLoop.shared.start {}.value
      disk.letGo()
      for decision in decisions { #expect(await decision.value.map(\.answer) == [.yes]) }
    }
  }

  @Test func `leaves other callers room for calls about grants beside the share of one`() async throws {
    try await Self.withRepository { repository, disk, _ in
      let (one, other) = (ChargedCaller("one"), ChargedCaller("other"))
      let share = BrokerLimits.maximumGrantOperations / 4
      let calls = await Self.startCalls(
        of: [ChargedCaller](repeating: one, count: share), on: repository, disk)
      #expect(await repository.shortage(for: one) == .part(held: share))
      #expect(await repository.shortage(for: other) == nil)
      disk.letGo()
      for call in calls { #expect(await call.value?.count == 1) }
      #expect(await repository.shortage(for: one) == nil)
    }
  }

  /// Runs `body` with a broker in this process whose disk of the grants does not respond, and the arguments that store a grant.
  private static func withBroker(
    timeout: Duration, _ body: (ThrowAwayDesktop, Disk, _ allowing: [String]) async throws -> Void
  ) async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let disk = Disk()
      let daemon = await BrokerDaemon(
        on: try await BusConnection.open(.address(bus.address)), environment: desktop.environment,
        log: Self.log, timeout: timeout,
        openGrants: { () throws(StateError) in
          try disk.open("\(desktop.stateHome)/usher/state.sqlite")
        }, lookingBy: { LocalFiles().type(ofFileAt: $0) })
      #expect(try await daemon.start())
      try await body(
        desktop, disk, ["grants", "allow", "--source", "org.example.Chat", "--scheme", "play"])
      await daemon.bus.close()
    }
  }

  @Test func `delays no link`() async throws {
    try await Self.withBroker(timeout: .seconds(3_600)) { desktop, disk, allowing in
      let player = try Recorder("player", in: desktop)
      try desktop.installDesktopEntry("player", exec: "\(player.execWord) %u")
      try desktop.installMimeApps("[Default Applications]\nx-scheme-handler/play=player.desktop\n")
      let change = Task {
        try await Command.run(BuiltProducts.usher, allowing, environment: desktop.environment)
      }
      _ = await disk.asked.first { _ in true }
      // The change waits until the test releases the disk.
      try await Command.run(BuiltProducts.usher, ["open", "play:1"], environment: desktop.environment)
        .orThrow()
      #expect(try await player.nextStart().arguments == ["play:1"])
      disk.letGo()
      _ = try await change.value
    }
  }

  @Test func `lets a change of grants fail with an error`() async throws {
    try await Self.withBroker(timeout: .seconds(1)) { desktop, disk, allowing in
      let reported = try await Command.run(BuiltProducts.usher, allowing, environment: desktop.environment)
      #expect(
        reported.status == 1 && reported.errorOutput.contains("the file system does not respond"),
        "\(reported)")
      disk.letGo()
    }
  }
}
