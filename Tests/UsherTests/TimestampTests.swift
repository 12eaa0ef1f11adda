// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import UsherCommand

@Suite struct `The time of a file` {
  /// The latest time that gmtime(3) can represent, which a file in memory may have.
  @Test func `in a year beyond 32 bits is printed`() {
    #expect(Timestamp.text(of: 67_768_036_191_676_799) == "2147485547-12-31T23:59:59Z")
    #expect(Timestamp.text(of: 0) == "1970-01-01T00:00:00Z")
  }
}
