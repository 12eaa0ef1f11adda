// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// Tests of the limits of property lists with a real bus, which must transfer everything that they allow.
@Suite struct PropertyListTransferTests {
  private static let echo = BusMethod<Arguments<[String: Variant]>, Arguments<[String: Variant]>>(
    "Echo", of: "org.example.Echo", takes: ["value"], returns: ["value"])

  private func echoing(_ entries: [String: Variant]) async throws -> [String: Variant] {
    try await ThrowAwayDesktop.withBus { _, bus in
      let connection = try await BusConnection.open(.address(bus.address))
      try await connection.export(
        BusObject("/echo", [.method(Self.echo) { _, value async throws(BusError) in value }]))
      #expect(try await connection.requestName("org.example.Echo") == .owned)
      let caller = try await BusConnection.open(.address(bus.address))
      let value = try await caller.call(Self.echo, at: RemoteObject("org.example.Echo", "/echo"), entries)
      await caller.close()
      await connection.close()
      return value
    }
  }

  private static let deepest: PropertyList = (0..<PropertyList.maximumDepth).reduce("leaf") { inner, _ in
    ["k": inner]
  }

  @Test func `The deepest annotation fits into an envelope`() async throws {
    var envelope = Envelope(requestID: "1", urls: ["a:"])
    envelope.annotation = Self.deepest
    #expect(try Envelope(await echoing(envelope.entries)) == envelope)
  }

  @Test func `The deepest answer fits into a receipt`() async throws {
    let delivery = Delivery(application: "a", outcome: .handled, value: Self.deepest)
    let receipt = Receipt(requestID: "1", deliveries: [delivery, delivery])
    #expect(try Receipt(await echoing(receipt.entries)) == receipt)
  }

  @Test func `The largest annotation and a long URL fit into a message`() async throws {
    var envelope = Envelope(requestID: "1", urls: ["a:" + String(repeating: "x", count: 1 << 20)])
    envelope.annotation = .data([UInt8](repeating: 7, count: PropertyList.maximumSize - 8))
    #expect(try Envelope(await echoing(envelope.entries)) == envelope)
  }
}
