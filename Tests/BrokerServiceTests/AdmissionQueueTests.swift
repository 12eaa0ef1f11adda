// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import DBus
import Foundation
import Glibc
import TestSupport
import Testing

@testable import BrokerService
@testable import Systemd

@Suite struct `Admission` {
  /// The connections whose credentials the bus was asked for.
  @BrokerActor
  private final class Queries {
    private(set) var connections: [BusName] = []
    func add(_ connection: BusName) { connections.append(connection) }
  }

  /// Runs `body` with a queue on a bus of its own.
  private static func withQueue(
    identifyingBy identification: CallerIdentification, bytes: Int = 0, trust: Duration = .seconds(3_600),
    _ body: (AdmissionQueue) async throws -> Void
  ) async throws {
    let desktop = try ThrowAwayDesktop()
    let bus = try await PrivateBus.start(in: desktop)
    let connection = try await BusConnection.open(.address(bus.address))
    try await body(
      AdmissionQueue(
        identifyingBy: identification, in: SessionEnvironment(ofBroker: [:], bus: connection), undecided: 10,
        bytes: bytes, trust: trust))
    withExtendedLifetime((desktop, bus)) {}
  }

  @Test func `identifies each of several connections once, however their calls alternate`() async throws {
    let queries = Queries()
    let identification = CallerIdentification(
      .init(
        credentials: { name async throws(BusError) in
          await queries.add(name)
          throw BusError(.nameHasNoOwner, "gone")
        }, isPrivate: true),
      on: .shared)
    try await Self.withQueue(identifyingBy: identification) { queue in
      let callers: [BusName] = [":1.1", ":1.2", ":1.3"]
      for _ in 1...3 {
        for caller in callers {
          let (_, ticket) = try await queue.admit(.connection(caller))
          await ticket.release()
        }
      }
      #expect(await queries.connections == callers)
    }
  }

  @Test func `identifies a connection once for calls that need no admission`() async throws {
    let queries = Queries()
    let identification = CallerIdentification(
      .init(
        credentials: { name async throws(BusError) in
          await queries.add(name)
          return BusCredentials(processID: 1, userID: getuid() + 1)
        }, isPrivate: true),
      on: .shared)
    try await Self.withQueue(identifyingBy: identification) { queue in
      for _ in 1...3 {
        // Another user stays one.
        let error = await #expect(throws: BusError.self) { try await queue.callers.facts(of: ":1.1") }
        #expect(error?.name == .accessDenied)
      }
      #expect(await queries.connections == [":1.1"])
    }
  }

  /// Runs `body` with a queue that takes every connection for a relay.
  private static func withRelay(_ body: (AdmissionQueue, Queries) async throws -> Void) async throws {
    let process = try ChildProcess(
      ProcessConfiguration(executable: "/usr/bin/sleep", arguments: ["sleep", "86400"], environment: [:]),
      on: .shared)
    let pid = process.handle.pid
    let queries = Queries()
    // The path of the relay, from the directory of this program.
    let relay = UsherProgram(at: "\(String(repeating: "../", count: 40))usr/bin/sleep")
    let identification = CallerIdentification(
      .init(
        credentials: { name async throws(BusError) in
          await queries.add(name)
          return BusCredentials(processID: pid, userID: getuid())
        }, isPrivate: true, relays: [relay]),
      on: .shared, timeout: Command.defaultDeadline)
    try await Self.withQueue(identifyingBy: identification, trust: .zero) { try await body($0, queries) }
    try process.handle.send(signal: SIGKILL)
    _ = await process.exitStatus()
  }

  @Test func `identifies a relay once, because it never has other rights again`() async throws {
    try await Self.withRelay { queue, queries in
      var asked: [Int] = []
      for caller: BusName in [":1.1", ":1.1", ":1.2"] {
        let (context, ticket) = try await queue.admit(.connection(caller))
        #expect(try context.get().facts?.isRelay == true)
        await ticket.release()
        asked.append(await queries.connections.count)
      }
      // The credentials are queried before and after the process is pinned.
      #expect(asked == [2, 2, 4])
    }
  }

