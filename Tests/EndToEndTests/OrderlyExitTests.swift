// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import TestSupport
import Testing

/// Programs that are started while the broker is asked to exit, as for an upgrade.
@Suite struct `A broker that is asked to exit` {
  /// A mock of the user manager, which subscribes no caller before `gate` is open, and reports each unit as started.
  private struct SlowManager {
    private static let path: ObjectPath = "/org/freedesktop/systemd1"
    private static let interface: InterfaceName = "org.freedesktop.systemd1.Manager"
    private static let subscribe = BusMethod<Arguments<>, Arguments<>>("Subscribe", of: interface)
    private static let startTransientUnit = BusMethod<
      Arguments<
        String, String, [BusStruct<String, Variant>], [BusStruct<String, [BusStruct<String, Variant>]>]
      >, Arguments<ObjectPath>
    >(
      "StartTransientUnit", of: interface, takes: ["name", "mode", "properties", "aux"], returns: ["job"])
    private static let jobRemoved = BusSignal<Arguments<UInt32, ObjectPath, String, String>>(
      "JobRemoved", of: interface, carries: ["id", "job", "unit", "result"])

    let gate = Gate()
    let subscriptions: AsyncStream<Void>
    let starts: AsyncStream<String>

    init(on bus: BusConnection) async throws {
      let (subscriptions, subscribed) = AsyncStream<Void>.makeStream()
      let (starts, started) = AsyncStream<String>.makeStream()
      (self.subscriptions, self.starts) = (subscriptions, starts)
      try await bus.export(
        BusObject(
          Self.path,
          [
            .method(Self.subscribe) { [gate] _ async throws(BusError) in
              subscribed.yield()
              await gate.pass()
            },
            .method(Self.startTransientUnit) { _, name, _, _, _ async throws(BusError) in
              started.yield(name)
              try await bus.emit(Self.jobRemoved, from: Self.path, 1, "/job", name, "done")
              return "/job"
            },
          ]))
      #expect(try await bus.requestName("org.freedesktop.systemd1") == .owned)
    }
  }

  /// The variables of a broker that waits while it exits, and whose programs can be recognized, because they inherit the first one.
  private static let stopping = ["BROKER_THAT_STOPS": "1"].merging(InstalledDesktop.longLimits) { $1 }

  /// Opens a link as the opener of the desktop, for a program that a route runs, and asks the broker to exit while it starts that.
  private static func stop(
    _ desk: InstalledDesktop, with manager: SlowManager, adding variables: [String: String] = [:]
  ) async throws -> Broker {
    try desk.desktop.writeRoutes("rules.toml", "[route.run]\nscheme = \"tube\"\nexec = [\"true\"]\n")
    let broker = try await desk.startBroker(adding: variables)
    #expect(try await desk.usher("open", "--from-desktop", "tube:1?token=secret").status == 0)
    try await withDeadline(Command.defaultDeadline, "the start of the program") {
      _ = await manager.subscriptions.first { _ in true }
    }
    broker.program.terminate()
    try await desk.waitUntilStopping()
    return broker
  }

  @Test func `waits for the start of a program that a route runs`() async throws {
    try await InstalledDesktop.with { desk in
      let bus = try await desk.connect()
      let manager = try await SlowManager(on: bus)
      let broker = try await Self.stop(desk, with: manager, adding: InstalledDesktop.longLimits)
      await manager.gate.open()
      _ = try await withDeadline(Command.defaultDeadline, "the start of the unit") {
        await manager.starts.first { _ in true }
      }
      #expect(await broker.program.waitUntilExit().status == 0)
      let history = try await desk.usher("history").lines
      #expect(history.count == 1 && history[0].contains("delivered"), "\(history)")
      await bus.close()
    }
  }

  @Test func `has a start whose result it does not learn reported by the next one`() async throws {
    try await InstalledDesktop.with { desk in
      let bus = try await desk.connect()
      let manager = try await SlowManager(on: bus)
      let broker = try await Self.stop(desk, with: manager)
      #expect(await broker.program.waitUntilExit().status == 0)
      let server = try await NotificationServer.start(on: desk)
      #expect(try await desk.call(InstalledDesktop.broker, "Status").succeeded)
      let notice = try await server.next(1).text
      #expect(notice.contains("tube:") && !notice.contains("secret"), "\(notice)")
      let history = try await desk.usher("history").lines
      #expect(history.count == 1 && history[0].contains("unknown"), "\(history)")
      await bus.close()
    }
  }

