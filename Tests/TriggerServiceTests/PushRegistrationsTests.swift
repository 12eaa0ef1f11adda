// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Logging
import State
import Synchronization
import Systemd
import TestSupport
import Testing
@testable import TriggerService
import Triggers

/// The registrations of one daemon at a stand-in for a push distributor, which reports an endpoint when the test says so.
@Suite struct `A registration for pushes` {
  private static let application = "org.example.Notes"

  /// A distributor that accepts every registration until it rejects all.
  private final class Distributor: Sendable {
    let name: BusName = "org.unifiedpush.Distributor.standin"
    /// The calls: `register TOKEN KEY`, and `unregister TOKEN`.
    let (calls, call) = AsyncStream<[String]>.makeStream()
    let rejects = Mutex(false)
    /// Delays the replies until the gate is open.
    let delay = Mutex<Gate?>(nil)

    func serve(on bus: BusConnection) async throws {
      try await bus.export(
        BusObject(
          UnifiedPush.distributorPath,
          [
            .method(UnifiedPush.Distributor.register) { [self] _, arguments async throws(BusError) in
              guard !rejects.withLock({ $0 }) else {
                return ["success": .string("REGISTRATION_FAILED"), "reason": .string("NETWORK")]
              }
              call.yield([
                "register", arguments["token"]?.string ?? "?", arguments["vapid"]?.string ?? "no key",
              ])
              await delay.withLock { $0 }?.pass()
              return ["success": .string("REGISTRATION_SUCCEEDED")]
            },
            .method(UnifiedPush.Distributor.unregister) { [self] _, arguments async throws(BusError) in
              call.yield(["unregister", arguments["token"]?.string ?? "?"])
              return [:]
            },
          ]))
      #expect(try await bus.requestName(name) == .owned)
    }

    /// Waits for the next call.
    func next() async throws -> [String] {
      let call = try await withDeadline(Command.defaultDeadline, "a call of the distributor") { [calls] in
        await calls.first { _ in true }
      }
      return try #require(call)
    }
  }

  @BrokerActor private final class Rig {
    let registrations: PushRegistrations
    let distributor: Distributor
    private let file: TriggerFile

    init(on bus: BusConnection, in environment: [String: String], with distributor: Distributor) {
      let log = Logger(label: "test")
      self.distributor = distributor
      file = TriggerFile(in: BaseDirectories(environment: environment), log: log, atCommit: nil)
      registrations = PushRegistrations(
        on: bus, file: file, clock: TriggerClock(),
        identification: SourceIdentification(on: bus, environment: environment, log: log),
        endpointTimeout: .seconds(20) * timeoutFactor, log: log)
    }

    /// The tokens of the registrations that are stored.
    var stored: [String] {
      get throws { try file.use { store throws(StateError) in try store.registrations() }.map(\.token) }
    }

    /// A value that is `true` for each registration of the user, after all were compared with the file.
    var isOfUser: [Bool] {
      get throws {
        let stored = try file.use { store throws(StateError) in try store.registrations() }
        #expect(stored == registrations.all)
        return stored.map(\.isOfUser)
      }
    }

    /// Starts to register the application.
    func register(key: String? = nil, isOfUser: Bool = false) -> Task<RemoteNotificationToken, any Error> {
      Task { @BrokerActor in
        try await registrations.register(
          application, description: "Notes", .init(vapid: key), isOfUser: isOfUser)
      }
    }

    /// Reports the endpoint of a registration.
    func report(_ endpoint: String, of token: String) async throws {
      let registration = registrations.registration(token: token)
      try await registrations.setEndpoint(endpoint, of: #require(registration))
    }

    /// Registers the application, and returns the token of the distributor and that of the application.
    func registered() async throws -> (id: String, token: RemoteNotificationToken) {
      let call = register()
      let id = try await distributor.next()[1]
      try await report("https://push.example/1", of: id)
      return (id, try await call.value)
    }

    /// Registers the application, whose registration exists, for the user.
    func repeatByUser() async throws {
      let call = register(isOfUser: true)
      #expect(try await distributor.next().first == "register")
      _ = try await call.value
    }
  }

