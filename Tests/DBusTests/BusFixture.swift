// SPDX-License-Identifier: Apache-2.0
import DBus
import Synchronization
import Systemd
import TestSupport
import Testing

/// A bus with one connection that serves and one that calls, both on one loop.
struct BusFixture: Sendable {
  let desktop: ThrowAwayDesktop
  let daemon: PrivateBus
  let server: BusConnection
  let client: BusConnection

  var address: BusAddress { .address(daemon.address) }

  /// Runs `body` with a new bus.
  static func run(_ body: @escaping @Sendable (BusFixture) async throws -> Void) async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let fixture = BusFixture(
        desktop: desktop, daemon: bus, server: try await .open(.address(bus.address)),
        client: try await .open(.address(bus.address)))
      try await withDeadline(.seconds(1_200), "the test's end") { try await body(fixture) }
      await fixture.server.close()
      await fixture.client.close()
    }
  }

  /// Returns the server's object at `path`.
  func object(_ path: ObjectPath = "/org/example/Thing") async throws -> RemoteObject {
    RemoteObject(try await server.uniqueName(), path)
  }

  /// Runs a program of the desktop.
  func command(_ program: String, _ arguments: [String]) async throws -> CommandResult {
    try await Command.run(program, arguments, environment: desktop.environment)
  }
}

extension BusConnection {
  /// Returns the unique name of the connection.
  func uniqueName() async throws(BusError) -> BusName {
    // The owner of an acquired name is the connection's unique name.
    let name = BusName(unchecked: "org.example.Unique\(UInt64.random(in: 0...UInt64.max))")
    guard try await requestName(name) == .owned, let owner = try await owner(of: name) else {
      throw BusError(.failed, "no name")
    }
    try await releaseName(name)
    return owner
  }
}

/// The interface of the tests' object.
enum Thing {
  static let interface: InterfaceName = "org.example.Thing"
  static let path: ObjectPath = "/org/example/Thing"
  static let echo = BusMethod<Arguments<Variant>, Arguments<Variant>>(
    "Echo", of: interface, takes: ["value"], returns: ["same"])
  static let greet = BusMethod<Arguments<String, Int32>, Arguments<String, [String: Variant]>>(
    "Greet", of: interface, takes: ["name", "times"], returns: ["text", "facts"])
  static let fail = BusMethod<Arguments<String, String>, Arguments<>>(
    "Fail", of: interface, takes: ["name", "text"])
  static let wait = BusMethod<Arguments<>, Arguments<>>("Wait", of: interface)
  static let ticked = BusSignal<Arguments<Int64, String>>("Ticked", of: interface, carries: ["n", "text"])
  static let colour = BusProperty<String>("Colour", of: interface, writable: true)
  static let sizes = BusProperty<[UInt32]>("Sizes", of: interface)

  /// Returns an object that echoes, greets, fails on request and waits for the gate.
  static func object(at path: ObjectPath = path, gate: Gate = Gate(), log: Log = Log()) -> BusObject {
    let colour = Shared("red")
    return BusObject(
      path,
      [
        .method(echo) { _, value in value },
        .method(greet) { call, name, times in
          (String(repeating: "Hello \(name). ", count: Int(times)), ["sender": .string(call.sender.rawValue)])
        },
        .method(fail) { _, name, text throws(BusError) in
          throw BusError(
            ErrorName(unchecked: name), text, details: text.isEmpty ? [:] : ["code": .int32(7), "text": "é"])
        },
        .method(wait) { call in
          log.add("called")
          await gate.pass()
        },
        .property(Thing.colour, get: { colour.value }, set: { colour.value = $0 }),
        .property(sizes, get: { [1, 2, 3] }),
        .signal(ticked),
      ])
  }
}

/// A mutable value that several tasks share.
final class Shared<Value: Sendable>: Sendable {
  private let storage: Mutex<Value>
  init(_ value: Value) { storage = Mutex(value) }
  var value: Value {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }
}

extension AsyncStream where Element: Sendable {
  /// Returns the next element; throws if none arrives in time.
  func next() async throws -> Element {
    let stream = self
    return try #require(
      await withDeadline(Command.defaultDeadline, "an element of a stream") {
        await stream.first { _ in true }
      })
  }
}
