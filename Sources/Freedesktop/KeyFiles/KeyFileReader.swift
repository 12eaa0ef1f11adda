// SPDX-License-Identifier: Apache-2.0
/// Parses the lines of a key file by the rules of GLib's reader.
struct KeyFileReader {
  private(set) var fatalDiagnostics: [KeyFile.Diagnostic] = []
  private var number = 0
  private var startGroup: String?
  private var currentGroup: String?

  /// A line with its line ending: its range in the file, and its content.
  struct Line {
    /// The number of the line, from 1; a byte order mark has 0, because it is not a line.
    let number: Int
    let place: Range<Int>
    let content: KeyFile.Content
  }

  /// Passes the lines of a file to `take`, in order.
  mutating func read(_ bytes: [UInt8], _ take: (Line) -> Void) {
    let text = bytes.span
    var start = 0
    if bytes.starts(with: Self.byteOrderMark) {
      fatalDiagnostics.append(KeyFile.Diagnostic(line: 1, kind: .byteOrderMark))
      start = Self.byteOrderMark.count
      take(Line(number: 0, place: 0..<start, content: .other))
    }
    while start < text.count {
      let end = text.place(of: UInt8(ascii: "\n"), in: start..<text.count).map { $0 + 1 } ?? text.count
      number += 1
      take(Line(number: number, place: start..<end, content: content(of: start..<end, in: text)))
      start = end
    }
  }

  private mutating func content(of line: Range<Int>, in text: Span<UInt8>) -> KeyFile.Content {
    let words = text.withoutBlanksBefore(text.withoutLineEnd(line))
    guard let start = words.first, text[start] != UInt8(ascii: "#") else { return .other }
    guard text.place(of: 0, in: words) == nil else { return fault(.notALine) }
    if text[start] == UInt8(ascii: "["), let name = Self.groupName(in: text, words) { return group(name) }
    return pair(in: text, words)
  }

  private mutating func group(_ name: [UInt8]) -> KeyFile.Content {
    let isValid = !name.isEmpty && !name.contains { $0 == UInt8(ascii: "[") || $0 < 0x20 || $0 == 0x7F }
    guard isValid else {
      currentGroup = nil
      _ = fault(.invalidGroupName)
      return .brokenGroup
    }
    // GLib accepts any bytes here; Usher looks up no group with such a name.
    let name = String(decoding: name, as: UTF8.self)
    startGroup = startGroup ?? name
    currentGroup = name
    return .group(name)
  }

  private mutating func pair(in text: Span<UInt8>, _ words: Range<Int>) -> KeyFile.Content {
    guard let equals = text.place(of: UInt8(ascii: "="), in: words), equals > words.lowerBound else {
      return fault(.notALine)
    }
    guard currentGroup != nil else { return fault(.keyOutsideGroup) }
    let key = text.withoutBlanksBehind(words.lowerBound..<equals)
    guard Self.isKeyName(text.extracting(key)) else { return fault(.invalidKeyName) }
    let value = text.withoutBlanksBefore(equals + 1..<words.upperBound)
    if text.extracting(key).isSpelt(like: "Encoding".utf8.span), currentGroup == startGroup,
      !value.map({ text[$0].asciiLowercased }).elementsEqual("utf-8".utf8)
    {
      fatalDiagnostics.append(KeyFile.Diagnostic(line: number, kind: .unsupportedEncoding))
    }
    return .pair(key: key, value: value)
  }

  private mutating func fault(_ kind: KeyFile.Diagnostic.Kind) -> KeyFile.Content {
    fatalDiagnostics.append(KeyFile.Diagnostic(line: number, kind: kind))
    return .other
  }

  /// Returns the text between the brackets; `nil` if anything except blanks follows them.
  private static func groupName(in text: Span<UInt8>, _ words: Range<Int>) -> [UInt8]? {
    guard let close = text.place(of: UInt8(ascii: "]"), in: words) else { return nil }
    let isAlone = (close + 1..<words.upperBound).allSatisfy {
      text[$0] == UInt8(ascii: " ") || text[$0] == UInt8(ascii: "\t")
    }
    return isAlone ? (words.lowerBound + 1..<close).map { text[$0] } : nil
  }

  /// Returns whether GLib accepts a key, which may also be a MIME type or contain inner spaces, unlike in the specification.
  static func isKeyName(_ key: Span<UInt8>) -> Bool {
    let end = min(
      key.place(of: UInt8(ascii: "[")) ?? key.count, key.place(of: UInt8(ascii: "]")) ?? key.count)
    guard end > 0, key[0] != UInt8(ascii: " "), key[end - 1] != UInt8(ascii: " "),
      key.place(of: UInt8(ascii: "="), in: 0..<end) == nil
    else { return false }
    guard end < key.count else { return true }
    let isLocale =
      key[end] == UInt8(ascii: "[") && key.count - end >= 2 && key[key.count - 1] == UInt8(ascii: "]")
    guard isLocale else { return false }
    // The locale is ASCII in practice, and entries have a hundred of them.
    let place = end + 1..<key.count - 1
    let isASCII = place.allSatisfy {
      key[$0].isASCIILetter || key[$0].isASCIIDigit || "-_.@".utf8.contains(key[$0])
    }
    guard !isASCII else { return true }
    guard let name = String(validating: place.map { key[$0] }, as: UTF8.self) else { return false }
    return name.unicodeScalars.allSatisfy { "-_.@".unicodeScalars.contains($0) || isAlphanumeric($0) }
  }

  private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber:
      true
    default: false
    }
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

extension Span<UInt8> {
  fileprivate func withoutBlanksBefore(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    while start < range.upperBound, self[start].isBlank { start += 1 }
    return start..<range.upperBound
  }

  func withoutBlanksBehind(_ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, self[end - 1].isBlank { end -= 1 }
    return range.lowerBound..<end
  }

  /// Returns the range without `\n` or `\r\n` at its end.
  func withoutLineEnd(_ line: Range<Int>) -> Range<Int> {
    guard let last = line.last, self[last] == UInt8(ascii: "\n") else { return line }
    let hasReturn = last > line.lowerBound && self[last - 1] == UInt8(ascii: "\r")
    return line.lowerBound..<(hasReturn ? last - 1 : last)
  }
}
