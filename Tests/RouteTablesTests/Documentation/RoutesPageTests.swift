// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct RoutesPageTests {
  private static let examples = (try? PageExample.all(of: MarkdownPage("docs/routes.md"))) ?? []

  @Test func `The page has examples`() { #expect(Self.examples.count > 180) }

  @Test(arguments: examples)
  func `The code does what the page says`(example: PageExample) throws { try example.check() }
}
