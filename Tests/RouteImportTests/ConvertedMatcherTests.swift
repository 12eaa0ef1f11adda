// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import RouteImport

@Suite struct `The conversion of conditions` {
  /// The automata of different hosts are not compared with each other, which would take minutes.
  @Test(.computes) func `keeps the structures of some hundred hosts, and removes included ones`() {
    let hosts = (1...300).map { "host\($0).example.com" }
    let conditions = hosts.map { SourceCondition(matcher: .host($0), text: $0) }
    let wildcard = FinickyWildcard(text: "https://host1.example.com/a/*", version: .four)
    let matcher = ConvertedMatcher(
      conditions + [SourceCondition(matcher: .wildcard(wildcard), text: wildcard.text)])
    #expect(matcher.shapes.count == 2 * hosts.count)
    #expect(matcher.reasons.isEmpty, "\(matcher.reasons)")
  }
}
