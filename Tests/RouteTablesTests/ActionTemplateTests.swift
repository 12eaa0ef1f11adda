// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import RegularLanguages
import TestSupport
import Testing

@testable import RouteTables

@Suite struct ActionTemplateTests {
  /// Tests that the pattern of the rewritten form captures the values that a rewrite inserts.
  @Test(.computes) func `Values inserted by a rewrite can be captured again`() throws {
    let from = try RoutePattern("a:/{x}/{rest...}?q={q?}&k={k}#{f?}")
    let to = try RoutePattern("b://h/p{x}/{x2}/{rest...}?q={q?}&was={k}#{f?}")
    let template = try ActionTemplate(url: "b://h/p{x}/{x}/{rest}?q={q}&was={k}#{f}")
    #expect(template.faults(in: [from]).isEmpty)
    let table = try RouteTable<Int> { routes throws(RouteTableError) in
      try routes.add([from], id: "from", action: 1, at: SourceLocation(file: "x", line: 1))
      try routes.add([to], id: "to", action: 2, at: SourceLocation(file: "x", line: 2))
    }
    var random = SeededGenerator(seed: 7)
    var written = 0
    for _ in 0..<4_000 {
      let texts = (0..<5).map { _ in Self.awkward(&random) }
      let rest = (0...Int.random(in: 0...2, using: &random)).map { _ in Self.awkward(&random).hex }
      var url = "a:/\(("x" + texts[0]).hex)/\(rest.joined(separator: "/"))?k=\(texts[1].hex)"
      if random.oneIn(2) { url += "&q=\(texts[2].hex)" }
      if random.oneIn(2) { url += "#\(texts[3].hex)" }
      // A catch-all may have become dot segments, which were removed.
      guard let match = try table.match(url) else { continue }
      guard let filled = template.filled(by: match, url: url) else { continue }
      written += 1
      let read = try #require(try table.match(filled), "\(url) became \(filled)")
      #expect(read.route.id == "to")
      #expect(
        read["x"] == match["x"] && read["x2"] == match["x"] && read["k"] == match["k"], "\(url) \(filled)")
      #expect(read["q"] == match["q"] && read["f"] == match["f"], "\(url) became \(filled)")
      #expect(read[list: "rest"].map(Array.init) == match[list: "rest"].map(Array.init), "\(url) \(filled)")
      #expect(throws: Never.self) { try URLString(filled) }
    }
    #expect(written > 3_000)
  }

  /// Returns a text with bytes that have a meaning in some component.
  private static func awkward(_ random: inout SeededGenerator) -> String {
    let pieces = [
      "a", "/", "?", "#", "%", "&", "=", "+", ".", "..", " ", "é", "@", ":", "[", "{", "}", "\"", ";", "*",
      "~",
    ]
    return (0..<Int.random(in: 1...4, using: &random)).map { _ in random.pick(pieces) }.joined()
  }

  /// Tests that values which no URL can represent are not written.
  @Test(
    arguments: [
      ("b:/x/{q}/y", "a:?q=..", nil), ("b:/x/{q}/y", "a:?q=.", nil), ("b:/x/{q}", "a:?q=%2E%2E", nil),
      ("b:/x/{q}", "a:?q=...", "b:/x/..."), ("b:/x/.{q}", "a:?q=.", nil),
      ("b:/x/{q}/y", "a:?q=../z", "b:/x/..%2Fz/y"),
      ("b:{q}", "a:?q=//h", "b:%2F%2Fh"), ("b:/{q}/h", "a:?q=", nil), ("b:{q}/h", "a:?q=", "b:/h"),
      ("b://{q}.h/", "a:?q=x/y@z:1", "b://x%2Fy%40z%3A1.h/"), ("b:?{q}", "a:?q=x%26y%3Dz", "b:?x%26y%3Dz"),
      ("b:/../{q}", "a:?q=x", "b:/../x"), ("b:x#{q}#{q}", "a:?q=%23", "b:x#%23#%23"),
      ("b:/{{{q}}}", "a:?q=x", "b:/{x}"), ("b:/x?{@url}", "a:?q=1", "b:/x?a:?q%3D1"),
    ] as [(String, String, String?)])
  func `A value that does not fit its position is an error`(template: String, url: String, result: String?)
    throws
  {
    let table = try RouteTable<Int> { routes throws(RouteTableError) in
      try routes.add("a:?q={q}", id: "a", action: 1)
    }
    let match = try #require(try table.match(url))
    let filled = try ActionTemplate(url: template).filled(by: match, url: url)
    // A `?` of the URL is encoded in a query, although that is unnecessary.
    #expect(filled == result?.replacing("a:?q%3D1", with: "a:%3Fq%3D1"))
  }

  @Test(
    arguments: [
      ("{@scheme}://{@host}/{@path}?{@query}#{@fragment}", "HTTPS://a.example:8080/b//c%2F/?x=%26&y#z?", nil),
      ("https://{@host}/{@path}?{@query}#{@fragment}", "http://a.example", "https://a.example/"),
      ("https://{@host}/{@path}?{@query}#{@fragment}", "http://a.example?", "https://a.example/?"),
      ("https://{@host}/{@path}?{@query}#{@fragment}", "http://a.example/?a#", "https://a.example/?a#"),
      (
        "https://new.example/old/{@path}?from=old&{@query}", "http://a.example/b/c?d=1&e",
        "https://new.example/old/b/c?from=old&d=1&e"
      ),
      (
        "https://new.example/{@path}?from=old&{@query}", "http://a.example/b#c",
        "https://new.example/b?from=old"
      ),
      ("https://{@host}/?{@query}", "http://[::1]:80/a?b", "https://[::1]:80/?b"),
      ("https://{@host}/x", "http://ada@a.example/", ""),
      ("https://{@host}/x", "http://a.example\\@b.example/", ""),
      ("https://{@host}/x", "mailto:ada@a.example", ""), ("tel:{@path}", "sip:7", "tel:7"),
      ("https://h.example/{@path}", "sip:7", "https://h.example/7"),
    ] as [(String, String, String?)])
  func `Parts of the URL are inserted as they are`(template: String, url: String, result: String?) throws {
    let table = try RouteTable<Int> { routes throws(RouteTableError) in
      try routes.add("/", id: "a", action: 1)
    }
    let match = try #require(try table.match("/"))
    let template = try? ActionTemplate(url: template)
    let filled = template?.filled(by: match, url: url)
    #expect(filled == (result == "" ? nil : result ?? url))
    #expect(template?.faults(in: [match.pattern]) ?? [] == [])
  }

  @Test(arguments: [
    "https://{@query}/", "https://h.example/a{@path}", "https://h.example/?q={@query}",
    "https://h.example/#x{@fragment}",
    "https://{@host}:80/", "https://{@path}", "https://h.example/{@host}", "https://h.example/{@scheme}",
    "{@scheme}x://h/",
    "https://h.example/{@query=x}", "https://h.example/?{@path}", "x:{@host}",
    "https://h.example/?{@fragment}",
  ])
  func `A part of the URL is only at its own position`(template: String) {
    #expect(throws: RouteTableError.self) { try ActionTemplate(url: template) }
    #expect(throws: RouteTableError.self) { try ActionTemplate(argument: "--x=" + template) }
  }

  /// Tests that `check` reports a possible `-` at the beginning of a capture exactly if a text of its type has one.
  @Test func `Whether a capture can be an option is decided by its language`() throws {
    let texts = ["-", "-a", "-7", "a", "a-", "7", "", "a-a", "--", "0-"]
    for expression in [
      "a", "-", "a|-", "-?a", "a-", "[a-z]*", "[^-]*", "[^-].*", "(?:a-)+", ".*", ".?7", #"[\d-]+"#, "-{2}",
    ] {
      let pattern = try RoutePattern("x:/p?q={q:/\(expression)/}")
      let language = try RegularLanguage(expression)
      for (element, suffix) in [("{q}", ""), ("{q}-", "-"), ("{q}x", "x"), ("v{q}", nil), ("{q=-a}", "")]
        as [(String, String?)]
      {
        let argv = try [ActionTemplate(argument: "show"), ActionTemplate(argument: element)]
        let found = !ActionTemplate.faults(inArgv: argv, of: [pattern]).isEmpty
        let expected =
          suffix.map { suffix in texts.contains { language.contains($0) && ($0 + suffix).hasPrefix("-") } }
          ?? false
        #expect(found == expected, "\(expression) \(element)")
        let after = try ActionTemplate.faults(
          inArgv: [argv[0], ActionTemplate(argument: "--"), argv[1]], of: [pattern])
        #expect(after.isEmpty)
      }
    }
  }

  @Test func `Any text is parsed or rejected`() throws {
    let pieces = [
      "{", "}", "{{", "x", "=", "@", "url", "source", ":", "//", "-", "\u{0}", "é", "?", "#", "&", "/", "{x}",
      "{y=}",
    ]
    let pattern = try RoutePattern("a:/{x}/{y?}")
    let table = try RouteTable<Int> { routes throws(RouteTableError) in
      try routes.add([pattern], id: "a", action: 1, at: SourceLocation(file: "x", line: 1))
    }
    let match = try #require(try table.match("a:/1"))
    var random = SeededGenerator(seed: 3)
    var filled = 0
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in random.pick(pieces) }.joined()
      for template in [try? ActionTemplate(argument: text), try? ActionTemplate(url: text, dropping: ["x*"])]
      {
        guard let template else { continue }
        #expect(template.text == text)
        _ = ActionTemplate.faults(inArgv: [template, template], of: [pattern])
        if template.filled(by: match, url: "a:/1") != nil { filled += 1 }
      }
    }
    #expect(filled > 1_000)
  }
}

extension String {
  /// The text with every byte percent-encoded.
  fileprivate var hex: String {
    utf8.map { byte in
      let digits = String(byte, radix: 16)
      return "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
  }
}
