// SPDX-License-Identifier: Apache-2.0
import DBus
import Systemd
import TestSupport
import Testing

@Suite struct `Pending calls` {
  @Test func `Our own time-out is Timeout, with the call`() async throws {
    try await BusFixture.run { fixture in
      let gate = Gate()
      try await fixture.server.export(Thing.object(gate: gate))
      let object = try await fixture.object()
      for timeout in [Duration.milliseconds(50), .zero, .seconds(-1)] {
        let error = await #expect(throws: BusError.self) {
          try await fixture.client.call(Thing.wait, at: object, timeout: timeout)
        }
        #expect(error?.name == .timeout && error?.busFailure == .timeout)
        #expect(error?.attempt == "org.example.Thing.Wait on \(object)")
      }
      // Late replies are dropped, and the connection stays usable.
      await gate.open()
      #expect(try await fixture.client.call(Thing.echo, at: object, "x") == "x")
    }
  }

  @Test func `A peer that exits causes NoReply, for any timeout`() async throws {
    try await BusFixture.run { fixture in
      let log = Log()
      let peer = try await BusConnection.open(fixture.address)
      try await peer.export(Thing.object(log: log))
      let name = try await peer.uniqueName()
      let client = fixture.client
      let task = Task {
        try await client.call(Thing.wait, at: RemoteObject(name, Thing.path), timeout: nil)
      }
      #expect(try await log.next() == "called")
      await peer.close()
      let error = await #expect(throws: BusError.self) { try await task.value }
      #expect(error?.name == .noReply && error?.busFailure == .noReply)
    }
  }

  @Test func `A cancelled call ends at once, and its late reply is dropped`() async throws {
    try await BusFixture.run { fixture in
      let (gate, log) = (Gate(), Log())
      try await fixture.server.export(Thing.object(gate: gate, log: log))
      let object = try await fixture.object()
      let client = fixture.client
      for _ in 0..<20 {
        let task = Task {
          try await client.call(Thing.wait, at: object, timeout: nil)
        }
        #expect(try await log.next() == "called")
        task.cancel()
        let error = await #expect(throws: BusError.self) { try await task.value }
        #expect(error?.name == .cancelled)
      }
      await gate.open()
      #expect(try await client.call(Thing.echo, at: object, "x") == "x")
    }
  }

  @Test func `A task that was cancelled before its call does not delay other calls`() async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      let object = try await fixture.object()
      let client = fixture.client
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await client.call(Thing.wait, at: object, timeout: nil)
      }
      let error = await #expect(throws: BusError.self) { try await task.value }
      #expect(error?.name == .cancelled)
    }
  }

  @Test func `Closing ends the calls that wait, and the streams`() async throws {
    try await BusFixture.run { fixture in
      let log = Log()
      try await fixture.server.export(Thing.object(log: log))
      let object = try await fixture.object()
      let client = try await BusConnection.open(fixture.address)
      let signals = try await client.signals(Thing.ticked)
      let owners = try await client.owners(of: "org.example.Absent")
      let events = await client.events()
      let task = Task {
        try await client.call(Thing.wait, at: object, timeout: nil)
      }
      #expect(try await log.next() == "called")
      await client.close()
      let error = await #expect(throws: BusError.self) { try await task.value }
      #expect(error?.name == .disconnected)
      #expect(error?.description.contains("closed") == true)
      try await withDeadline(Command.defaultDeadline, "the end of the streams") {
        for await _ in signals {}
        for await _ in owners {}
        for await _ in events {}
      }
      let later = await #expect(throws: BusError.self) { try await client.call(Thing.wait, at: object) }
      #expect(later?.name == .disconnected)
      await client.close()
    }
  }

  @Test func `An unreferenced connection is closed, and its streams finish`() async throws {
    try await BusFixture.run { fixture in
      var other: BusConnection? = try await BusConnection.open(fixture.address)
      try await other?.export(Thing.object())
      let name = try #require(try await other?.uniqueName())
      let owners = try await fixture.client.owners(of: name)
      #expect(try await owners.next() == name)
      let signals = try #require(try await other?.signals(Thing.ticked))
      let connection = WeakReference(other)
      other = nil
      #expect(try await owners.next() == nil)
      try await withDeadline(Command.defaultDeadline, "the end of a stream") { for await _ in signals {} }
      #expect(connection.object == nil)
    }
  }

  @Test func `Calls to oneself, and many concurrent ones, all return`() async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      let object = try await fixture.object()
      try await withThrowingTaskGroup { group in
        for number in 0..<200 {
          let connection = number.isMultiple(of: 2) ? fixture.client : fixture.server
          group.addTask { () async throws in
            #expect(
              try await connection.call(Thing.echo, at: object, .int32(Int32(number)))
                == .int32(Int32(number)))
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `The result of a call without a waiting task is reported once, in message order`()
    async throws
  {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      let (object, log) = (try await fixture.object(), Log())
      let client = fixture.client
      client.loop.submit {
        client.assumeIsolated { client in
          for number in 1...3 {
            client.call(Thing.echo, at: object, .int32(Int32(number))) { log.add("\($0)") }
          }
          // Each result is logged when its reply has arrived.
          log.add("called")
        }
      }
      #expect(try await log.next() == "called")
      for number in 1...3 {
        let reply: Result<Variant, BusError> = .success(.int32(Int32(number)))
        #expect(try await log.next() == "\(reply)")
      }
    }
  }

  @Test func `A call without a waiting task reports its failure, at once if it cannot be sent`()
    async throws
  {
    try await BusFixture.run { fixture async throws in
      let (client, log) = (fixture.client, Log())
      let absent = RemoteObject("org.example.Absent", Thing.path)
      let call = { @Sendable in
        client.assumeIsolated { client in
          client.call(Thing.wait, at: absent, autoStart: false) { reply in
            if case .failure(let error) = reply { log.add("\(error.name) \(error.attempt ?? "")") }
          }
          log.add("called")
        }
      }
      let attempt = "org.example.Thing.Wait on \(absent)"
      client.loop.submit(call)
      #expect(try await log.next() == "called")
      #expect(try await log.next() == "\(ErrorName.nameHasNoOwner) \(attempt)")
      await client.close()
      client.loop.submit(call)
      #expect(try await log.next() == "\(ErrorName.disconnected) \(attempt)")
      #expect(try await log.next() == "called")
    }
  }

  @Test func `A missing bus is a named error`() async throws {
    let error = await #expect(throws: BusError.self) {
      try await BusConnection.open(.address("unix:path=/no/bus"))
    }
    #expect(error?.name == .disconnected)
    #expect(error?.description.contains("/no/bus") == true)
    #expect(throws: BusError.self) { try BlockingBusConnection(.address("unix:path=/no/bus")) }
    await #expect(throws: BusError.self) { try await BusConnection.open(.address("rubbish")) }
    await #expect(throws: BusError.self) { try await BusConnection.open(.address("")) }
  }
}

/// A weak reference that shows whether an object still exists.
final class WeakReference: @unchecked Sendable {
  private(set) weak var object: AnyObject?
  init(_ object: AnyObject?) { self.object = object }
}
