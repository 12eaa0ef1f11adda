// SPDX-License-Identifier: Apache-2.0
import Testing
@testable import TriggerService

/// Two applications whose IDs are equal strings of Swift and have different bytes.
@Suite struct `Applications with IDs of different normal forms` {
  private static let (composed, decomposed) = ("org.example.\u{C4}", "org.example.A\u{308}")

  @Test func `are equal strings`() { #expect(Self.composed == Self.decomposed) }

  @Test(arguments: [nil, ["a"]])
  func `have items of their own`(_ identifiers: [String]?) {
    let keys = [Self.composed, Self.decomposed].map { MonitoredKey(application: $0, identifier: "a") }
    #expect(keys.of(Self.composed, named: identifiers) == [keys[0]])
    #expect(keys.of(Self.decomposed, named: identifiers) == [keys[1]])
  }

  @Test func `do not see the items of each other`() {
    let visibility = CallerAccess.Visibility(of: Self.composed)
    #expect(visibility.includes(Self.composed))
    #expect(!visibility.includes(Self.decomposed))
    #expect(CallerAccess.Visibility(of: nil).includes(Self.decomposed))
  }
}
