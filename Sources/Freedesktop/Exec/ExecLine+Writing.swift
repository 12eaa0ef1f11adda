// SPDX-License-Identifier: Apache-2.0
extension ExecLine {
  /// The arguments as words for `line(of:)`: field codes stay field codes, and a literal `%` is `%%`.
  public var words: [String] { arguments.map(\.word) }

  /// Returns the simplest line that parses as `words`: a word is quoted only if it must be.
  ///
  /// Field codes in the words stay field codes; a literal `%` is given as `%%`. The result has the form of
  /// `DesktopEntry.exec`; string escapes are added when it is written to a file (`KeyFile.raw`).
  public static func line(of words: [String]) -> String {
    words.map(quotedWhereNeeded).joined(separator: " ")
  }

  /// Returns a text as a part of a word, with each `%` doubled; compares bytes, because a combining mark may follow.
  static func escaped(_ text: String) -> String {
    String(decoding: text.utf8.flatMap { $0 == UInt8(ascii: "%") ? [$0, $0] : [$0] }, as: UTF8.self)
  }

  private static func quotedWhereNeeded(_ word: String) -> String {
    let reserved = ExecLineReader.mustBeQuoted + Array(" \t\n\"'\\".utf8)
    guard word.isEmpty || word.utf8.contains(where: reserved.contains) else { return word }
    var bytes = [UInt8(ascii: "\"")]
    for byte in word.utf8 {
      if "\"`$\\".utf8.contains(byte) { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(byte)
    }
    return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
  }
}

extension ExecLine.Argument {
  /// The argument as a word for `ExecLine.line(of:)`.
  var word: String {
    pieces.map { piece in
      switch piece {
      case .text(let text): ExecLine.escaped(text)
      case .code(let code): "%\(code.rawValue)"
      }
    }.joined()
  }
}