  /// The next bus gives the unique names of the lost one to other programs.
  @Test func `identifies a relay again after the bus was lost`() async throws {
    try await Self.withRelay { queue, queries in
      for count in [2, 4] {
        let (_, ticket) = try await queue.admit(.connection(":1.1"))
        await ticket.release()
        #expect(await queries.connections.count == count)
        await queue.forgetConnections()
      }
    }
  }

  @Test func `delays a connection whose calls it rejects until none of its calls waits`() async throws {
    let desktop = try ThrowAwayDesktop()
    let bus = try await PrivateBus.start(in: desktop)
    let connection = try await BusConnection.open(.address(bus.address))
    let queue = await AdmissionQueue(
      identifyingBy: CallerIdentification(
        .init(
          credentials: { _ throws(BusError) in throw BusError(.nameHasNoOwner, "gone") }, isPrivate: true),
        on: .shared),
      in: SessionEnvironment(ofBroker: [:], bus: connection), undecided: 4, bytes: 0)
    let caller = CallerEndpoint.connection(":1.1")
    let (_, ticket) = try await queue.admit(caller)
    #expect(await queue.delay(of: caller, afterURLs: 1, isBeyondLimit: false) == .zero)
    // The first call is a quarter of those that may wait, all that a connection may have.
    await #expect(throws: BusError.self) { _ = try await queue.admit(caller) }
    #expect(await queue.delay(of: caller, afterURLs: 1, isBeyondLimit: false) == .milliseconds(5))
    #expect(await queue.delay(of: .connection(":1.2"), afterURLs: 1, isBeyondLimit: false) == .zero)
    await ticket.release()
    #expect(await queue.delay(of: caller, afterURLs: 1, isBeyondLimit: false) == .zero)
  }

