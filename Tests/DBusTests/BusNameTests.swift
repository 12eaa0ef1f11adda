// SPDX-License-Identifier: Apache-2.0
import DBus
import Dispatch
import Glibc
import Systemd
import TestSupport
import Testing

@Suite struct `Names on the bus` {
  static let name: BusName = "org.example.Wanted"

  @Test func `A name is acquired, refused to others, and released`() async throws {
    try await BusFixture.run { fixture in
      let (first, second) = (fixture.server, fixture.client)
      #expect(try await second.owner(of: Self.name) == nil)
      #expect(try await first.requestName(Self.name) == .owned)
      #expect(try await first.requestName(Self.name) == .owned)
      #expect(try await second.requestName(Self.name) == .taken)
      let unique = try await first.uniqueName()
      #expect(try await second.owner(of: Self.name) == unique)
      try await first.releaseName(Self.name)
      #expect(try await second.owner(of: Self.name) == nil)
      // A connection whose request failed does not wait in the queue.
      #expect(try await second.requestName(Self.name) == .owned)
    }
  }

  @Test func `Watching a name reports each change exactly once`() async throws {
    try await BusFixture.run { fixture in
      let owner = try await fixture.server.uniqueName()
      // The owner changes while the watch begins.
      let before = Task { for _ in 0..<20 { try await Self.turn(fixture.server) } }
      let owners = try await fixture.client.owners(of: Self.name)
      try await before.value
      for _ in 0..<100 { try await Self.turn(fixture.server) }
      #expect(try await fixture.server.requestName("org.example.Last") == .owned)
      let seen = Shared<[BusName?]>([])
      let task = Task {
        for await owner in owners {
          seen.value.append(owner)
          if seen.value.count >= 200, seen.value.count.isMultiple(of: 2), owner == nil { continue }
        }
      }
      try await withDeadline(Command.defaultDeadline, "two hundred changes") {
        while seen.value.count < 200 || seen.value.last != .some(nil) { await Task.yield() }
      }
      task.cancel()
      // After its first element the stream alternates, and its last element is the final state.
      for (one, next) in zip(seen.value, seen.value.dropFirst()) {
        #expect((one == nil) != (next == nil))
        #expect([one, next].contains(owner))
      }
    }
  }

  @Test func `Whether something of the bus is unread is known`() async throws {
    try await BusFixture.run { fixture in
      let addressee = try await RemoteObject(fixture.client.uniqueName(), Thing.path)
      #expect(try await fixture.client.fallsBehind(when: fixture.address, calls: addressee))
      try await withDeadline(Command.defaultDeadline, "what is unread to be read") {
        while await !fixture.client.hasNoUnreadInput { await Task.yield() }
      }
    }
  }

  private static func turn(_ connection: BusConnection) async throws {
    #expect(try await connection.requestName(name) == .owned)
    try await connection.releaseName(name)
  }

  @Test(arguments: 0..<10)
  func `A change right after the first answer is seen`(round: Int) async throws {
    try await BusFixture.run { fixture in
      // The reply and the change may be processed in one turn of the loop.
      for turn in 0..<30 {
        let name = BusName(unchecked: "org.example.Turn\(turn)")
        async let owned = fixture.server.requestName(name)
        let owners = try await fixture.client.owners(of: name)
        #expect(try await owned == .owned)
        let seen = try await withDeadline(Command.defaultDeadline, "the owner") {
          await owners.first { $0 != nil }
        }
        #expect(seen != nil)
      }
    }
  }

  @Test func `A name is released when its program exits`() async throws {
    try await BusFixture.run { fixture in
      let other = try await BusConnection.open(fixture.address)
      #expect(try await other.requestName(Self.name) == .owned)
      let owners = try await fixture.client.owners(of: Self.name)
      #expect(try await owners.next() != nil)
      await other.close()
      #expect(try await owners.next() == nil)
    }
  }

  @Test func `The bus vouches for process and user`() async throws {
    try await BusFixture.run { fixture in
      let credentials = try await fixture.client.credentials(of: fixture.object().name)
      #expect(credentials.processID == getpid())
      #expect(credentials.userID == getuid())
      let error = await #expect(throws: BusError.self) { try await fixture.client.credentials(of: ":1.999") }
      #expect(error?.name == .nameHasNoOwner)
    }
  }

  @Test func `A connection that cannot send is not caught up`() async throws {
    try await BusFixture.run { fixture in
      let connection = try await BusConnection.open(fixture.address, on: EventLoop(), reconnects: false)
      #expect(await connection.hasNoUnreadInput)
      let (daemon, loop, ended) = (fixture.daemon, EventLoop(), DispatchSemaphore(value: 0))
      #expect(
        await connection.isCaughtUpAfterSending(once: ended) {
          loop.start {
            await daemon.kill()
            ended.signal()
          }
        } == false)
      await connection.close()
    }
  }

  @Test func `A name that the bus refuses is its error`() async throws {
    try await BusFixture.run { fixture in
      let error = await #expect(throws: BusError.self) {
        try await fixture.client.requestName("org.freedesktop.DBus")
      }
      #expect(error?.name == .invalidArgs || error?.name == .accessDenied, "\(String(describing: error))")
    }
  }
}

extension BusConnection {
  /// Returns `true` if a call that arrives during a turn of the loop is detected as unread.
  fileprivate func fallsBehind(when address: BusAddress, calls addressee: RemoteObject) throws -> Bool {
    let other = try BlockingBusConnection(address)
    _ = try? other.call(Thing.echo, at: addressee, .string("x"), timeout: .milliseconds(1))
    let deadline = Command.deadlineFromNow
    while hasNoUnreadInput, ContinuousClock.now < deadline { usleep(100) }
    return !hasNoUnreadInput
  }

  /// Returns `hasNoUnreadInput` in the turn of the loop in which the bus exits and a message to it fails.
  fileprivate func isCaughtUpAfterSending(once ended: DispatchSemaphore, _ kill: () -> Void) -> Bool {
    kill()
    ended.wait()
    _ = try? emit(Thing.ticked, from: Thing.path, 0, "")
    return hasNoUnreadInput
  }
}
