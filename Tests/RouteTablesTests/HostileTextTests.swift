// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import TestSupport
import Testing

@testable import RouteTables

@Suite(.computes) struct HostileTextTests {
  private static let pieces = [
    "{", "}", "{{", "}}", "/", "//", ":", "?", "#", "&", "=", "%", "%2F", "%2e", "..", ".", "@", "[", "]",
    "a", "7", "int", "é",
    "%C3", "%A9", "%00", " ", "\\", "!", "*", "|", "...", "{x}", "{y:int}", "{z?}", "{w=1}", "{r...}", "{l*}",
    "{:a|b/}", "{t:/[a-z]+/}", "{:|.}", "https", "+",
    "\u{7F}", "😀", "-",
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...12, using: &random)).map { _ in random.pick(pieces) }.joined()
  }

  @Test func `No text traps, and parsed patterns can be printed and parsed again`() throws {
    var random = SeededGenerator(seed: 7)
    let routes = try table(["https://h/{a}?k={k}", "/{n:int}", "a:{x}", "/a/{b}#{c}"])
    var accepted = 0
    for _ in 0..<20_000 {
      let text = random.pick(["", "a:", "https://", "/"]) + Self.text(&random)
      if let pattern = try? RoutePattern(text) {
        accepted += 1
        #expect(try RoutePattern(pattern.description) == pattern, "\(text)")
        #expect(try RoutePattern(pattern.description).description == pattern.description, "\(text)")
      }
      _ = try? routes.match(text)
    }
    #expect(accepted > 1_000)
  }

  /// Tests that the parsers of patterns and of URLs use one normal form.
  @Test func `A pattern without captures matches itself`() throws {
    var random = SeededGenerator(seed: 8)
    var matched = 0
    for _ in 0..<20_000 {
      let text = random.pick(["a:", "https://", "/"]) + Self.text(&random)
      guard !text.contains(where: { "{}!*".contains($0) }), let pattern = try? RoutePattern(text) else {
        continue
      }
      matched += 1
      let routes = try table([text])
      #expect(try routes.match(text) != nil, "\(text)")
      #expect(try routes.match(pattern.description) != nil, "\(text)")
    }
    #expect(matched > 1_000)
  }
}
