// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
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
      broker.program.kill()
      _ = await broker.program.waitUntilExit()
      let next = try await desk.startBroker()
      try await desk.waitUntilPending { $0 == 2 }
      try await application.takeName(on: desk)
      #expect(try await application.nextCall()["urls"] == ["mimic:before"])
      #expect(try await application.nextCall()["urls"] == ["mimic:after"])
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
