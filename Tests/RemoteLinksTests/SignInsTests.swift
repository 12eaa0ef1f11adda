// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus
import Glibc
import Logging
import RemoteProtocol
import TestSupport
import Testing

@testable import RemoteLinks

/// The sign-ins of a machine, at real ports.
@BrokerActor
@Suite struct `The sign-ins of a machine` {
  /// A carrier that counts the sign-ins of which nothing is left.
  private final class CountingCarrier: SignInCarrier {
    private(set) var released = 0
    /// Ports that the kernel gives to no outgoing connection (32768 to 60999), each of which is used once.
    var ports = Array(UInt16(20_000)..<32_768).shuffled()
    var isConnected: Bool { true }
    func obstacle(to request: RemoteRequest, at port: UInt16) -> BusError? { nil }
    func expect(_ signIn: SignIn, for id: String) {}
    func carry(_ request: CarriedRequest, of signIn: SignIn) {}
    func forget(_ signIn: SignIn) { released += 1 }
  }

  private let signIns: SignIns
  private let carrier = CountingCarrier()

  init() throws {
    signIns = SignIns(of: try #require(RemoteMachine("build")), log: Logger(label: "test"))
  }

  private func redirect(at port: UInt16) -> ExpectedRedirect {
    ExpectedRedirect(site: "https://a.example", host: .ipv4, port: port, path: "/cb", state: "a")
  }

  /// Starts a sign-in at a port that is free.
  private func start(_ requestID: String) throws -> SignIn {
    while let port = carrier.ports.popLast() {
      do throws(BusError) {
        return try signIns.start(redirect(at: port), for: requestID, by: carrier)
      } catch {
        // The port is in use.
        guard error.brokerError == .denied else { throw error }
      }
    }
    throw TestSupportError("no port is free")
  }

  @Test func `wait until their requests fail, or the relay exits`() throws {
    let (first, second, third) = (try start("one"), try start("two"), try start("three"))
    #expect(signIns.isWaiting && first.isActive)
    signIns.cancel("one")
    #expect(!first.isActive && second.isActive && carrier.released == 1)
    signIns.stop()
    #expect(!second.isActive && !third.isActive && !signIns.isWaiting && carrier.released == 3)
  }

  @Test func `replace an earlier one at their port, for which there is no obstacle`() throws {
    let first = try start("one")
    #expect(signIns.obstacle(at: first.redirect.port) == nil)
    // A program that another test starts may have a copy of the first one's socket until it is executed.
    _ = try? signIns.start(first.redirect, for: "two", by: carrier)
    #expect(!first.isActive && carrier.released == 1)
    signIns.stop()
  }

  @Test func `are limited in number, and the first one whose client has disconnected is replaced`() throws {
    let started = try (1...RelayLimits.signIns).map { try start("\($0)") }
    let other = try #require(carrier.ports.last)
    #expect(signIns.obstacle(at: other)?.brokerError == .tooMany)
    #expect(throws: BusError.self) { try start("more") }
    started[1].abandon()
    #expect(!started.map(\.isActive).contains(false))
    let last = try start("more")
    #expect(last.isActive && started.enumerated().allSatisfy { $1.isActive == ($0 != 1) })
    signIns.stop()
  }

  @Test func `cannot begin at a port that a program uses`() throws {
    let program = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(program) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port =
      withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(program, $0, size) == 0 && listen(program, 1) == 0 && getsockname(program, $0, &size) == 0
        }
      } ? UInt16(bigEndian: address.sin_port) : 0
    try #require(port > 0)
    #expect(signIns.obstacle(at: port)?.brokerError == .denied)
    #expect(throws: BusError.self) { try signIns.start(redirect(at: port), for: "one", by: carrier) }
    #expect(!signIns.isWaiting && carrier.released == 0)
  }
}
