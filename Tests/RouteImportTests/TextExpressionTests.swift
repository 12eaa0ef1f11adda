// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RouteImport

@Suite struct `A search for an expression` {
  @Test func `is given up for a text that needs too much of the stack`() {
    let any = TextExpression.sequence([.anyText, .end])
    #expect(any.occurs(in: String(repeating: "a", count: 1_000)) == true)
    #expect(any.occurs(in: String(repeating: "a", count: 100_000)) == nil)
  }
}