  private static func with(_ body: @BrokerActor @Sendable (Rig) async throws -> Void) async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let server = try await BusConnection.open(.address(bus.address))
      let distributor = Distributor()
      try await distributor.serve(on: server)
      let connection = try await BusConnection.open(.address(bus.address), on: .shared)
      let rig = await Rig(on: connection, in: desktop.environment, with: distributor)
      try await body(rig)
      await connection.close()
      await server.close()
    }
  }

  @Test func `has a token when the distributor has reported the endpoint, and keeps it`() async throws {
    try await Self.with { rig in
      let (id, token) = try await rig.registered()
      #expect(token.endpoint == "https://push.example/1")
      #expect(try rig.stored == [id])
      let again = rig.register()
      #expect(try await rig.distributor.next() == ["register", id, "no key"])
      #expect(try await again.value == token)
    }
  }

  @Test func `with another key replaces the earlier one when it has an endpoint`() async throws {
    try await Self.with { rig in
      let (first, token) = try await rig.registered()
      let call = rig.register(key: "key")
      let second = try await rig.distributor.next()
      #expect(second.first == "register" && second[1] != first && second.last == "key")
      #expect(try rig.stored == [first])
      #expect(rig.registrations.all.map(\.token) == [first])
      try await rig.report("https://push.example/2", of: second[1])
      #expect(try await rig.distributor.next() == ["unregister", first])
      let replacement = try await call.value
      #expect(replacement.endpoint == "https://push.example/2")
      #expect(replacement.publicKey != token.publicKey)
      #expect(try rig.stored == [second[1]])
      // A call that names no key does not change it.
      let again = rig.register()
      #expect(try await rig.distributor.next() == ["register", second[1], "key"])
      #expect(try await again.value == replacement)
    }
  }

  @Test func `that the distributor rejects is forgotten, and an earlier one remains`() async throws {
    try await Self.with { rig in
      rig.distributor.rejects.withLock { $0 = true }
      let rejected = await rig.register().result
      #expect(throws: BusError.self) { try rejected.get() }
      #expect(try rig.stored.isEmpty)
      #expect(rig.registrations.applications.isEmpty)
      rig.distributor.rejects.withLock { $0 = false }
      let (id, _) = try await rig.registered()
      rig.distributor.rejects.withLock { $0 = true }
      let replacement = await rig.register(key: "key").result
      #expect(throws: BusError.self) { try replacement.get() }
      #expect(try await rig.distributor.next().first == "unregister")
      #expect(rig.registrations.all.map(\.token) == [id])
    }
  }

  @Test func `is the user's after the distributor has accepted a call of the user`()
    async throws
  {
    try await Self.with { rig in
      let (id, token) = try await rig.registered()
      rig.distributor.rejects.withLock { $0 = true }
      let rejected = await rig.register(isOfUser: true).result
      #expect(throws: BusError.self) { try rejected.get() }
      #expect(try rig.isOfUser == [false])
      rig.distributor.rejects.withLock { $0 = false }
      for isOfUser in [true, false] {
        let call = rig.register(isOfUser: isOfUser)
        #expect(try await rig.distributor.next() == ["register", id, "no key"])
        #expect(try await call.value == token)
        #expect(try rig.isOfUser == [true])
      }
    }
  }

  @Test(arguments: [false, true])
  func `of the user remains the user's when the application replaces it`(isFirst: Bool) async throws {
    try await Self.with { rig in
      _ = try await rig.registered()
      if isFirst { try await rig.repeatByUser() }
      let call = rig.register(key: "key")
      let replacement = try await rig.distributor.next()[1]
      if !isFirst { try await rig.repeatByUser() }
      try await rig.report("https://push.example/2", of: replacement)
      _ = try await call.value
      #expect(rig.registrations.all.map(\.token) == [replacement])
      #expect(try rig.isOfUser == [true])
    }
  }

  @Test func `that replaces another one is the user's if the user repeats it`() async throws {
    try await Self.with { rig in
      _ = try await rig.registered()
      let first = rig.register(key: "key")
      let replacement = try await rig.distributor.next()[1]
      let second = rig.register(key: "key", isOfUser: true)
      #expect(try await rig.distributor.next()[1] == replacement)
      try await rig.report("https://push.example/2", of: replacement)
      for call in [first, second] { #expect(try await call.value.endpoint == "https://push.example/2") }
      #expect(try rig.isOfUser == [true])
    }
  }

  @Test func `that replaces one of the user is the user's if that ends before`() async throws {
    try await Self.with { rig in
      let (id, _) = try await rig.registered()
      try await rig.repeatByUser()
      let call = rig.register(key: "key")
      let replacement = try await rig.distributor.next()[1]
      let earlier = rig.registrations.registration(token: id)
      try await rig.registrations.end(#require(earlier))
      try await rig.report("https://push.example/2", of: replacement)
      #expect(try await call.value.endpoint == "https://push.example/2")
      #expect(try rig.isOfUser == [true])
    }
  }

  @Test func `that is replaced while the user repeats it gives the user the token of the replacement`()
    async throws
  {
    try await Self.with { rig in
      let (id, _) = try await rig.registered()
      let replacing = rig.register(key: "key")
      let replacement = try await rig.distributor.next()[1]
      let reply = Gate()
      rig.distributor.delay.withLock { $0 = reply }
      let call = rig.register(isOfUser: true)
      #expect(try await rig.distributor.next() == ["register", id, "no key"])
      try await rig.report("https://push.example/2", of: replacement)
      await reply.open()
      #expect(try await call.value.endpoint == "https://push.example/2")
      #expect(try await replacing.value.endpoint == "https://push.example/2")
      #expect(try rig.isOfUser == [true])
    }
  }

  @Test func `that ends fails the calls that wait for its endpoint`() async throws {
    try await Self.with { rig in
      let calls = [rig.register(), rig.register()]
      let ids = [try await rig.distributor.next()[1], try await rig.distributor.next()[1]]
      #expect(ids[0] == ids[1])
      try await rig.registrations.unregister(Self.application, isOfUser: false)
      #expect(try await rig.distributor.next() == ["unregister", ids[0]])
      for call in calls {
        let result = await call.result
        #expect(throws: BusError.self) { try result.get() }
      }
      #expect(try rig.stored.isEmpty)
    }
  }
}
