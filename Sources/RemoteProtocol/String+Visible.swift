// SPDX-License-Identifier: Apache-2.0
extension String {
  /// The text with control characters and bidirectional controls replaced by U+FFFD; line breaks remain.
  ///
  /// Names and messages from outside must neither control a terminal nor change the apparent order of the text.
  package var visible: String {
    // Most text is plain ASCII, and a scan of the bytes is cheaper than to rebuild the text.
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == UInt8(ascii: "\n") }) { return self }
    return String(
      UnicodeScalarView(
        unicodeScalars.map { scalar in scalar != "\n" && scalar.changesDisplay ? "\u{FFFD}" : scalar }))
  }

  /// The text with each line feed replaced by U+FFFD, so that a part of it cannot begin a line.
  ///
  /// Among characters, the line feed of a CRLF would not be found.
  package var withoutLineBreaks: String {
    guard utf8.contains(UInt8(ascii: "\n")) else { return self }
    return String(UnicodeScalarView(unicodeScalars.map { $0 == "\n" ? "\u{FFFD}" : $0 }))
  }

  /// The visible text without line breaks.
  package var visibleInOneLine: String { visible.withoutLineBreaks }
}

extension Unicode.Scalar {
  /// A Boolean value that is `true` for control characters, and for those that change the direction of the text around them.
  ///
  /// A terminal interprets control characters, and a file with changed directions does not look like what it does.
  package var changesDisplay: Bool {
    switch self {
    case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{61C}", "\u{200E}"..."\u{200F}", "\u{202A}"..."\u{202E}",
      "\u{2066}"..."\u{2069}":
      true
    default: false
    }
  }
}
