// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// Pushes for the background, with a stand-in for the broker whose answers the test chooses.
@Suite struct `A push for the background` {
  @Test func `that was not delivered is sent again under another ID, and one that was sent is not`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      let broker = try await StandInBroker.start(on: desk)
      let distributor = try await PushDistributor.start(on: desk)
      let token = try await PushDistributor.register(on: desk)
      try await distributor.push(#"{"n":1}"#, to: token)
      let first = try await broker.next()
      // The application was busy for the whole time, and the broker gives this ID the same answer again.
      await broker.answer(.failed)
      let second = try await broker.next()
      #expect(second.payload == ["n": 1] && second.requestID != first.requestID)
      // The application has the push, and is slow.
      await broker.answer(.unknown)
      try await distributor.push(#"{"n":2}"#, to: token)
      #expect(try await broker.next().payload == ["n": 2])
      await broker.answer(nil)
      await application.bus.close()
    }
  }

  @Test func `that waits is dropped when the registration is ended, and the oldest one when too many wait`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      // It runs, so that starts are not limited.
      let application = try await ServedApplication.start(.application1, on: desk)
      let broker = try await StandInBroker.start(on: desk)
      let distributor = try await PushDistributor.start(on: desk)
      var token = try await PushDistributor.register(on: desk)
      try await distributor.push(#"{"n":0}"#, to: token)
      #expect(try await broker.next().payload == ["n": 0])
      try await distributor.push(#"{"n":1}"#, to: token)
      try await desk.usher("push", "unregister", ServedApplication.id).orThrow()
      token = try await PushDistributor.register(on: desk)
      // The first of the waiting ones counts as being on its way; of the others, 64 wait.
      for number in 2...67 { try await distributor.push("{\"n\":\(number)}", to: token) }
      await broker.answer(nil)
      for number in [2] + Array(4...67) {
        #expect(try await broker.next().payload == ["n": .integer(Int64(number))])
        await broker.answer(nil)
      }
      await application.bus.close()
    }
  }

  @Test func `waits after 20 starts in an hour, until the application runs`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.prepare(.application1, on: desk, exec: "/bin/false")
      let broker = try await StandInBroker.start(on: desk)
      let distributor = try await PushDistributor.start(on: desk)
      let token = try await PushDistributor.register(on: desk)
      for number in 1...20 {
        try await distributor.push("{\"n\":\(number)}", to: token)
        #expect(try await broker.next().payload == ["n": .integer(Int64(number))])
        await broker.answer(nil)
      }
      // Another application, which runs, so that its pushes are not limited.
      let other = "org.example.Other"
      try desk.desktop.installDesktopEntry(other, exec: "/bin/true")
      let otherBus = try await desk.connect()
      #expect(try await otherBus.requestName(try #require(BusName(other))) == .owned)
      let otherToken = try await PushDistributor.register(other, on: desk)
      // The next daemon counts the starts of the first one.
      let daemon = try await TriggerDaemon(on: desk)
      try await daemon.kill()
      try await distributor.push(#"{"n":21}"#, to: token)
      let program = try #require(try await daemon.processID())
      // The daemon decides about this push after the one before, which would otherwise be sent first.
      try await distributor.push(#"{"n":22}"#, to: otherToken)
      #expect(try await broker.next().target == other)
      await broker.answer(nil)
      try await application.takeName()
      #expect(try await broker.next().payload == ["n": 21])
      #expect(try await daemon.processID() == program)
      await broker.answer(nil)
    }
  }
}
