// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
@testable import RouteTables
import Testing

/// Tests of schemes whose authorities are all literal, which are matched by a different algorithm.
///
/// No result may differ from that of a table with a capture in a host.
@Suite struct KnownAuthorityTests {
  private static let patterns = [
    "https://h.example/", "https://h.example/a/{x}", "https://h.example/{rest...}?q={q}",
    "https://h.example/list?tag={tag:uint*}", "https://h.example/plus?a%2Bb={v}", "https://h.example#{mark}",
    "https://h.example:8443/a/{x}", "notes://bü.example/{x}", "https://a-name-of-more-than-16.example/a/{x}",
    "notes://h.example/{x}?k=one%20two&n={n:int?}", "xmpp://h.example/{x}?k=one%2Btwo", "/bare/{x}?q={q?}",
  ]

  /// Patterns that no URL of the tests matches.
  private static let elsewhere = ["https", "notes", "xmpp"].map { "\($0)://{x}.elsewhere.example/" }

  private static let paths = [
    "", "/", "/a/b", "/a/b/", "/a/%62", "/a/../a/b", "/a//b", "/bare/b", "/x/y/z", "/é", "/a/b%", "/a b",
    "/list", "/plus", "/0123456789abcdef/0123456789abcdef0123456789abcdef",
    "/" + String(repeating: "s/", count: 40),
  ]

  private static let tails = [
    "", "?", "#", "?#", "#f", "?q", "?q=", "?q=1", "?q=1#f", "?q=a+b&q=2", "?x&q=1", "?&&q=1&", "?=1&q=2",
    "?tag=1&tag=2", "?tag=1&tag=x", "?a+b=1", "?a%2Bb=2", "?k=one+two&n=7", "?k=one+two&n=x", "?k=one%2Btwo",
    "?q=\(String(repeating: "long", count: 20))&n=1", "?\(String(repeating: "k", count: 30))=1&q=2", "?q=é",
    "?q=1?q=2", "?" + (0..<20).map { "i\($0)=\($0)" }.joined(separator: "&") + "&q=1", "#é", "?q=%2",
    "?q=a\\b",
  ]

  @Test(arguments: [
    "https://h.example", "https://h.example:443", "https://h.example:8443", "https://h.example:08443",
    "https://h.example:", "https://h.example.", "https://H.example", "HTTPS://h.example",
    "https://ada@h.example",
    "https://bü.example", "notes://bü.example", "notes://b%C3%BC.example", "notes://bü",
    "notes://büx.example",
    "https://h.example\u{FF}",
    "https://a-name-of-more-than-16.example", "https://a-name-of-more-than-17.example", "notes://h.example",
    "xmpp://h.example", "https:/h.example", "https:h.example", "https:\u{E9}//h.example", "://h.example",
    "https//:h.example", "https\0://h.example", "https://h.example\0", "https://\0h.example",
    "notes\0\0\0://h.example",
  ])
  func `A capture in another host changes nothing`(start: String) throws {
    let texts = try table(Self.patterns)
    let more = try table(Self.patterns + Self.elsewhere)
    for path in Self.paths {
      for tail in Self.tails {
        let url = start + path + tail
        #expect(outcome(of: url, texts) == outcome(of: url, more), "\(url)")
      }
    }
  }

  /// Returns the result for a URL: the route with its captures, none, or the error.
  private func outcome(of url: String, _ table: RouteTable<String>) -> String {
    do throws(RouteTableError) {
      guard let match = try table.match(url) else { return "none" }
      let query = match.query.map { "\($0.name)=\($0.value ?? "-")" }
      return "\(match.route.id) \(match.values) \(query)"
    } catch {
      return "\(error)"
    }
  }

  @Test func `Matches agree with the patterns`() throws {
    let routes = try table(Self.patterns)
    #expect(try routes.match("https://h.example:8443/a/b?q=1")?.route.id == "https://h.example:8443/a/{x}")
    #expect(try routes.match("https://h.example/a/b?q=1")?.route.id == "https://h.example/a/{x}")
    #expect(try routes.match("https://h.example/plus?a%2Bb=2")?["v"] == "2")
    #expect(try routes.match("https://h.example/plus?a+b=2") == nil)
    #expect(
      try routes.match("https://h.example/list?tag=1&tag=2")?[list: "tag"].map { Array($0) } == ["1", "2"])
    #expect(try routes.match("https://h.example/list?tag=1&tag=x") == nil)
    #expect(try routes.match("notes://bü.example/b")?["x"] == "b")
    #expect(try routes.match("notes://h.example/b?k=one+two&n=7")?[int: "n"] == 7)
    #expect(try routes.match("xmpp://h.example/b?k=one+two")?["x"] == "b")
    #expect(try routes.match("xmpp://h.example/b?k=one%20two") == nil)
    #expect(try routes.match("https://h.example/bare/b")?.route.id == "/bare/{x}?q={q?}")
  }
}
