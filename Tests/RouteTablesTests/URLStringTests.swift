// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RouteTables

@Suite struct URLStringTests {
  @Test(arguments: [
    "notes:", "notes:x", "Notes+v1.0-b://note/7?tab=edit#top", "http://[::1]:80/%2F%zz{x}\"'$HOME;&|<>^`",
    "notes:é/日本/%E9%FF", "a:\u{A0}\u{2028}", "x:%25%0", "x:%0a",
    "n:\\x", "notes://h\\x?\\#\\",
  ])
  func `A URL from a browser is passed on byte for byte`(text: String) throws {
    let url = try URLString(text)
    #expect(url.text.utf8.elementsEqual(text.utf8))
    #expect(try URLString(bytes: Array(text.utf8)) == url)
  }

  @Test(arguments: [
    ("", URLString.Invalid.empty), ("/etc/passwd", .noScheme), ("notes", .noScheme), (":x", .noScheme),
    ("1notes:x", .noScheme), ("no tes:x", .noScheme), ("no/tes:x", .noScheme), ("é:x", .noScheme),
    ("n:a b", .space(offset: 3)), ("https://h\\x", .backslash(offset: 9)),
    ("FILE:\\x", .backslash(offset: 5)), ("n:a%00", .encodedNUL(offset: 3)),
    ("n:\n", .control(offset: 2)), ("n:\u{7F}", .control(offset: 2)), ("n:é\u{85}", .control(offset: 4)),
    ("n:\0", .control(offset: 2)),
  ])
  func `An invalid URL is named`(text: String, reason: URLString.Invalid) {
    #expect(throws: reason) { try URLString(text) }
  }

  @Test func `Bytes that are not UTF-8 are rejected`() {
    #expect(throws: URLString.Invalid.notUTF8) { try URLString(bytes: Array("n:".utf8) + [0xFF]) }
  }

