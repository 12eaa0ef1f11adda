// SPDX-License-Identifier: Apache-2.0
/// Texts in UTF-8, each terminated by U+0000, as in the environment of a process.
public enum TerminatedTexts {
  /// Returns the bytes of texts; `nil` if one contains U+0000.
  public static func bytes(of texts: some Sequence<String>) -> [UInt8]? {
    var bytes: [UInt8] = []
    for text in texts {
      guard !text.utf8.contains(0) else { return nil }
      bytes += text.utf8
      bytes.append(0)
    }
    return bytes
  }

  /// Returns the texts of bytes; `nil` if one is not UTF-8, or the last one is not terminated.
  public static func texts(in bytes: some Sequence<UInt8>) -> [String]? {
    var texts: [String] = []
    var text: [UInt8] = []
    for byte in bytes {
      guard byte == 0 else {
        text.append(byte)
        continue
      }
      guard let whole = String(validating: text, as: UTF8.self) else { return nil }
      texts.append(whole)
      text = []
    }
    return text.isEmpty ? texts : nil
  }
}
