// SPDX-License-Identifier: Apache-2.0
/// Base64 (RFC 4648, section 4): the standard alphabet, with padding and without other characters.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  private static let values: [UInt8?] = {
    var values = [UInt8?](repeating: nil, count: 256)
    for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      for index in 0..<4 {
        let letter = alphabet[Int(bits >> (18 - 6 * UInt32(index)) & 63)]
        text.append(index <= group.count ? letter : padding)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the decoded bytes; `nil` if `text` is not exactly the encoding of any bytes by ``encode(_:)``.
  static func decode(_ text: String) -> [UInt8]? {
    let letters = Array(text.utf8)
    guard letters.count.isMultiple(of: 4) else { return nil }
    let paddings = letters.suffix(2).reversed().prefix { $0 == padding }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(letters.count / 4 * 3)
    for start in stride(from: 0, to: letters.count, by: 4) {
      let isLast = start + 4 == letters.count
      let count = isLast ? 4 - paddings : 4
      var bits: UInt32 = 0
      for letter in letters[start..<start + count] {
        guard let value = values[Int(letter)] else { return nil }
        bits = bits << 6 | UInt32(value)
      }
      bits <<= 6 * UInt32(4 - count)
      // Bits after the last whole byte must be zero, otherwise two texts would represent the same data.
      guard bits & (1 << (8 * UInt32(4 - count)) - 1) == 0 else { return nil }
      for index in 0..<(count - 1) {
        bytes.append(UInt8(truncatingIfNeeded: bits >> (16 - 8 * UInt32(index))))
      }
    }
    return bytes
  }
}
