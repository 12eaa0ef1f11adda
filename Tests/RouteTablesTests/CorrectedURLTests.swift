// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import RouteTables

@Suite(.computes) struct `A corrected URL` {
  @Test(arguments: [
    "notes:x", "notes:C:\\Users\\x", "notes://h/a\\b?c=\\d#\\e", "mailto:\"a|b^c\"@example.org?x={<y>}`",
    "https://h.example/a|b^\"<>{}`é%FF%zz", "file:///tmp/a|b",
  ])
  func `is the text where a program may receive that`(text: String) throws {
    let corrected = try CorrectedURL(text)
    #expect(corrected.url.text == text && corrected.corrections.isEmpty)
  }

  @Test(arguments: [
    ("mailto:a@example.org?subject=Hello World", "mailto:a@example.org?subject=Hello%20World"),
    ("notes:a b", "notes:a%20b"), ("notes:a \\b", "notes:a%20\\b"),
    ("https://h.example/a b?c d#e f", "https://h.example/a%20b?c%20d#e%20f"),
    ("https://h.example/a  ", "https://h.example/a"), ("https://h.example?q= ", "https://h.example?q="),
    ("https:\\\\h.example\\a\\..\\b", "https://h.example/a/../b"),
    ("HTTPS:/\\h.example", "HTTPS://h.example"),
    ("https://good.example\\@bad.example/", "https://good.example/@bad.example/"),
    ("https://h.example/a?b\\c#d\\e", "https://h.example/a?b%5Cc#d%5Ce"),
    ("file:///tmp/a b\\c ", "file:///tmp/a%20b%5Cc%20"),
  ])
  func `has the spelling that programs agree on`(text: String, url: String) throws {
    let corrected = try CorrectedURL(text)
    #expect(corrected.url.text == url && !corrected.corrections.isEmpty)
    #expect(try CorrectedURL(url).corrections.isEmpty)
  }

  @Test func `has bytes that are not UTF-8 encoded`() throws {
    let latin = Array("notes:caf".utf8) + [0xE9] + Array("/é\u{1F600}".utf8) + [0xF0, 0x9F]
    let corrected = try CorrectedURL(bytes: latin)
    #expect(corrected.url.text == "notes:caf%E9/é\u{1F600}%F0%9F")
    #expect(corrected.corrections == [.bytes])
  }

  @Test(arguments: [
    ("notes:a\nb", URLString.Invalid.control(offset: 7)), ("https://h/a b\t", .control(offset: 15)),
    ("notes:a b%00", .encodedNUL(offset: 11)), ("no tes:x", .noScheme), (" notes:x", .noScheme), ("", .empty),
    ("notes:a \u{85}", .control(offset: 10)),
  ])
  func `is never made of a control character or a text without a scheme`(
    text: String, reason: URLString.Invalid
  ) {
    #expect(throws: reason) { try CorrectedURL(text) }
  }

  @Test func `is not longer than a URL may be`() throws {
    let spaces = "notes:" + String(repeating: " ", count: URLString.maximumLength - 6)
    #expect(throws: URLString.Invalid.tooLong(6 + 3 * (URLString.maximumLength - 6))) {
      try CorrectedURL(spaces)
    }
  }

  @Test func `with a backslash is matched as with its encoded form`() throws {
    let table = try RouteTable<Int> { routes throws(RouteTableError) in
      try routes.add("notes:{path...}", id: "notes", action: 1)
    }
    #expect(try table.match("notes:C:\\Users")?.values.first?.value == .strings(["C:\\Users"]))
    #expect(throws: RouteTableError.self) { try table.match("https://h\\x") }
  }
}
