// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite(.computes) struct `The catalogue of RouteAnalysis` {
  @Test func `The first page groups the whole public interface`() throws {
    #expect(try PublicTypes.declared(in: "RouteAnalysis").count > 5)
    for type in try PublicTypes.missingInCatalogue(of: "RouteAnalysis") { Issue.record("\(type)") }
  }
}
