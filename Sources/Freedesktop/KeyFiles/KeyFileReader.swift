/// Understands the lines of a key file one by one, by the same rules as GLib's reader.
struct KeyFileReader {
  private(set) var faults: [KeyFile.Complaint] = []
  private var number = 0
  private var startGroup: String?
  private var currentGroup: String?

  mutating func read(_ line: ArraySlice<UInt8>) -> KeyFile.Content {
    number += 1
    let text = line.trimmingLineEnd.drop(while: \.isBlank)
    guard let first = text.first, first != UInt8(ascii: "#") else { return .other }
    guard text.place(of: 0) == nil else { return fault(.notALine) }
    if first == UInt8(ascii: "["), let name = Self.groupName(text) { return group(name) }
    return pair(text)
  }

  private mutating func group(_ name: ArraySlice<UInt8>) -> KeyFile.Content {
    let isValid = !name.isEmpty && !name.contains { $0 == UInt8(ascii: "[") || $0 < 0x20 || $0 == 0x7F }
    guard isValid else {
      currentGroup = nil
      _ = fault(.invalidGroupName)
      return .brokenGroup
    }
    // GLib takes any bytes here; no group that anybody asks for has such a name.
    let name = String(decoding: name, as: UTF8.self)
    startGroup = startGroup ?? name
    currentGroup = name
    return .group(name)
  }

  private mutating func pair(_ text: ArraySlice<UInt8>) -> KeyFile.Content {
    guard let equals = text.place(of: UInt8(ascii: "=")), equals > text.startIndex else {
      return fault(.notALine)
    }
    guard currentGroup != nil else { return fault(.keyOutsideGroup) }
    let key = text[..<equals].trimmingEnd
    guard Self.isKeyName(key) else { return fault(.invalidKeyName) }
    let value = text[(equals + 1)...].drop(while: \.isBlank)
    if key.elementsEqual("Encoding".utf8), currentGroup == startGroup,
      !value.map(\.asciiLowercased).elementsEqual("utf-8".utf8)
    {
      faults.append(KeyFile.Complaint(line: number, kind: .unsupportedEncoding))
    }
    return .pair(key: key, value: value)
  }

  private mutating func fault(_ kind: KeyFile.Complaint.Kind) -> KeyFile.Content {
    faults.append(KeyFile.Complaint(line: number, kind: kind))
    return .other
  }

  /// What stands between the brackets, when nothing but blanks follows them.
  private static func groupName(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let close = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
    let isAlone = text[(close + 1)...].allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    return isAlone ? text[(text.startIndex + 1)..<close] : nil
  }

  /// GLib takes more than the specification: a MIME type is a key, and so is text with inner spaces.
  static func isKeyName(_ key: ArraySlice<UInt8>) -> Bool {
    let end = key.firstIndex { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") } ?? key.endIndex
    let name = key[..<end]
    guard let first = name.first, let last = name.last else { return false }
    guard first != UInt8(ascii: " "), last != UInt8(ascii: " "), !name.contains(UInt8(ascii: "=")) else {
      return false
    }
    let locale = key[end...]
    guard let opening = locale.first else { return true }
    guard opening == UInt8(ascii: "["), locale.count >= 2, locale.last == UInt8(ascii: "]") else {
      return false
    }
    guard let name = String(validating: locale.dropFirst().dropLast(), as: UTF8.self) else { return false }
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
}

extension ArraySlice<UInt8> {
  var trimmingEnd: Self {
    var slice = self
    while let last = slice.last, last.isBlank { slice = slice.dropLast() }
    return slice
  }

  /// Without `\n` or `\r\n` at the end.
  var trimmingLineEnd: Self {
    guard last == UInt8(ascii: "\n") else { return self }
    let line = dropLast()
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }
}
