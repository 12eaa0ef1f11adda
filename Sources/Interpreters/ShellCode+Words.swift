// SPDX-License-Identifier: Apache-2.0

extension ShellCode {
  /// Returns text quoted as one word for a shell, without quotes if it needs none.
  package static func word(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "/._-+:@%=,".utf8.contains(byte)
      }
    }
    // At the start of a word, zsh reads `=`, and fish `%`.
    if isPlain, let first = text.utf8.first, !"=%".utf8.contains(first) { return text }
    // A quote with a combining mark is another `Character`, but the shell reads bytes.
    return "'" + text.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
  }
}