  @Test func `The limit is one mebibyte`() throws {
    let longest = "n:" + String(repeating: "x", count: URLString.maximumLength - 2)
    #expect(try URLString(longest).text.utf8.count == URLString.maximumLength)
    #expect(throws: URLString.Invalid.tooLong(URLString.maximumLength + 1)) { try URLString(longest + "x") }
    #expect(throws: URLString.Invalid.tooLong(URLString.maximumLength + 1)) {
      try URLString(bytes: Array((longest + "x").utf8))
    }
  }

  @Test func `The scheme is lowercase, and the text is unchanged`() throws {
    let url = try URLString("NoTes+X:Y")
    #expect(url.scheme == "notes+x")
    #expect(url.description == "NoTes+X:Y")
  }

  @Test func `Composed and decomposed letters are different URLs`() throws {
    let composed = try URLString("n:\u{E9}")
    let decomposed = try URLString("n:e\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
  }

  @Test(arguments: [
    ("notes://note/7?tab=edit#top", "notes://note/7?…#…"),
    ("https://ada:secret@h.example:8080/a/b?k=v", "https://h.example:8080/a/b?…"),
    ("https://a@b@h.example", "https://h.example"), ("https://h.example?q=a@b", "https://h.example?…"),
    ("notes:x#y?z", "notes:x#…"), ("notes:", "notes:"), ("notes://", "notes://"),
    ("https:ada:secret@h.example/a", "https:h.example/a"),
    ("https:/ada:secret@h.example", "https:/h.example"),
    ("https:///ada:secret@h.example/@x", "https:///h.example/@x"), ("WS:a@b", "WS:b"),
    ("mailto:ada@h.example", "mailto:ada@h.example"), ("n:///a@b", "n:///a@b"),
    ("n://u:p@h#\u{301}x", "n://h#…"), ("n:\\\\u:p@h\\a?b", "n:\\\\h\\a?…"), ("n:\u{301}x", "n:\u{301}x"),
    // User information where the URL has no authority of its own, plain and encoded.
    ("webcal:u:pw@h", "webcal:h"), ("webcal:u:p/w@h/x", "webcal:h/x"), ("sip:ada:pw@h;x=1", "sip:h;x=1"),
    ("webcal:u%3Apw%40h", "webcal:h"), ("webcal:u%3apw@h", "webcal:h"), ("sip:ada@h", "sip:ada@h"),
    // A name without a password is an address unless a host follows two slashes.
    ("ssh:ada@h", "ssh:ada@h"), ("ssh://ada@h", "ssh://h"),
    ("sip:alice@example.org:5060;transport=tcp", "sip:alice@example.org:5060;transport=tcp"),
    ("xmpp:ada@h/phone?message", "xmpp:ada@h/phone?…"), ("acct:ada%40h", "acct:ada%40h"),
    ("zork:ada@h/a:b@c", "zork:c"),
    ("git+ssh:ada:@h/x", "git+ssh:h/x"),
    // URLs in URLs.
    ("view-source:https://u:pw@h/x?k=v", "view-source:https://h/x?…"),
    ("feed:https://u@h/x", "feed:https://h/x"), ("feed:https:u:pw@h/x", "feed:h/x"),
    ("https://archive.example/2020/https://u:pw@h/x", "https://archive.example/2020/https://h/x"),
    ("https://proxy.example/https%3A%2F%2Fu%3Apw%40h%2Fx%3Fk=v", "https://proxy.example/h%2Fx…"),
    ("n:a%3fk=v", "n:a…"), ("n:a%23v", "n:a…"), ("https://h.example/@ada/7", "https://h.example/@ada/7"),
    ("https://h.example/Talk:x/@ada", "https://h.example/Talk:x/@ada"),
    // A password with a slash looks like a port and a path.
    ("ftp://ada:se/cret@h/x", "ftp://ada…"), ("n:x//ada:se/cret@h", "n:x//ada…"),
    ("n://[::1]:80/x", "n://[::1]:80/x"), ("n://[::1]:a/x", "n://[::1]…"), ("n://h:/x", "n://h:/x"),
    ("https://a%40b:pw%40h/x", "https://h/x"),
    ("zork://h%3Fs3cr3t/", "zork://h…"), ("zork://h.example%23s3cr3t/a", "zork://h.example…"),
    ("https://h/a%253Ft=s3cr3t", "https://h/a…"), ("https://h/a%2525253Ft=s3cr3t", "https://h/a…"),
    ("https://h/https%253A%252F%252Fu%253As3cr3t%2540i", "https://h/i"),
    ("https://a:pw%252540h/x", "https://h/x"),
    ("https://h/a%25b%2", "https://h/a%25b%2"),
  ])
  func `Logs show scheme, host and path`(text: String, shown: String) throws {
    #expect(try URLString(text).redacted == shown)
  }

  @Test(arguments: [
    ("reset:s3cr3t", "reset:…"), ("https://h.example/reset/s3cr3t?k=v#f", "https://h.example/…?…#…"),
    ("https://ada:pw@h.example/", "https://h.example/"), ("n:", "n:"), ("n:/s3cr3t", "n:/…"),
  ])
  func `A path with a secret is not shown in logs`(text: String, shown: String) throws {
    #expect(try URLString(text).redacted(hidingPath: true) == shown)
  }

  @Test func `A long path is shortened in logs`() throws {
    let url = try URLString("data:" + String(repeating: "x", count: 8_000))
    #expect(url.redacted == "data:" + String(repeating: "x", count: 200) + "…")
  }

  @Test func `A path that is too long to search for user information is not shown in logs`() throws {
    let long = String(repeating: "x", count: 8_192)
    for text in [
      "https://ada:\(long)@h.example/", "webcal:ada:\(long)@h.example", "https://h.example/\(long)?k=v",
    ] {
      let url = try URLString(text)
      #expect(url.redacted == text.prefix { $0 != ":" } + ":…")
      #expect(url.redacted(hidingPath: true) == url.redacted)
      #expect(url.shownPath == nil)
    }
    #expect(try URLString("https://ada:pw@h.example/a?\(long)#\(long)").redacted == "https://h.example/a?…#…")
  }

  @Test(arguments: [
    "vnc://", "vnc://h:1", "https://user@", "", "webcal:", "vnc:\\\\", "vnc:?",
  ])
  func `No part of a long URL is long in logs`(start: String) throws {
    for letter in ["1", "x", "/", "@", "\u{301}"] {
      let text = start + (start.isEmpty ? "a" : "") + String(repeating: letter, count: 20_000)
      guard let url = try? URLString(start.isEmpty ? text + ":x" : text) else { continue }
      #expect(url.redacted.unicodeScalars.count <= 510, "\(start)\(letter)")
      #expect(url.redacted(hidingPath: true).unicodeScalars.count <= 310, "\(start)\(letter)")
      #expect((url.shownPath?.text.unicodeScalars.count ?? 0) <= 200, "\(start)\(letter)")
    }
  }

  @Test func `A URL of the maximum length is short in logs`() throws {
    let start = "vnc:?"
    let rest = String(repeating: "1", count: URLString.maximumLength - start.utf8.count)
    #expect(try URLString(start + rest).redacted.unicodeScalars.count <= 510)
    #expect(throws: URLString.Invalid.self) { try URLString(start + rest + "1") }
  }
}
