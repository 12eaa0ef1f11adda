// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import UsherCommand

@Suite struct `A text on a screen` {
  @Test(
    arguments: [
      ("notes", 5), ("", 0), ("ü", 1), ("u\u{308}", 1), ("日本", 4), ("한글", 4), ("ﾊﾝ", 2), ("Ａ", 2), ("…", 1),
      ("👍", 2), ("👍🏽", 4), ("❤", 1), ("❤\u{FE0F}", 2), ("🇩🇪", 2), ("👩‍🚀", 4), ("नि", 2), ("─", 1),
    ])
  func `takes as many cells as a terminal uses at most`(text: String, width: Int) {
    #expect(ScreenText(text).width == width)
    #expect(ScreenText(text).text == text)
  }

  @Test(
    arguments: [
      "\u{1B}[2J", "a\nb", "a\r\nb", "\u{9B}31m", "\u{7}", "\u{0}", "\t", "\u{7F}", "\u{202E}evil",
      "\u{2028}x",
      "\u{200F}", "\u{301}leading", "\u{200B}hidden", "\u{FEFF}", "e\u{1B}\u{301}", "\u{1B}]0;title\u{7}",
    ])
  func `contains no control character, and nothing that changes other texts`(text: String) {
    let shown = ScreenText(text)
    #expect(shown.text.contains("\u{FFFD}"))
    #expect(
      shown.text.unicodeScalars.allSatisfy {
        $0.properties.generalCategory != .control && !(0x2028...0x202E).contains($0.value)
      })
    #expect(shown.width >= 1)
  }

  @Test func `has no letter with a thousand combining characters`() {
    let shown = ScreenText("x" + String(repeating: "\u{301}", count: 1_000) + "y")
    #expect(shown.text.unicodeScalars.count < 20 && shown.width == 2)
  }

  @Test func `begins a column by its cells, not its characters`() {
    #expect(["仕事", "notes", "u\u{308}"].asColumn == ["仕事 ", "notes", "u\u{308}    "])
    #expect([String]().asColumn.isEmpty)
  }

  @Test func `is truncated to cells, between characters`() {
    #expect(ScreenText("notes://note").truncated(to: 8).text == "notes:/…")
    #expect(ScreenText("日本語").truncated(to: 6).text == "日本語")
    #expect(ScreenText("日本語").truncated(to: 5).text == "日本…")
    #expect(ScreenText("日本語").truncated(to: 4).text == "日…")
    #expect(ScreenText("cafe\u{301}s").truncated(to: 5).text == "cafe\u{301}s")
    #expect(ScreenText("cafe\u{301}ss").truncated(to: 5).text == "cafe\u{301}…")
    #expect(ScreenText("org.example.Notes").truncatedAtStart(to: 8).text == "…e.Notes")
    #expect(ScreenText("日本語").truncatedAtStart(to: 4).text == "…語")
    for cells in 0...4 {
      #expect(ScreenText("👩‍🚀👩‍🚀").truncated(to: cells).width <= cells)
      #expect(ScreenText("👩‍🚀👩‍🚀").truncatedAtStart(to: cells).width <= cells)
    }
    #expect(ScreenText("x").truncated(to: -1).text == "")
  }

  @Test func `is wrapped at spaces, and inside words that need more than a line`() {
    func wrapped(_ text: String, _ cells: Int) -> [String] { ScreenText(text).wrapped(to: cells).map(\.text) }
    #expect(wrapped("a rule denied it", 8) == ["a rule", "denied", "it"])
    #expect(wrapped("short", 8) == ["short"])
    #expect(wrapped("https://example.org/", 8) == ["https://", "example.", "org/"])
    #expect(wrapped("at https://example.org/", 8) == ["at", "https://", "example.", "org/"])
    #expect(wrapped("日本語", 2) == ["日", "本", "語"])
    #expect(wrapped("👩‍🚀👩‍🚀", 2) == ["\u{FFFD}", "\u{FFFD}"])
    for cells in -1...30 {
      let lines = ScreenText("the machine 日本語.example sent 👍🏽 to org.example.Notes").wrapped(to: cells)
      #expect(lines.allSatisfy { $0.width <= max(2, cells) })
    }
  }
}

@Suite struct `Keys of a terminal` {
  @Test(
    arguments: [
      ("\u{1B}[A\u{1B}OB", [.up, .down]), ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
      ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~\u{1B}OH", [.home, .end, .home, .end, .home]),
      ("\u{1B}[1;5A", [.up]), ("jk", [.character("j"), .character("k")]), ("\r\n", [.enter, .enter]),
      ("\u{7F}\u{8}\u{15}\u{C}", [.backspace, .backspace, .deleteLine, .redraw]),
      ("ü日👍", [.character("ü"), .character("日"), .character("👍")]),
      ("\u{1B}[200~q", [.character("q")]), ("\u{1B}q", [.escape, .character("q")]),
      ("\u{1}\u{2}", []), ("\u{1B}[?1;2c", []),
    ] as [(String, [TerminalKey])])
  func `are read from its bytes`(bytes: String, keys: [TerminalKey]) {
    var reader = KeyReader()
    #expect(reader.keys(in: bytes.utf8) == keys && !reader.isIncomplete)
    var slow = KeyReader()
    var found: [TerminalKey] = []
    for byte in bytes.utf8 { found += slow.keys(in: [byte]) }
    #expect(found == keys)
  }

  @Test func `are dropped if they are unknown, invalid or endless`() {
    var reader = KeyReader()
    #expect(reader.keys(in: [0xFF, 0xC3, 0x28, 0x80]) == [.character("(")])
    #expect(reader.keys(in: Array("\u{1B}[".utf8) + Array(repeating: 0x31, count: 1_000)) == [])
    #expect(reader.keys(in: "x".utf8) == [.character("x")])
  }

  @Test func `include Escape, after which nothing is read`() {
    var reader = KeyReader()
    #expect(reader.keys(in: [0x1B]) == [] && reader.isIncomplete)
    #expect(reader.incompleteKey() == .escape && !reader.isIncomplete)
    #expect(reader.keys(in: [0x1B, 0x5B]) == [])
    #expect(reader.incompleteKey() == nil && !reader.isIncomplete)
  }
}
