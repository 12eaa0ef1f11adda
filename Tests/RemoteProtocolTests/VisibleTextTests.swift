// SPDX-License-Identifier: Apache-2.0
import RemoteProtocol
import Testing

@Suite struct `A text from outside` {
  @Test(arguments: [
    ("plain text", "plain text"), ("é 日本 🎉", "é 日本 🎉"), ("a\u{1B}[2Jb", "a\u{FFFD}[2Jb"),
    ("a\u{9B}31mb\u{7F}", "a\u{FFFD}31mb\u{FFFD}"), ("a\u{202E}b\u{2066}", "a\u{FFFD}b\u{FFFD}"),
    ("a\nb\tc", "a\nb\u{FFFD}c"), ("a\r\nb", "a\u{FFFD}\nb"),
  ])
  func `does not control a terminal`(text: String, visible: String) {
    #expect(Array(text.visible.unicodeScalars) == Array(visible.unicodeScalars))
  }

  @Test(arguments: [("a\nb", "a\u{FFFD}b"), ("a\r\n  try: b", "a\u{FFFD}\u{FFFD}  try: b"), ("a", "a")])
  func `begins no line of its own`(text: String, visible: String) {
    #expect(Array(text.visibleInOneLine.unicodeScalars) == Array(visible.unicodeScalars))
  }
}
