// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// A replaced runtime directory, as after another login of the user without systemd.
@Suite struct `A replaced runtime directory` {
  private static func replace(_ directory: String) throws {
    try FileManager.default.moveItem(atPath: directory, toPath: "\(directory).old")
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  @Test func `stores requests accepted afterwards, and those that waited`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .standard, on: desk)
      let broker = try await desk.startBroker()
      #expect(try await desk.usher("open", "--from-desktop", "mimic:before").status == 0)
      try Self.replace("\(desk.desktop.runtimeDirectory)/usher")
      #expect(try await desk.usher("open", "--from-desktop", "mimic:after").status == 0)
      await broker.kill()
      let next = try await desk.startBroker()
      try await desk.waitUntilPending { $0 == 2 }
      try await application.takeName(on: desk)
      #expect(try await application.nextCall()["urls"] == ["mimic:before"])
      #expect(try await application.nextCall()["urls"] == ["mimic:after"])
      _ = try await next.stop()
    }
  }

  /// The broker notices it when it records the first link as sent, and receives no further request.
  @Test func `stores a link that is being sent, and those that wait, without a further request`() async throws
  {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitatesSilently, .standard, on: desk)
      let broker = try await desk.startBroker()
      for name in ["sent", "waits"] {
        #expect(try await desk.usher("open", "--from-desktop", "mimic:\(name)").status == 0)
      }
      try Self.replace("\(desk.desktop.runtimeDirectory)/usher")
      try await application.takeName(on: desk)
      #expect(try await application.nextCall()["urls"] == ["mimic:sent"])
      await broker.kill()
      let next = try await desk.startBroker()
      #expect(try await application.nextCall()["urls"] == ["mimic:waits"])
      let history = try await desk.usher("history").lines
      #expect(history.contains { $0.contains("mimic:sent") && $0.contains("unknown") }, "\(history)")
      next.program.kill()
    }
  }

  /// A broker with a waiting link finds a file in place of its directory; after `recovered` has returned, it is killed, and the next broker
  /// delivers the link.
  ///
  /// - Parameter recovered: Returns when the link is stored again, after the file was removed.
  private static func withObstacle(
    _ recovered: @Sendable (_ desk: InstalledDesktop, _ directory: String) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .standard, on: desk)
      let broker = try await desk.startBroker()
      #expect(try await desk.usher("open", "--from-desktop", "mimic:before").status == 0)
      let directory = "\(desk.desktop.runtimeDirectory)/usher"
      try FileManager.default.moveItem(atPath: directory, toPath: "\(directory).old")
      try desk.desktop.write("in the way", to: "run/usher")
      // The broker notices the loss.
      #expect(try await Self.storage(on: desk) != nil)
      try FileManager.default.removeItem(atPath: directory)
      try await recovered(desk, directory)
      await broker.kill()
      let next = try await desk.startBroker()
      try await desk.waitUntilPending { $0 == 1 }
      try await application.takeName(on: desk)
      #expect(try await application.nextCall()["urls"] == ["mimic:before"])
      _ = try await next.stop()
    }
  }

  /// Returns what the broker says about a file that cannot be written; `nil` if it can be.
  private static func storage(on desk: InstalledDesktop) async throws -> Variant? {
    try await desk.connect().call(
      BrokerInterface.status, at: BrokerInterface.broker, timeout: Command.defaultDeadline)["storage"]
  }

  @Test func `stores requests that waited when it can be written, although that was not possible before`()
    async throws
  {
    try await Self.withObstacle { desk, _ in
      try await withDeadline(Command.defaultDeadline, "requests to be written down") {
        while try await Self.storage(on: desk) != nil {}
      }
    }
  }

  @Test func `stores requests that waited as soon as a file can be opened, without a further request`()
    async throws
  {
    try await Self.withObstacle { _, directory in
      // Only the broker can read the file.
      let log = "\(directory)/pending.sqlite-wal"
      try await withDeadline(Command.defaultDeadline, "the request in the new file") {
        while FileManager.default.contents(atPath: log)?.firstRange(of: Data("mimic:before".utf8)) == nil {
          try await Task.sleep(for: .milliseconds(50))
        }
      }
    }
  }

  /// A caller that repeats its request gets the complete receipt.
  @Test func `stores the outcomes of a request's deliveries that had ended`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .standard, on: desk)
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setDefaults([
        "mimic": ["org.usher.Handler", application.id], "play": ["org.usher.Handler", TargetKind.plain.id],
      ])
      let broker = try await desk.startBroker()
      var options = OpenOptions()
      options.requestID = "one"
      options.wait = .accepted
      let entries = options.entries
      let caller = try await desk.connect()
      @Sendable func open() async throws -> [Delivery] {
        try Receipt(
          try await caller.call(
            BrokerInterface.open, at: BrokerInterface.broker, ["play:1", "mimic:2"], entries,
            timeout: .seconds(60) * timeoutFactor)
        ).deliveries
      }
      #expect(try await open().count == 2)
      #expect(try await target.next().urls == ["play:1"])
      try await desk.waitUntilPending { $0 == 1 }
      try Self.replace("\(desk.desktop.runtimeDirectory)/usher")
      #expect(try await desk.usher("open", "--from-desktop", "mimic:3").status == 0)
      await broker.kill()
      let next = try await desk.startBroker()
      #expect(try await open().map(\.application) == [TargetKind.plain.id, application.id])
      try await application.takeName(on: desk)
      #expect(try await application.nextCall()["urls"] == ["mimic:2"])
      #expect(try await application.nextCall()["urls"] == ["mimic:3"])
      next.program.kill()
    }
  }

  @Test func `stores requests that waited before the broker exits`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .standard, on: desk)
      let broker = try await desk.startBroker()
      #expect(try await desk.usher("open", "--from-desktop", "mimic:before").status == 0)
      try Self.replace("\(desk.desktop.runtimeDirectory)/usher")
      _ = try await broker.stop()
      let next = try await desk.startBroker()
      try await desk.waitUntilPending { $0 == 1 }
      try await application.takeName(on: desk)
      #expect(try await application.nextCall()["urls"] == ["mimic:before"])
      _ = try await next.stop()
    }
  }

  @Test func `ends the broker when the bus is another one, and the next broker continues`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      try desktop.installUsher()
      let desk = InstalledDesktop(desktop: desktop, bus: bus)
      _ = try await BusApplication.install(.hesitates, .application1, on: desk)
      let broker = try await desk.startBroker()
      #expect(try await desk.usher("open", "--from-desktop", "mimic:before").status == 0)
      await bus.kill()
      try Self.replace(desktop.runtimeDirectory)
      let second = try await PrivateBus.start(in: desktop)
      let left = try await broker.program.waitUntilExit().orThrow()
      #expect(left.errorOutput.contains("another session has started"), "\(left)")
      let other = InstalledDesktop(desktop: desktop, bus: second)
      let next = try await other.startBroker()
      try await other.waitUntilPending { $0 == 1 }
      next.program.kill()
      await second.stop()
    }
  }
}