  /// Starts a broker, a server for its prompts, and a program that opens links after a question.
  private static func withQuestions(
    _ body: @Sendable (InstalledDesktop, Broker, NotificationServer, Target) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      try desk.desktop.writeRoutes("rules.toml", "[route.each]\nmatch = \"play:each\"\nask = true\n")
      let server = try await NotificationServer.start(on: desk)
      try await body(desk, try await desk.startBroker(), server, target)
    }
  }

  @Test func `closes its prompt, which the next one shows again`() async throws {
    try await Self.withQuestions { desk, broker, server, target in
      #expect(try await desk.usher("open", "--from-desktop", "play:each").status == 0)
      _ = try await server.next(1)
      broker.program.terminate()
      try await server.waitForClose(of: 1)
      #expect(await broker.program.waitUntilExit().status == 0)
      #expect(try await desk.call(InstalledDesktop.broker, "Status").succeeded)
      _ = try await server.next(2)
      try await server.press(0, of: 2)
      #expect(try await target.next().urls == ["play:each"])
    }
  }

  @Test func `closes its prompt without an answer to a caller that waits`() async throws {
    try await Self.withQuestions { desk, broker, server, target in
      async let report = desk.open("play:each")
      _ = try await server.next(1)
      broker.program.terminate()
      try await server.waitForClose(of: 1)
      _ = try await server.next(2)
      try await server.press(0, of: 2)
      let received = try await report
      #expect(received.status == 0 && received.outcome == "delivered", "\(received)")
      #expect(try await target.next().urls == ["play:each"])
    }
  }

  /// The instance accepts calls of the standard interface alone, and exits before it has opened the link.
  @Test func `leaves the start of an application that has exited to the next one`() async throws {
    try await InstalledDesktop.with { desk in
      let (id, name) = ("org.example.Leaves", BusName("org.example.Leaves"))
      let recorder = try Recorder("recorder", in: desk.desktop)
      try desk.desktop.installDesktopEntry(
        id, exec: "\(recorder.execWord) %u", schemes: ["leaves"],
        lines: ["DBusActivatable=true", "Implements=org.usher.Application1;"])
      try desk.desktop.setDefaults(["leaves": ["org.usher.Handler", id]])
      let application = try await desk.connect()
      let gate = Gate()
      let (calls, called) = AsyncStream<Void>.makeStream()
      try await application.export(
        BusObject(
          "/org/example/Leaves",
          [
            .method(ApplicationInterface.open) { _, _, _ async throws(BusError) in
              called.yield()
              await gate.pass()
              try await application.releaseName(name)
              throw BusError("org.freedesktop.DBus.Error.UnknownMethod", "the application exits")
            }
          ]))
      #expect(try await application.requestName(name) == .owned)
      let broker = try await desk.startBroker(adding: Self.stopping)
      #expect(try await desk.usher("open", "--wait", "accepted", "leaves:1").status == 0)
      try await withDeadline(Command.defaultDeadline, "the call of the application") {
        _ = await calls.first { _ in true }
      }
      broker.program.terminate()
      try await desk.waitUntilStopping()
      await gate.open()
      #expect(await broker.program.waitUntilExit().status == 0)
      // Any call starts the next broker.
      try await desk.usher("history").orThrow()
      let start = try await recorder.nextStart()
      #expect(start.environment["BROKER_THAT_STOPS"] == nil, "\(start)")
      await application.close()
    }
  }

  @Test func `leaves the first link of another application to the next one`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.answersLater, .standard, on: desk)
      let recorder = try Recorder("recorder", in: desk.desktop)
      try desk.desktop.installDesktopEntry(
        "recorder", exec: "\(recorder.execWord) %u", schemes: ["record"])
      try desk.desktop.setDefaults([
        "record": ["org.usher.Handler", "recorder"], "mimic": ["org.usher.Handler", application.id],
      ])
      let broker = try await desk.startBroker(adding: Self.stopping)
      async let report = desk.open("--wait", "delivered", "mimic:1")
      #expect(try await application.nextCall()["urls"] == ["mimic:1"])
      broker.program.terminate()
      try await desk.waitUntilStopping()
      #expect(try await desk.usher("open", "--wait", "accepted", "record:1").status == 0)
      try await application.takeName(on: desk)
      #expect(try await report.status == 0)
      #expect(await broker.program.waitUntilExit().status == 0)
      // Any call starts the next broker.
      try await desk.usher("history").orThrow()
      let start = try await recorder.nextStart()
      #expect(start.arguments == ["record:1"] && start.environment["BROKER_THAT_STOPS"] == nil, "\(start)")
      try await desk.usher("open", "record:2").orThrow()
      #expect(try await recorder.nextStart().arguments == ["record:2"])
    }
  }
}
