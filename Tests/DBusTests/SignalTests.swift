// SPDX-License-Identifier: Apache-2.0
import DBus
import Systemd
import TestSupport
import Testing

@Suite struct `Signals` {
  @Test func `Signals arrive in order, with their sender and path`() async throws {
    try await BusFixture.run { fixture in
      let object = try await fixture.object()
      let signals = try await fixture.client.signals(Thing.ticked, from: object.name, at: object.path)
      for number in 0..<300 {
        try await fixture.server.emit(Thing.ticked, from: object.path, Int64(number), "é")
      }
      let seen = try await withDeadline(Command.defaultDeadline, "signals") {
        var seen: [Int64] = []
        for await signal in signals {
          #expect(signal.sender == object.name && signal.path == object.path && signal.values.1 == "é")
          seen.append(signal.values.0)
          if seen.count == 300 { break }
        }
        return seen
      }
      #expect(seen == Array(0..<300))
    }
  }

  @Test func `Only the wanted signals arrive`() async throws {
    try await BusFixture.run { fixture in
      let object = try await fixture.object()
      let other = try await BusConnection.open(fixture.address)
      let byPath = try await fixture.client.signals(Thing.ticked, at: "/wanted")
      let bySender = try await fixture.client.signals(Thing.ticked, from: object.name)
      let all = try await fixture.client.signals(Thing.ticked)
      try await other.emit(Thing.ticked, from: "/unwanted", 1, "")
      let untyped = BusSignal<Arguments<String>>("Ticked", of: Thing.interface, carries: ["text"])
      try await fixture.server.emit(untyped, from: "/wanted", "of another type")
      try await other.emit(Thing.ticked, from: "/wanted", 2, "")
      // The bus orders the signals of one connection, but not those of two, so that the next ones are sent after these have arrived.
      #expect(try await byPath.next().values.0 == 2)
      // A signal to a connection other than the listener.
      try await fixture.server.emit(Thing.ticked, from: "/wanted", to: object.name, 3, "")
      try await fixture.server.emit(Thing.ticked, from: "/unwanted", 4, "")
      #expect(try await bySender.next().values.0 == 4)
      #expect(try await all.next().values.0 == 1)
      #expect(try await all.next().values.0 == 2)
      #expect(try await all.next().values.0 == 4)
      await other.close()
    }
  }

  @Test func `Signals of a well-known name are those of its owner`() async throws {
    try await BusFixture.run { fixture in
      #expect(try await fixture.server.requestName("org.example.Clock") == .owned)
      let other = try await BusConnection.open(fixture.address)
      let signals = try await fixture.client.signals(Thing.ticked, from: "org.example.Clock")
      try await other.emit(Thing.ticked, from: "/a", 1, "")
      try await fixture.server.emit(Thing.ticked, from: "/a", 2, "")
      #expect(try await signals.next().values.0 == 2)
      await other.close()
    }
  }

  @Test
  func `A signal that only the listener receives is ignored if another connection than the owner sends it`()
    async throws
  {
    try await BusFixture.run { fixture in
      let clock: BusName = "org.example.Clock"
      #expect(try await fixture.server.requestName(clock) == .owned)
      let other = try await BusConnection.open(fixture.address)
      let (listener, owner) = (try await fixture.client.uniqueName(), try await fixture.server.uniqueName())
      let byName = try await fixture.client.signals(Thing.ticked, from: clock)
      let byOwner = try await fixture.client.signals(Thing.ticked, from: owner)
      let everyones = try await fixture.client.signals(Thing.ticked)
      try await other.emit(Thing.ticked, from: "/a", to: listener, 1, "forged")
      // The bus orders the signals of one connection, but not those of two.
      #expect(try await everyones.next().values.0 == 1)
      try await fixture.server.emit(Thing.ticked, from: "/a", to: listener, 2, "")
      #expect(try await byName.next().values.0 == 2)
      #expect(try await byOwner.next().values.0 == 2)
      // The new owner is the sender from the change on.
      try await fixture.server.releaseName(clock)
      #expect(try await other.requestName(clock) == .owned)
      try await other.emit(Thing.ticked, from: "/a", 3, "")
      #expect(try await byName.next().values.0 == 3)
      await other.close()
    }
  }

