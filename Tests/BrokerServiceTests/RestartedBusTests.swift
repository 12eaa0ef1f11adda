// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop
import Launching
import Logging
import Systemd
import TestSupport
import Testing

@testable import BrokerService

/// A broker whose bus is replaced by another one, which gives the same unique names to other programs.
@Suite struct `A bus that was restarted` {
  private static let id = "org.example.App"
  private static let name: BusName = "org.example.App"
  private static let path: ObjectPath = "/org/example/App"

  @Test func `gives the unique name of an application to another one, which is asked for its interfaces`()
    async throws
  {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      try desktop.installDesktopEntry(
        Self.id, exec: "/bin/false %u", schemes: ["app"], lines: ["DBusActivatable=true"])
      try desktop.setDefaults(["app": [Self.id]])
      let daemon = await BrokerDaemon(
        on: try await BusConnection.open(.address(bus.address)), environment: desktop.environment,
        log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        lookingBy: { LocalFiles().type(ofFileAt: $0) })
      #expect(try await daemon.start())
      // More than the connections that are needed on the next bus before its application.
      for _ in 1...20 { await (try await Self.connect(to: bus)).close() }
      let first = try await Self.connect(to: bus)
      try await first.export(
        BusObject(Self.path, [.method(ApplicationInterface.open) { _, _, _ async throws(BusError) in }]))
      #expect(try await first.requestName(Self.name) == .owned)
      let unique = try #require(try await first.owner(of: Self.name))
      #expect(try await Self.open("app:1", waitingFor: .delivered, on: bus) == .delivered)
      await bus.kill()

      let next = try await PrivateBus.start(in: desktop)
      let second = try await Self.connect(to: next, as: unique)
      try await second.export(
        BusObject(
          Self.path,
          [
            .method(Application1Interface.deliver) { _, _ async throws(BusError) in
              Reply(handled: true).entries
            }
          ]))
      #expect(try await second.requestName(Self.name) == .owned)
      #expect(try await Self.open("app:2", waitingFor: .handled, on: next) == .handled)
      await second.close()
      await daemon.bus.close()
      await next.stop()
    }
  }

  /// The program may exit because of the loss.
  @Test func `fails no request whose application is starting`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let program = try Recorder("slow", in: desktop, .held)
      let connection = try await Self.connect(to: bus)
      let identification = CallerIdentification(
        .init(
          credentials: { _ throws(BusError) in throw BusError(.nameHasNoOwner, "gone") }, isPrivate: true),
        on: .shared)
      let instance = await ApplicationInstance(
        try #require(ApplicationID(Self.id)), on: connection, identifyingBy: identification,
        introspectionTimeout: .seconds(1))
      let starter = await ApplicationStarter(
        instance, bus: connection, launcher: ProgramLauncher(bus: nil, on: .shared), slowAfter: .seconds(60))
      let launch = Launch(
        application: Self.id, title: "App", arguments: [ProgramArgument(program.path)])
      let start = Task {
        await starter.launch({ () async throws(LaunchError) in [launch] }, for: "one", on: .session)
      }
      let held = try await program.nextStart()
      await bus.kill()
      held.release(exit: 1)
      let outcome = try await withDeadline(Command.defaultDeadline, "the exit") { await start.value }
      guard case .busDisconnected = outcome else { throw TestSupportError("\(outcome)") }
    }
  }

  private static func connect(to bus: PrivateBus) async throws -> BusConnection {
    try await BusConnection.open(.address(bus.address), reconnects: false)
  }

  /// Returns the connection to which the bus gives this unique name.
  private static func connect(to bus: PrivateBus, as name: BusName) async throws -> BusConnection {
    for number in 1...100 {
      let connection = try await connect(to: bus)
      // The owner of an acquired name is the connection's unique name.
      let probe = try #require(BusName("org.example.Probe\(number)"))
      #expect(try await connection.requestName(probe) == .owned)
      if try await connection.owner(of: probe) == name { return connection }
      await connection.close()
    }
    throw TestSupportError("the bus does not give the name \(name)")
  }

  /// Opens a link through the broker once that owns its name, and returns the outcome.
  private static func open(
    _ url: String, waitingFor goal: OpenOptions.Wait, on bus: PrivateBus
  ) async throws -> Outcome? {
    let caller = try await connect(to: bus)
    let owners = try await caller.owners(of: BrokerInterface.busName)
    _ = try await withDeadline(Command.defaultDeadline, "the broker") { await owners.first { $0 != nil } }
    var options = OpenOptions()
    options.wait = goal
    let receipt = try await caller.call(
      BrokerInterface.open, at: BrokerInterface.broker, [url], options.entries,
      timeout: .seconds(60) * timeoutFactor)
    await caller.close()
    return try Receipt(receipt).deliveries.first?.outcome
  }
}
