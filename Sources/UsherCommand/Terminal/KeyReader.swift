// SPDX-License-Identifier: Apache-2.0
/// A key that was pressed at a terminal.
enum TerminalKey: Hashable {
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, escape, backspace
  /// Ctrl-U, which deletes a typed line.
  case deleteLine
  /// Ctrl-L, which draws the screen again.
  case redraw
  case character(Character)
}

/// A reader of keys from the bytes of a terminal (ECMA-48, and the keys of xterm).
struct KeyReader {
  /// The maximum length of the sequence of a key.
  private static let longestSequence = 32
  private static let escape: UInt8 = 0x1B

  private var bytes: [UInt8] = []

  /// A Boolean value that indicates whether the bytes of a key are incomplete.
  var isIncomplete: Bool { !bytes.isEmpty }

  /// Returns the keys in bytes that were read; unknown sequences are dropped.
  mutating func keys(in more: some Collection<UInt8>) -> [TerminalKey] {
    bytes.append(contentsOf: more)
    var keys: [TerminalKey] = []
    while !bytes.isEmpty {
      guard let (key, length) = first else {
        if bytes.count > Self.longestSequence { bytes = [] }
        break
      }
      bytes.removeFirst(length)
      if let key { keys.append(key) }
    }
    return keys
  }

  /// Returns the key of incomplete bytes, after which nothing was read for a time: Escape, or none.
  mutating func incompleteKey() -> TerminalKey? {
    defer { bytes = [] }
    return bytes == [Self.escape] ? .escape : nil
  }

  /// The first key and the number of its bytes; `nil` if it is incomplete.
  private var first: (key: TerminalKey?, length: Int)? {
    switch bytes[0] {
    case Self.escape: return escapeSequence
    case 0x0D, 0x0A: return (.enter, 1)
    case 0x7F, 0x08: return (.backspace, 1)
    case 0x15: return (.deleteLine, 1)
    case 0x0C: return (.redraw, 1)
    case 0..<0x20: return (nil, 1)
    case 0x20..<0x7F: return (.character(Character(Unicode.Scalar(bytes[0]))), 1)
    default: return otherCharacter
    }
  }

  private var escapeSequence: (key: TerminalKey?, length: Int)? {
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "["):
      guard let end = bytes[2...].firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
      return (Self.key(of: bytes[2..<end], final: bytes[end]), end + 1)
    case UInt8(ascii: "O"):
      return bytes.count > 2 ? (Self.key(of: [], final: bytes[2]), 3) : nil
    // A key that follows Escape at once.
    default: return (.escape, 1)
    }
  }

  private static func key(of parameters: ArraySlice<UInt8>, final: UInt8) -> TerminalKey? {
    switch final {
    case UInt8(ascii: "A"): return .up
    case UInt8(ascii: "B"): return .down
    case UInt8(ascii: "C"): return .right
    case UInt8(ascii: "D"): return .left
    case UInt8(ascii: "H"): return .home
    case UInt8(ascii: "F"): return .end
    case UInt8(ascii: "M"): return parameters.isEmpty ? .enter : nil
    case UInt8(ascii: "~"):
      switch Int(String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)) {
      case 1, 7: return .home
      case 4, 8: return .end
      case 5: return .pageUp
      case 6: return .pageDown
      default: return nil
      }
    default: return nil
    }
  }

  private var otherCharacter: (key: TerminalKey?, length: Int)? {
    let length =
      switch bytes[0] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    guard bytes.count >= length else { return nil }
    // Bytes that are not UTF-8 are dropped one after the other.
    guard length > 1, let text = String(validating: bytes[..<length], as: UTF8.self),
      let character = text.first
    else { return (nil, 1) }
    return (.character(character), length)
  }
}
