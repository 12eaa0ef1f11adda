// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import Systemd
import TestSupport
import Testing

@Suite struct `A blocking connection` {
  @Test func `It calls, reads errors and times out as the other does`() async throws {
    try await BusFixture.run { fixture in
      let gate = Gate()
      try await fixture.server.export(Thing.object(gate: gate))
      let object = try await fixture.object()
      let address = fixture.address
      try await Task.detached {
        let bus = try BlockingBusConnection(address)
        #expect(try bus.call(Thing.echo, at: object, "é") == "é")
        let (text, facts) = try bus.call(Thing.greet, at: object, "you", 1)
        #expect(text == "Hello you. ")
        #expect(facts["sender"]?.string?.hasPrefix(":1.") == true)
        #expect(try bus.owner(of: "org.example.Absent") == nil)
        #expect(try bus.owner(of: object.name) == object.name)
        let error = #expect(throws: BusError.self) {
          try bus.call(Thing.fail, at: object, "org.example.Error.Odd", "so it is")
        }
        #expect(error?.name == "org.example.Error.Odd" && error?.message == "so it is")
        #expect(error?.details == ["code": .int32(7), "text": "é"])
        #expect(error?.attempt == "org.example.Thing.Fail on \(object)")
        let late = #expect(throws: BusError.self) {
          try bus.call(Thing.wait, at: object, timeout: .milliseconds(50))
        }
        #expect(late?.name == .timeout)
        let absent = #expect(throws: BusError.self) {
          try bus.call(Thing.wait, at: RemoteObject("org.example.Absent", "/"))
        }
        #expect(absent?.name == .serviceUnknown)
        let unwritable = #expect(throws: BusError.self) { try bus.call(Thing.echo, at: object, "a\0b") }
        #expect(unwritable?.name == .invalidArgs)
        #expect(try bus.call(Thing.echo, at: object, .bytes([1])) == .bytes([1]))
      }.value
      await gate.open()
    }
  }

  @Test func `It serves a descriptor while a call waits`() async throws {
    try await BusFixture.run { fixture in
      let gate = Gate()
      try await fixture.server.export(Thing.object(gate: gate))
      let object = try await fixture.object()
      let address = fixture.address
      try await Task.detached {
        let bus = try BlockingBusConnection(address)
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data([1, 2, 3]))
        var seen: [Variant] = []
        bus.watch(pipe.fileHandleForReading.fileDescriptor) {
          let byte = pipe.fileHandleForReading.readData(ofLength: 1).first ?? 0
          seen.append((try? bus.call(Thing.echo, at: object, .byte(byte))) ?? "no answer")
          if byte == 2 { Task { await gate.open() } }
          return byte < 2
        }
        _ = try bus.call(Thing.wait, at: object)
        // The handler itself ended the watch after the second byte.
        #expect(seen == [.byte(1), .byte(2)])
        #expect(try bus.call(Thing.echo, at: object, "é") == "é")
      }.value
    }
  }

  @Test func `A call that is abandoned fails, and the next one is answered`() async throws {
    try await BusFixture.run { fixture in
      let gate = Gate()
      try await fixture.server.export(Thing.object(gate: gate))
      let object = try await fixture.object()
      let address = fixture.address
      try await Task.detached {
        let bus = try BlockingBusConnection(address)
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data([1]))
        bus.watch(pipe.fileHandleForReading.fileDescriptor) {
          bus.abandonCall()
          return false
        }
        let abandoned = #expect(throws: BusError.self) { try bus.call(Thing.wait, at: object) }
        #expect(abandoned?.name == .noReply)
        // The reply to the abandoned call arrives before or after that to the next one, and is ignored.
        await gate.open()
        #expect(try bus.call(Thing.echo, at: object, "é") == "é")
        #expect(try bus.call(Thing.echo, at: object, "à") == "à")
      }.value
    }
  }

  /// A caller that gets a proof of a call that was not sent may use another method; other callers must not.
  @Test(arguments: [("AUTH", ErrorName.notSent), ("a word of the call", .disconnected)])
  func `It distinguishes calls that were not sent from those that may have arrived`(
    heard: String, error: ErrorName
  )
    async throws
  {
    let bus = try ClosingBusSocket(hearing: heard)
    let address = bus.address
    let thrown = await #expect(throws: BusError.self) {
      try await Task.detached {
        let bus = try BlockingBusConnection(address)
        _ = try bus.call(
          Thing.echo, at: RemoteObject("org.example.Thing", Thing.path), .string("a word of the call"))
      }.value
    }
    #expect(thrown?.name == error)
  }
}

@Suite struct `Several connections and loops` {
  @Test func `Connections on two loops talk to each other`() async throws {
    try await BusFixture.run { fixture in
      let loop = EventLoop()
      let other = try await BusConnection.open(fixture.address, on: loop)
      try await fixture.server.export(Thing.object())
      try await other.export(Thing.object())
      let (here, there) = (try await fixture.object(), RemoteObject(try await other.uniqueName(), Thing.path))
      try await withThrowingTaskGroup { group in
        for number in 0..<50 {
          let value = Variant.uint32(UInt32(number))
          group.addTask { () async throws in
            #expect(try await other.call(Thing.echo, at: here, value) == value)
          }
          group.addTask { () async throws in
            #expect(try await fixture.client.call(Thing.echo, at: there, value) == value)
          }
        }
        try await group.waitForAll()
      }
      await other.close()
    }
  }
}
