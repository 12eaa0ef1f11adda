// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Testing

@testable import BrokerService

@Suite struct `Unknown options of a request` {
  @Test func `have at most 64 KiB together`() throws {
    let limit = BrokerLimits.maximumUnknownOptions
    // A key of three bytes and its value count as 35 bytes more than the text or data.
    let text = String(repeating: "a", count: limit - 2 * 35 - 10)
    var entries: [String: Variant] = ["annotation": "x", "x-a": .string(text), "x-b": .bytes(data(10))]
    #expect(try RequestDecoder.options(entries).others.count == 2)
    entries["x-b"] = .bytes(data(11))
    let error = #expect(throws: BusError.self) { try RequestDecoder.options(entries) }
    #expect(error?.brokerError == .invalidRequest)
    #expect(
      error?.message
        == "the options that this version of Usher does not know (“x-a”, “x-b”) have 65537 bytes; the limit is 65536"
    )
  }

  @Test func `count as what they take in memory`() {
    let flags = Variant.array(of: "b", Array(repeating: .boolean(true), count: 5_000))
    #expect(throws: BusError.self) { try RequestDecoder.options(["x-flags": .variant(flags)]) }
    #expect(throws: BusError.self) {
      try RequestDecoder.options([String(repeating: "x", count: 70_000): .byte(1)])
    }
  }

  private func data(_ count: Int) -> [UInt8] { Array(repeating: 7, count: count) }
}
