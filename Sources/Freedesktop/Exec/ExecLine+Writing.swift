extension ExecLine {
  /// The line that is read back as `words`, in the plainest form: a word is quoted only where it must be.
  ///
  /// Field codes in the words stay field codes; a literal `%` is given as `%%`. The result is what
  /// `DesktopEntry.exec` returns; in the file it still takes its string escapes (`KeyFile.raw`).
  public static func line(of words: [String]) -> String {
    words.map(quotedWhereNeeded).joined(separator: " ")
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
