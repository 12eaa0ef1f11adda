// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
@testable import RouteTables
import Testing

/// Tests of text lengths, because texts are compared in units of eight and sixteen bytes.
@Suite struct TextLengthTests {
  private static let lengths = Array(1...40)

  private static func text(_ length: Int) -> String {
    String((0..<length).map { Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8($0 % 26))) })
  }

  /// Returns the text with every third character percent-encoded.
  private static func encoded(_ text: String) -> String {
    text.utf8.enumerated().map { place, byte in
      place % 3 == 1 ? "%" + String(byte, radix: 16, uppercase: true) : String(Unicode.Scalar(byte))
    }.joined()
  }

  @Test(arguments: ["", "https://h.example", "app:"])
  func `Segments of every length are distinguished`(prefix: String) throws {
    let routes = try table(Self.lengths.map { "\(prefix)/\(Self.text($0))/{x}/\(Self.text($0))" })
    for length in Self.lengths {
      for own in Self.lengths {
        let (text, other) = (Self.text(length), Self.text(own))
        let match = try routes.match("\(prefix)/\(text)/\(other)/\(text)")
        #expect(match?.routeIndex == length - 1)
        #expect(match?["x"] == other)
        if own != length { #expect(try routes.match("\(prefix)/\(text)/x/\(other)") == nil) }
      }
      let encoded = Self.encoded(Self.text(length))
      #expect(try routes.match("\(prefix)/\(encoded)/x/\(encoded)")?.routeIndex == length - 1)
      #expect(try routes.match("\(prefix)/\(Self.text(length))/x/\(Self.text(length))0") == nil)
    }
  }

  @Test func `Hosts of every length are distinguished`() throws {
    let literal = try table(Self.lengths.map { "https://\(Self.text($0)).example/{x}" })
    let open = try table(Self.lengths.map { "https://\(Self.text($0)).example/{x}" } + ["https://*.other/"])
    for routes in [literal, open] {
      for length in Self.lengths {
        let host = "\(Self.text(length)).example"
        for url in ["https://\(host)/a", "https://\(host.uppercased())/a", "https://\(host):443/a"] {
          #expect(try routes.match(url)?.routeIndex == length - 1, "\(url)")
        }
        #expect(try routes.match("https://\(host):444/a") == nil)
        #expect(try routes.match("https://x.\(host)/a") == nil)
        #expect(try routes.match("https://ada@\(host)/a") == nil)
        #expect(try routes.match("https://\(host)./a")?.routeIndex == length - 1)
        #expect(try routes.match("https://\(host)../a") == nil)
      }
    }
  }

  @Test func `Keys and values of every length are distinguished`() throws {
    let routes = try table(Self.lengths.map { "/s?\(Self.text($0))=\(Self.text($0))" } + ["/s?k={k}"])
    for length in Self.lengths {
      let text = Self.text(length)
      for url in [
        "/s?\(text)=\(text)", "/s?x&\(text)=\(text)", "/s?\(text)=\(text)&x=1",
        "/s?&&\(text)=\(text)&\(text)=x",
        "/s?\(Self.encoded(text))=\(Self.encoded(text))", "/s?\(text)=\(text)#\(text)=x",
        "/s?\(Self.text(40))\(Self.text(40))=x&\(text)=\(text)",
      ] {
        #expect(try routes.match(url)?.routeIndex == length - 1, "\(url)")
      }
      #expect(try routes.match("/s?\(text)=\(text)0") == nil)
      #expect(try routes.match("/s?\(text)=x&\(text)=\(text)") == nil)
      #expect(try routes.match("/s?\(text)0=\(text)") == nil)
      #expect(try routes.match("/s?k=\(text)&x")?["k"] == text)
    }
  }

  @Test func `A plus in a key or a value is a space, a written one itself`() throws {
    let routes = try table(["/s?a%20b=c%20d", "/s?a%2Bb=c%2Bd"])
    #expect(try routes.match("/s?a+b=c+d&x=123456789")?.routeIndex == 0)
    #expect(try routes.match("/s?a%20b=c%20d&x=1")?.routeIndex == 0)
    #expect(try routes.match("/s?a%2Bb=c%2Bd&x=1")?.routeIndex == 1)
    #expect(try routes.match("/s?a+b=c%2Bd&x=123456789") == nil)
  }

  @Test func `Text between two literals is captured, encoded or not`() throws {
    let routes = try table(["/pre{x}post", "/{n:uint}px", "/{x:/a+/}.{y}", "/é{x}ü"])
    for (url, index, x) in [
      ("/preXpost", 0, "X"), ("/pre%58post", 0, "X"), ("/%70reX%70ost", 0, "X"), ("/prepostpost", 0, "post"),
      ("/pre%25post", 0, "%"), ("/12px", 1, ""), ("/1%32p%78", 1, ""), ("/aa.b.c", 2, "aa"),
      ("/%C3%A9-%C3%BC", 3, "-"), ("/éü%C3%BC", 3, "ü"),
    ] {
      let match = try routes.match(url)
      #expect(match?.routeIndex == index, "\(url)")
      if !x.isEmpty { #expect(match?["x"] == x) }
    }
    for url in ["/prepost", "/prost", "/prepos", "/px", "/1px2", "/éü", "/é"] {
      #expect(try routes.match(url) == nil, "\(url)")
    }
  }

  @Test func `A lookup of text or bytes returns the route and its match`() throws {
    let routes = try table(["/a/{x}", "https://h/{x}?k={k}"])
    for url in ["/a/b%20c", "https://h/x?k=1%2B&z"] {
      let found = try #require(try routes.find(url))
      let match = try #require(try routes.match(url))
      #expect(found.routeIndex == match.routeIndex)
      #expect(try routes.find(Array(url.utf8).span)?.routeIndex == match.routeIndex)
      #expect(routes.match(url, at: found)["x"] == match["x"])
      #expect(routes.match(url, at: found)["k"] == match["k"])
    }
    #expect(try routes.find("/b") == nil)
    #expect(throws: RouteTableError.self) { try routes.find("/%zz") }
    #expect(throws: RouteTableError.self) { try routes.find([UInt8]().span) }
  }
}
