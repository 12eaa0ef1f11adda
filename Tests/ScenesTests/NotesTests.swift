// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import Scenes
import TestSupport
import Testing

/// Tests of the example program with a simulated broker.
@Suite struct NotesTests {
  private static let notes = RemoteObject("org.example.Notes", "/org/example/Notes")

  private func deliver(_ id: String, _ urls: [String], _ broker: BusConnection) async throws -> Reply {
    var envelope = Envelope(requestID: id, urls: urls)
    envelope.sourceApplication = "org.example.Mail"
    envelope.assurance = .unit
    envelope.annotation = ["from": "test", "n": 9_007_199_254_740_993]
    envelope.delivery = .running
    return try Reply(
      await broker.call(
        Application1Interface.deliver, at: Self.notes, envelope.entries, timeout: Command.defaultDeadline))
  }

  private func withNotes(
    _ arguments: [String] = [],
    _ body: (ThrowAwayDesktop, RunningProgram, BusConnection) async throws -> Void
  ) async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let broker = try await BusConnection.open(.address(bus.address))
      #expect(try await broker.requestName(BrokerInterface.busName) == .owned)
      let owners = try await broker.owners(of: Self.notes.name)
      let program = try await RunningProgram.start(
        BuiltProducts.notes, arguments, environment: desktop.environment)
      _ = try await withDeadline(Command.defaultDeadline, "the name of Notes") {
        await owners.first { $0 != nil }
      }
      try await body(desktop, program, broker)
      await broker.close()
    }
  }

  @Test func `A note is shown and answered`() async throws {
    try await withNotes { _, program, broker in
      let reply = try await deliver("1", ["notes://note/7?tab=edit"], broker)
      #expect(reply == Reply(handled: true, value: ["note": 7, "tab": "edit"]))
      let line = try PropertyList(json: try await program.line())
      #expect(line["urls"] == ["notes://note/7?tab=edit"])
      #expect(line["source"] == "org.example.Mail")
      #expect(line["assurance"] == "unit")
      #expect(line["annotation"] == ["from": "test", "n": 9_007_199_254_740_993])
      #expect(line["delivery"] == "running")
      #expect(line["route"] == "show-note")
      #expect(line["captures"] == ["id": 7, "tab": "edit"])
      #expect(line["value"] == ["note": 7, "tab": "edit"])
    }
  }

  @Test func `Several links are answered in order and an unknown one is not handled`() async throws {
    try await withNotes { _, _, broker in
      let urls = ["notes://new?title=Milk", "notes://search?q=Mi", "notes://note/1"]
      let answered = try await deliver("1", urls, broker)
      #expect(
        answered.value == [
          ["note": 1, "title": "Milk"], ["query": "Mi", "found": [1]], ["note": 1, "title": "Milk"],
        ])
      let refused = try await deliver("2", ["notes://new?title=Tea", "notes://nowhere"], broker)
      #expect(refused == Reply(handled: false))
      let found = try await deliver("3", ["notes://search?q=Tea"], broker)
      #expect(found.value == ["query": "Tea", "found": []])
    }
  }

  @Test func `A link among the arguments is handled first`() async throws {
    try await withNotes(["notes://note/9"]) { _, program, _ in
      let line = try PropertyList(json: try await program.line())
      #expect(line["urls"] == ["notes://note/9"])
      #expect(line["delivery"] == "launch")
      #expect(line["assurance"] == "unknown")
      #expect(line["source"] == nil)
    }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `A signal ends the application with status 0`(number: Int32) async throws {
    try await withNotes { desktop, program, broker in
      _ = try await deliver("1", ["notes://note/7"], broker)
      program.send(number)
      #expect(await program.waitUntilExit().status == 0)
      #expect(try await broker.owner(of: Self.notes.name) == nil)
      try await desktop.waitUntilNoProcess()
    }
  }

  @Test func `The standard interface works too`() async throws {
    try await withNotes { desktop, program, _ in
      try await Command.run(
        "gdbus",
        [
          "call", "--session", "--dest", "org.example.Notes", "--object-path", "/org/example/Notes",
          "--method",
          "org.freedesktop.Application.Open", "['notes://note/7']", "{}",
        ], environment: desktop.environment
      ).orThrow()
      #expect(try PropertyList(json: try await program.line())["assurance"] == "unknown")
    }
  }

  @Test func `Without a bus the application says so`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let result = try await Command.run(
      BuiltProducts.notes, ["notes://note/7"], environment: desktop.environment)
    #expect(result.status == 1)
    #expect(result.errorOutput.hasPrefix("notes: this application needs a user bus"), "\(result)")
  }
}
