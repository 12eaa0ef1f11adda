// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrokerService

@Suite struct `Recent values` {
  @Test func `A value is believed for the time that its cache states`() {
    var long = RecentValues<String, Int>(trust: .seconds(3_600), capacity: 2)
    var none = RecentValues<String, Int>(trust: .zero, capacity: 2)
    long.keep(1, for: "a")
    none.keep(1, for: "a")
    #expect(long["a"] == 1)
    #expect(long["b"] == nil)
    #expect(none["a"] == nil)
  }

  @Test func `Invented keys do not fill the memory`() {
    var values = RecentValues<Int, Int>(trust: .seconds(3_600), capacity: 2)
    for key in 1...3 { values.keep(key, for: key) }
    #expect(values[1] == nil)
    #expect(values[3] == 3)
  }
}
