// SPDX-License-Identifier: Apache-2.0
/// Percent-encoding (RFC 3986, section 2.1) over UTF-8.
package enum PercentEncoding {
  /// Returns the text with all bytes encoded except the unreserved characters (section 2.3) and `kept`.
  package static func encode(_ text: String, keeping kept: StaticString = "") -> String {
    let kept = kept.withUTF8Buffer { Array($0) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isUnreserved(byte) || kept.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the decoded text; `nil` if a `%` is not followed by two hexadecimal digits, or if it is not UTF-8.
  package static func decode(_ text: Substring) -> String? {
    bytes(of: text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// Returns the decoded bytes; `nil` if a `%` is not followed by two hexadecimal digits.
  ///
  /// - Parameters:
  ///   - keepsMalformed: Whether such a `%` stands for itself instead.
  ///   - isForm: Whether a `+` is a space (`application/x-www-form-urlencoded`).
  package static func bytes(
    of text: Substring.UTF8View, keepsMalformed: Bool = false, isForm: Bool = false
  ) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(isForm && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        continue
      }
      let digits = rest.prefix(2).compactMap(value)
      if digits.count == 2 {
        bytes.append(digits[0] << 4 | digits[1])
        rest = rest.dropFirst(2)
      } else {
        guard keepsMalformed else { return nil }
        bytes.append(byte)
      }
    }
    return bytes
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"):
      (digit | 0x20) - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }
}
