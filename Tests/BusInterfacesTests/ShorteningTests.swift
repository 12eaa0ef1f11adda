// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Testing

@Suite struct `A text that is too long` {
  @Test func `is cut at a number of bytes, whatever its characters are`() {
    #expect("".shortened(toBytes: 3) == "" && "abc".shortened(toBytes: 3) == "abc")
    #expect("abcd".shortened(toBytes: 3) == "abc…")
    let marks = "e" + String(repeating: "\u{301}", count: 1_000)
    #expect(marks.count == 1)
    #expect(marks.shortened(toBytes: 100).utf8.count == 99 + "…".utf8.count)
  }

  @Test(arguments: ["ä", "€", "👩🏽‍🚀", "e\u{301}", "\r\n"])
  func `is cut between two scalars`(character: String) {
    let text = String(repeating: character, count: 8)
    for limit in 0..<text.utf8.count {
      let short = text.shortened(toBytes: limit)
      let kept = short.unicodeScalars.dropLast()
      #expect(short.unicodeScalars.last == "…" && text.unicodeScalars.starts(with: kept))
      // Only the next scalar has no room.
      let length = String(String.UnicodeScalarView(kept)).utf8.count
      #expect(length <= limit && length > limit - 4)
    }
  }
}