  @Test func `counts the calls of a caller on all its connections, and leaves room for others`() async throws
  {
    let desktop = try ThrowAwayDesktop()
    let bus = try await PrivateBus.start(in: desktop)
    let connection = try await BusConnection.open(.address(bus.address))
    let queue = await AdmissionQueue(
      identifyingBy: CallerIdentification(
        .init(
          credentials: { name throws(BusError) in
            guard name == ":1.9" else { throw BusError(.nameHasNoOwner, "gone") }
            return BusCredentials(processID: getpid(), userID: getuid())
          }, isPrivate: true),
        on: .shared, timeout: Command.defaultDeadline),
      in: SessionEnvironment(ofBroker: [:], bus: connection), undecided: 4, bytes: 0)
    // All callers that cannot be identified are one caller.
    let (_, ticket) = try await queue.admit(.connection(":1.1"))
    for other: BusName in [":1.2", ":1.3", ":1.4", ":1.5"] {
      let error = await #expect(throws: BusError.self) { _ = try await queue.admit(.connection(other)) }
      #expect(
        error?.message.hasPrefix("1 requests of this caller are waiting") == true,
        "\(String(describing: error))")
    }
    let (caller, otherTicket) = try await queue.admit(.connection(":1.9"))
    #expect(try caller.get().facts != nil)
    await otherTicket.release()
    await ticket.release()
    let (_, next) = try await queue.admit(.connection(":1.2"))
    await next.release()
  }

  @Test func `counts the bytes of a caller's calls until they are decided, but not those of ordinary links`()
    async throws
  {
    let identification = CallerIdentification(
      .init(
        credentials: { name throws(BusError) in
          guard name == ":1.9" else { throw BusError(.nameHasNoOwner, "gone") }
          return BusCredentials(processID: getpid(), userID: getuid())
        }, isPrivate: true),
      on: .shared, timeout: Command.defaultDeadline)
    try await Self.withQueue(identifyingBy: identification, bytes: 65_536) { queue in
      let large = 16_384 + BrokerLimits.uncountedBytes
      let (_, ticket) = try await queue.admit(.connection(":1.1"), size: large)
      // A call without URLs of its own waits for its reply, too.
      await ticket.release()
      // All callers that cannot be identified are one caller.
      let error = await #expect(throws: BusError.self) {
        _ = try await queue.admit(.connection(":1.2"), size: large)
      }
      #expect(
        error?.message.hasPrefix("requests of 16384 bytes of this caller are waiting") == true,
        "\(String(describing: error))")
      for (caller, size) in [(":1.2", BrokerLimits.uncountedBytes), (":1.9", large)] as [(BusName, Int)] {
        let (_, other) = try await queue.admit(.connection(caller), size: size)
        await other.end(isBeyondLimit: false)
      }
      await ticket.end(isBeyondLimit: false)
      let (_, next) = try await queue.admit(.connection(":1.2"), size: large)
      await next.end(isBeyondLimit: false)
    }
  }

  @Test func `counts a call that needs no decision while it waits`() async throws {
    let identification = CallerIdentification(
      .init(credentials: { _ throws(BusError) in throw BusError(.nameHasNoOwner, "gone") }, isPrivate: true),
      on: .shared)
    try await Self.withQueue(identifyingBy: identification) { queue in
      let caller = CallerEndpoint.connection(":1.1")
      // A connection may have a quarter of ten calls.
      let tickets = [try await queue.enter(caller), try await queue.enter(caller)]
      await #expect(throws: BusError.self) { _ = try await queue.enter(caller) }
      for ticket in tickets { await ticket.release() }
      try await queue.enter(caller).release()
    }
  }

  @Test func `identifies one peer of a process at a time`() async throws {
    let desktop = try ThrowAwayDesktop()
    let bus = try await PrivateBus.start(in: desktop)
    let connection = try await BusConnection.open(.address(bus.address))
    let directory = try TemporaryDirectory()
    let processes = "\(directory.path)/processes"
    try FileManager.default.createSymbolicLink(atPath: processes, withDestinationPath: "/proc")
    let queue = await AdmissionQueue(
      identifyingBy: CallerIdentification(
        .init(
          credentials: { _ throws(BusError) in throw BusError(.nameHasNoOwner, "gone") }, isPrivate: true,
          processes: processes), on: .shared, timeout: Command.defaultDeadline),
      in: SessionEnvironment(ofBroker: [:], bus: connection), undecided: 10, bytes: 0)
    let (peers, came) = AsyncStream<SeqPacketConnection>.makeStream()
    let listener = try await Self.listen(at: "\(directory.path)/socket") { came.yield($0) }
    let process = try await RunningProgram.start(
      "/usr/bin/python3",
      [
        "-c",
        """
        import socket, sys
        peers = [socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(2)]
        for peer in peers:
          peer.connect(sys.argv[1])
          peer.send(b"x")
        sys.stdin.read()
        """, "\(directory.path)/socket",
      ])
    var arrived = peers.makeAsyncIterator()
    let first = try #require(await arrived.next())
    let second = try #require(await arrived.next())
    let (context, ticket) = try await queue.admit(.peer(first))
    #expect(try context.get().facts != nil)
    async let later = queue.admit(.peer(second))
    // The time in which the second peer would be identified.
    for _ in 1...1_000 { await Self.takeTurn() }
    try FileManager.default.removeItem(atPath: processes)
    await ticket.release()
    #expect(try await later.caller.get().facts == nil)
    process.kill()
    await Self.end(listener)
  }

  @BrokerActor
  private static func listen(
    at path: String, _ receive: @escaping @Sendable (SeqPacketConnection) -> Void
  ) throws -> SeqPacketListener {
    try SeqPacketListener(at: path, on: BrokerActor.loop, mostConnections: 8, longestPacket: 8) { peer, _ in
      receive(peer)
    }
  }

  @BrokerActor private static func takeTurn() {}

  @BrokerActor private static func end(_ listener: SeqPacketListener) { listener.end() }
}
