// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
@testable import RouteTables
import Testing

@Suite struct RouteMatchTests {
  @Test func `Captures are decoded and typed`() throws {
    let routes = try table(["https://{t}.forge.example/{a}/{n:uint}/{i:int}?q={q}#{f}"])
    let match = try #require(
      try routes.match("https://ACME.forge.example/a%2Fb/18446744073709551615/-7?q=a+b%2B%26#%C3%A9"))
    #expect(match["t"] == "acme")
    #expect(match["a"] == "a/b")
    #expect(match["n"] == "18446744073709551615")
    #expect(match[uint: "n"] == .max)
    #expect(match[int: "n"] == nil)
    #expect(match[int: "i"] == -7)
    #expect(match["q"] == "a b+&")
    #expect(match["f"] == "é")
    #expect(match["other"] == nil)
    #expect(match.values.map(\.name) == ["t", "a", "n", "i", "q", "f"])
    #expect(match.values[2].value == .uint(.max))
    #expect(match.values[3].value == .int(-7))
  }

  /// Compares the text of each capture in the URL with that of the match.
  @Test(arguments: [
    // pattern, URL, numbers of the captures that are not recorded
    ("https://{t}.h/{a}/{n:uint}?q={q}#{f}", "https://ACME.h/a%2Fb/7?q=a+b%2B%26#%C3%A9", []),
    ("https://{t}.h/{a}", "https://acme.h/a+b", []), ("/{p...}/edit", "/a/b%2Fc/edit", []),
    ("/{p...}", "/", []), ("/{p...}", "/a//", []), ("/a/{p...?}", "/a", [0]), ("/{p...}", "/a/./b", [0]),
    ("/{p...}/-/{q...}", "/a/-/b", [0, 1]), ("/{a}.{b}/{c}", "/x.y/z", [0, 1]), ("/s?q={q?}", "/s", [0]),
    ("mailto:?subject={s}", "mailto:?subject=a+b", []), ("file:///{p...}", "file:///a/%62", [0]),
    ("/{a}/{b}/{c}/{d}/{e}/{f}/{g}/{h}/{i}", "/1/2/3/4/5/6/7/8/9", [8]),
  ])
  func `Captures are ranges of the URL, or are read from the match`(
    pattern: String, url: String, elsewhere: [Int]
  ) throws {
    let routes = try table([pattern])
    let found = try #require(try routes.find(url))
    let match = routes.match(url, at: found)
    for (number, capture) in match.pattern.captures.enumerated() {
      let text = found.text(ofCapture: number)
      #expect((text == nil) == elsewhere.contains(number), "\(capture.name)")
      #expect(try routes.match(url)?[capture.name] == match[capture.name])
      guard let text else { continue }
      #expect(text.string(in: url) == match[capture.name])
      #expect(text.int(in: url) == match[int: capture.name])
      #expect(text.uint(in: url) == match[uint: capture.name])
      let written = String(decoding: Array(url.utf8)[text.range], as: UTF8.self)
      #expect(text.isEncoded == (written != match[capture.name]))
    }
    #expect(found.text(ofCapture: match.pattern.captures.count) == nil && found.text(ofCapture: -1) == nil)
  }

  @Test(arguments: ["", "https://h.example", "https://{h}.example"])
  func `An optional capture is recorded behind many keys of other routes`(prefix: String) throws {
    let others = (0..<20).map { "k\($0)" }
    let routes = try table(["\(prefix)/x?q={q?}", "\(prefix)/y?" + others.joined(separator: "&")])
    let url =
      prefix.replacing("{h}", with: "h") + "/x?" + others.map { "\($0)=1&" }.joined() + "q=seven"
    let found = try #require(try routes.find(url))
    let number = routes.match(url, at: found).pattern.captures.count - 1
    #expect(found.text(ofCapture: number)?.string(in: url) == "seven")
  }

  @Test(arguments: ["0", "-1", "9223372036854775807", "-9223372036854775808", "%37"])
  func `Integers match`(text: String) throws { #expect(try matches("/{n:int}", "/" + text)) }

  @Test(arguments: [
    "-0", "+1", "01", "00", "-", "", "1.0", "0x1", "9223372036854775808", "-9223372036854775809", "1-", "--1",
    "%2D0", "٣",
  ])
  func `An integer that is not canonical does not match`(text: String) throws {
    #expect(try !matches("/{n:int}", "/" + text))
  }

  @Test(arguments: ["-1", "-0", "18446744073709551616", "00", "99999999999999999999999"])
  func `A signed integer does not match an unsigned type`(text: String) throws {
    #expect(try !matches("/{n:uint}", "/" + text))
  }

  @Test func `Rule 10: a repeated query item is a list, and a missing one is absent`() throws {
    let routes = try table(["app:/find?tag={tag*}", "app:/page?n={n?}"])
    let twice = try #require(try routes.match("app:/find?tag=b&x=1&tag=a"))
    #expect(twice[list: "tag"].map(Array.init) == ["b", "a"])
    #expect(try routes.match("app:/find?x=1") == nil)
    let missing = try #require(try routes.match("app:/page?x=1"))
    #expect(missing["n"] == nil)
    #expect(try routes.match("app:/page?n=")?["n"]?.isEmpty == true)
  }

  @Test func `Optional captures bind and never select`() throws {
    let routes = try table(["/s?page={page:int=1}&size={size:uint?}&tab={tab?}#{f=top}"])
    let bare = try #require(try routes.match("/s"))
    #expect(bare[int: "page"] == 1)
    #expect(bare["size"] == nil)
    #expect(bare["f"] == "top")
    #expect(bare.values.map(\.name) == ["page", "f"])
    let full = try #require(try routes.match("/s?tab=&size=2&page=3#x"))
    #expect(full[int: "page"] == 3)
    #expect(full[uint: "size"] == 2)
    #expect(full["tab"]?.isEmpty == true)
    #expect(full["f"] == "x")
    let odd = try #require(try routes.match("/s?page=01&size=-2"))
    #expect(odd[int: "page"] == 1)
    #expect(odd["size"] == nil)
  }

  @Test func `The remaining query has the items that the pattern does not name`() throws {
    let routes = try table(["https://h/?tag={tag}&kind=a"])
    let match = try #require(try routes.match("https://h/?x=1&tag=one&kind=a&&tag=two%20+&key&e="))
    #expect(match["tag"] == "one")
    #expect(match.query.map(\.name) == ["x", "tag", "key", "e"])
    #expect(match.query.map(\.value) == ["1", "two  ", nil, ""])
    #expect(match.query["tag"] == "two  ")
    #expect(match.query["key"]?.isEmpty == true)
    #expect(match.query["kind"] == nil)
    #expect(try routes.match("https://h/?kind=a") == nil)
  }

  @Test func `A plus sign is a space only in form encoding`() throws {
    let mail = try #require(try table(["mailto:{to}?subject={s}"]).match("mailto:a+b@h?subject=c+d&x=e+f"))
    #expect(mail["to"] == "a+b@h")
    #expect(mail["s"] == "c+d")
    #expect(mail.query["x"] == "e+f")
    let bare = try #require(try table(["/x?s={s}"]).match("MAILTO:/x?s=c+d&x=e+f"))
    #expect(bare["s"] == "c+d")
    #expect(bare.query["x"] == "e+f")
  }

  @Test func `The URL of the first issue matches`() throws {
    let routes = try table(["notes://note/{id:int}?tab={tab?}"])
    let match = try #require(try routes.match("notes://note/7?tab=edit"))
    #expect(match[int: "id"] == 7)
    #expect(match["tab"] == "edit")
    #expect(match.url == "notes://note/7?tab=edit")
  }

  @Test func `An address is one unit`() throws {
    let routes = try table(["http://{host}/"])
    #expect(try routes.match("http://127.0.0.1/")?["host"] == "127.0.0.1")
    #expect(try routes.match("http://[::1]:80/")?["host"] == "[::1]")
  }
}
