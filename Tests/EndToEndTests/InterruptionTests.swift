// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import TestSupport
import Testing

/// Interrupting `usher open` with ^C while it waits for the application.
@Suite struct `A command that is interrupted` {
  private static func open(_ url: String, on desk: InstalledDesktop, timeout: String = "60") async throws
    -> RunningProgram
  {
    try await RunningProgram.start(
      "usher", ["open", "--json", "--wait", "handled", "--timeout", timeout, url],
      environment: desk.desktop.environment)
  }

  @Test func `cancels its request in the application`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      let command = try await Self.open("served:1", on: desk)
      let id = try await application.nextEnvelope().requestID
      command.send(SIGINT)
      let cancel = try await application.next()
      #expect(cancel.method == "Cancel" && cancel.word == id)
      let result = await command.waitUntilExit()
      #expect(result.status == 9, "\(result)")
      #expect(try PropertyList(json: result.output)["error"] == "org.usher.Error.Cancelled", "\(result)")
    }
  }

  @Test func `withdraws its request before it was sent`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      let command = try await Self.open("mimic:1", on: desk)
      #expect(try await application.next()["started"] == true)
      command.send(SIGINT)
      let result = await command.waitUntilExit()
      #expect(result.status == 9, "\(result)")
      async let second = desk.open("mimic:2")
      try await application.takeName(on: desk)
      #expect(try await application.nextCall()["urls"] == ["mimic:2"])
      #expect(try await second.status == 0)
    }
  }

  /// A broker that does not answer must not block the user at the terminal.
  @Test(arguments: [true, false])
  func `exits by the signal if the broker does not respond, and at once on a second signal`(comesAgain: Bool)
    async throws
  {
    try await InstalledDesktop.with { desk in
      let (gate, log) = (Gate(), Log())
      let broker = try await desk.connect()
      try await broker.export(
        BusObject(
          BrokerInterface.path,
          [
            .method(BrokerInterface.open) { _, urls, _ async throws(BusError) in
              log.add("Open \(urls)")
              await gate.pass()
              return [:]
            },
            .method(BrokerInterface.cancel) { _, _ async throws(BusError) in
              log.add("Cancel")
              await gate.pass()
            },
          ]))
      #expect(try await broker.requestName(BrokerInterface.busName) == .owned)
      let command = try await Self.open("served:1", on: desk)
      #expect(try await log.next() == "Open [\"served:1\"]")
      command.send(SIGINT)
      #expect(try await log.next() == "Cancel")
      if comesAgain { command.send(SIGINT) }
      let result = await command.waitUntilExit()
      #expect(result.ending == .signalled(SIGINT), "\(result)")
      await gate.open()
    }
  }
}
