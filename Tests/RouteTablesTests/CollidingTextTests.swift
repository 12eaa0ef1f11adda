// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
@testable import RouteTables
import Testing

/// Texts whose hash in the index is zero, so that those of one length have one key.
enum CollidingTexts {
  static let segments = [
    "2xo8shbp7o4p0x9berrZdaAN", "LJZSnY2blHftiQ-m.lmwdmOn", "wd3UK8H5LHD_YUjQvRKA7dFr",
    "zXCNg~HQdL4OuOIt.stK3FzYIdMuv39nXxPkMURA",
  ]
  static let labels = [
    "0fpsmuqzh1beaexvhn5tf8wg", "9qw93awx7pn7mesuq515u9b9", "yauv7ry4gmdhlahrcadv5yu0",
    "9b73yo9tkjtkv1pimay3krqpziejmzlg",
  ]
}

@Suite struct `A text whose hash is zero` {
  private static let label = "acjlo9jwwesmm98c8ylg2lum"

  /// Returns the URL as written, and with the text encoded.
  private static func spellings(_ start: String, _ text: String, _ end: String) -> [String] {
    let encoded = "%" + String(text.utf8.first ?? 0, radix: 16) + text.dropFirst()
    return [start + text + end, start + encoded + end]
  }

  @Test(arguments: CollidingTexts.segments + CollidingTexts.labels + [label])
  func `has the key of the others of its length`(text: String) {
    #expect(SegmentKeyReader.key(Array(text.utf8)) == .hashed(0, text.utf8.count))
  }

  @Test(arguments: CollidingTexts.segments + CollidingTexts.labels)
  func `is not empty in the path and the user`(text: String) throws {
    for (pattern, start, end) in [
      ("https://h.example/{page}", "https://h.example/", ""), ("https://{host}/{page}", "https://h/", ""),
      ("/{page}", "/", ""), ("/{page}/{x:uint}", "/", "/7"), ("app:{x}", "app:", ""),
      ("/a/{rest...}/{x}", "/a/b/", ""), ("/{rest...}/b/{x}/{more...}", "/a/b/", "/c"),
      ("ssh://{user}@h.example/", "ssh://", "@h.example/"),
    ] {
      for url in Self.spellings(start, text, end) { #expect(try matches(pattern, url), "\(pattern) \(url)") }
    }
  }

  @Test(arguments: CollidingTexts.labels + [label])
  func `is not empty in the host`(label: String) throws {
    for (pattern, start, end) in [
      ("https://*.evil.example/{path...}", "https://", ".evil.example/"),
      ("https://*.evil.example/{path...}", "https://a.", ".evil.example/"),
      ("https://{host...}.evil.example/", "https://", ".a.evil.example/"),
      ("https://{x}.evil.example/", "https://", ".evil.example/"),
      ("https://a.{x}/", "https://a.", "/"), ("https://{x}/", "https://", "/"),
    ] {
      for url in Self.spellings(start, label, end) { #expect(try matches(pattern, url), "\(pattern) \(url)") }
    }
    // A final dot is ignored also behind such a label.
    for host in [label, "a.\(label)"] {
      for url in Self.spellings("https://", host, "./") {
        #expect(try matches("https://\(host)/", url), "\(url)")
        #expect(try matches("https://{host...}/", url), "\(url)")
      }
      #expect(try !matches("https://\(host)/", "https://\(host)../"))
    }
  }

  @Test(arguments: CollidingTexts.labels + [label])
  func `is denied by a route for every segment or label`(text: String) throws {
    var routes = RouteTableBuilder<String>()
    func add(_ pattern: String, _ id: String, denies: Bool) throws {
      try routes.add(
        pattern, id: id, action: denies ? "deny" : "open", rank: .finalAdministrator, denies: denies)
    }
    try add("https://*.evil.example/{path...}", "labels", denies: true)
    try add("https://good.example/{page}", "segments", denies: true)
    try add("https://{host...}/{path...}", "rest", denies: false)
    let table = try routes.build()
    for url in [
      "https://\(text).evil.example/", "https://a.\(text).evil.example/", "https://\(text).a.evil.example/",
      "https://good.example/\(text)", "https://\(text).EVIL.example./",
    ] {
      #expect(try table.match(url)?.action == "deny", "\(url)")
    }
    #expect(try table.match("https://good.example/\(text)/a")?.action == "open")
  }

  @Test(arguments: [CollidingTexts.segments, CollidingTexts.labels])
  func `is distinguished from others with its key`(texts: [String]) throws {
    let other = String(texts[0].reversed())
    for prefix in ["", "https://h.example", "app:"] {
      let paths = try table(texts.map { "\(prefix)/\($0)/{x}" } + ["\(prefix)/{y}/{x}"])
      let values = try table(texts.map { "\(prefix)/s?\($0)=\($0)" } + ["\(prefix)/s?k={k}"])
      for (index, text) in texts.enumerated() {
        for url in Self.spellings("\(prefix)/", text, "/a") {
          #expect(try paths.match(url)?.routeIndex == index, "\(url)")
        }
        #expect(try values.match("\(prefix)/s?\(text)=\(text)")?.routeIndex == index)
        for wrong in texts + [other] where wrong != text {
          #expect(try values.match("\(prefix)/s?\(text)=\(wrong)") == nil)
        }
      }
      #expect(try paths.match("\(prefix)/\(other)/a")?.routeIndex == texts.count)
    }
  }

  @Test func `is distinguished from others with its key in the host`() throws {
    let labels = CollidingTexts.labels
    let literal = try table(labels.map { "https://\($0).example/{x}" })
    let open = try table(labels.map { "https://\($0).example/{x}" } + ["https://{host}.example/{x}"])
    for (index, label) in labels.enumerated() {
      for url in Self.spellings("https://", label, ".example/a") {
        #expect(try literal.match(url)?.routeIndex == index, "\(url)")
        #expect(try open.match(url)?.routeIndex == index, "\(url)")
      }
    }
    #expect(try literal.match("https://\(Self.label).example/a") == nil)
    #expect(try open.match("https://\(Self.label).example/a")?.routeIndex == labels.count)
  }
}