  /// If the first one was cancelled, the second one had its watch, which had ended, and followed no later owner.
  @Test(arguments: [true, false])
  func `Receivers that start at the same time follow the owner of a name, though one is cancelled`(
    isCancelled: Bool
  ) async throws {
    typealias Ticks = AsyncStream<ReceivedSignal<Int64, String>>
    typealias Start = Task<Result<Ticks, BusError>, Never>
    try await BusFixture.run { fixture in
      let clock: BusName = "org.example.Clock"
      #expect(try await fixture.server.requestName(clock) == .owned)
      let other = try await BusConnection.open(fixture.address)
      let client = fixture.client
      @Sendable func start() -> Start {
        client.loop.start { () async -> Result<Ticks, BusError> in
          do throws(BusError) {
            return .success(try await client.signals(Thing.ticked, from: clock))
          } catch {
            return .failure(error)
          }
        }
      }
      let (first, second) = await withCheckedContinuation {
        (starts: CheckedContinuation<(Start, Start), Never>) in
        // In one turn of the loop, which sends the first calls of both before it reads a reply.
        client.loop.submit {
          let (first, second) = (start(), start())
          if isCancelled { first.cancel() }
          starts.resume(returning: (first, second))
        }
      }
      var streams = [try await second.value.get()]
      if isCancelled {
        await #expect(throws: BusError.self) { try await first.value.get() }
      } else {
        streams.append(try await first.value.get())
      }
      try await fixture.server.releaseName(clock)
      #expect(try await other.requestName(clock) == .owned)
      try await other.emit(Thing.ticked, from: "/a", 1, "")
      for stream in streams { #expect(try await stream.next().values.0 == 1) }
      await other.close()
    }
  }

  @Test func `A change of an owner is ignored if another connection than the bus reports it`() async throws {
    try await BusFixture.run { fixture in
      let clock: BusName = "org.example.Clock"
      let other = try await BusConnection.open(fixture.address)
      let (listener, thief) = (try await fixture.client.uniqueName(), try await other.uniqueName())
      let owners = try await fixture.client.owners(of: clock)
      #expect(try await owners.next() == nil)
      let ticks = try await fixture.client.signals(Thing.ticked)
      try await other.emit(
        BusDaemon.nameOwnerChanged, from: "/org/freedesktop/DBus", to: listener, clock.rawValue, "",
        thief.rawValue)
      try await other.emit(Thing.ticked, from: "/a", to: listener, 1, "")
      _ = try await ticks.next()
      #expect(try await fixture.server.requestName(clock) == .owned)
      let owner = try await fixture.server.uniqueName()
      #expect(try await owners.next() == owner)
      await other.close()
    }
  }

  @Test func `A signal to one connection reaches it`() async throws {
    try await BusFixture.run { fixture in
      let name = try await fixture.client.uniqueName()
      let signals = try await fixture.client.signals(Thing.ticked)
      try await fixture.server.emit(Thing.ticked, from: "/a", to: name, 7, "for you")
      #expect(try await signals.next().values.1 == "for you")
    }
  }

  @Test func `A finished stream removes its match rule`() async throws {
    try await BusFixture.run { fixture in
      let count = BusMethod<Arguments<>, Arguments<[String: Variant]>>(
        "GetStats", of: "org.freedesktop.DBus.Debug.Stats", returns: ["stats"])
      @Sendable func rules() async throws -> Int64 {
        let stats = try await fixture.client.call(count, at: .bus)
        return stats["MatchRules"]?.integer ?? 0
      }
      let before = try await rules()
      let signals = try await fixture.client.signals(Thing.ticked)
      #expect(try await rules() == before + 1)
      let task = Task { for await _ in signals {} }
      task.cancel()
      await task.value
      try await withDeadline(Command.defaultDeadline, "the end of a match rule") {
        while try await rules() > before {}
      }
    }
  }

  @Test func `A message that cannot be sent is an error`() async throws {
    try await BusFixture.run { fixture in
      await #expect(throws: BusError.self) {
        try await fixture.server.emit(Thing.ticked, from: "/a", 1, "a\0b")
      }
      let object = try await fixture.object()
      let signals = try await fixture.client.signals(Thing.ticked, from: object.name)
      try await fixture.server.emit(Thing.ticked, from: "/a", 2, "")
      #expect(try await signals.next().values.0 == 2)
    }
  }
}
