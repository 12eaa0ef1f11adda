// SPDX-License-Identifier: Apache-2.0
/// The recognition of hosts that are IP addresses, and of their canonical spelling.
///
/// Programs read other spellings (`127.1`, `0x7f000001`, `[0:0:0:0:0:0:0:1]`) as the same address. A URL with such a
/// spelling is rejected; otherwise a comparison of texts would treat one host as two.
enum HostAddress {
  /// Returns whether a last label in lower case makes the host an address: digits, or `0x` and hexadecimal digits.
  static func isNumber(_ label: some Sequence<UInt8>) -> Bool {
    var (place, isDecimal, isHexadecimal) = (0, true, true)
    for byte in label {
      isDecimal = isDecimal && byte.isASCIIDigit
      switch place {
      case 0: isHexadecimal = byte == UInt8(ascii: "0")
      case 1: isHexadecimal = isHexadecimal && byte == UInt8(ascii: "x")
      default: isHexadecimal = isHexadecimal && byte.hexValue != nil
      }
      guard isDecimal || isHexadecimal else { return false }
      place += 1
    }
    return place > 0 && (isDecimal || place > 1)
  }

  /// Returns whether the bytes are four decimal numbers up to 255, separated by dots and without leading zeros.
  static func isIPv4(_ bytes: some Sequence<UInt8>) -> Bool {
    var (parts, digits, value) = (1, 0, 0)
    for byte in bytes {
      if byte == UInt8(ascii: ".") {
        guard digits > 0 else { return false }
        (parts, digits, value) = (parts + 1, 0, 0)
      } else {
        guard byte.isASCIIDigit, digits == 0 || value > 0 else { return false }
        (digits, value) = (digits + 1, value * 10 + Int(byte - UInt8(ascii: "0")))
        guard value <= 255 else { return false }
      }
    }
    return parts == 4 && digits > 0
  }

  /// Returns whether the text between the brackets of an IP literal is the canonical spelling of an address.
  ///
  /// The canonical spelling has groups without leading zeros, and `::` replaces the first of the longest runs of zero
  /// groups. The case of the letters does not matter. An address of a future version (`v…`) is not an address: browsers reject
  /// it, and Python reads the host in `https://[vb.example]` as the name `vb.example`.
  ///
  /// RFC 3986, section 3.2.2; RFC 5952, section 4, but without the dotted form, because URLs are serialized without it.
  static func isLiteral(_ text: some Collection<UInt8>) -> Bool {
    var groups: [Int?] = []  // `nil` represents `::`
    var rest = Array(text)[...]
    if rest.starts(with: [UInt8(ascii: ":")]) {
      guard rest.starts(with: "::".utf8) else { return false }
      groups.append(nil)
      rest = rest.dropFirst(2)
    }
    while !rest.isEmpty {
      let digits = rest.prefix { $0 != UInt8(ascii: ":") }
      guard (1...4).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0") else {
        return false
      }
      var value = 0
      for digit in digits {
        guard let number = digit.hexValue else { return false }
        value = value << 4 | Int(number)
      }
      groups.append(value)
      rest = rest[digits.endIndex...]
      if rest.starts(with: "::".utf8) {
        groups.append(nil)
        rest = rest.dropFirst(2)
      } else if !rest.isEmpty {
        rest = rest.dropFirst()
        guard !rest.isEmpty else { return false }
      }
    }
    return isShortest(groups)
  }

  private static func isShortest(_ groups: [Int?]) -> Bool {
    let gaps = groups.count { $0 == nil }
    let written = groups.count - gaps
    guard gaps == 0 ? written == 8 : gaps == 1 && written <= 6 else { return false }
    let gap = gaps == 0 ? 1 : 8 - written
    var (run, isAfter) = (0, false)
    for group in groups {
      switch group {
      case nil:
        // `::` must include all adjacent zeros.
        guard run == 0 else { return false }
        isAfter = true
      case 0?:
        run += 1
        // A run of the same length before the gap would be the first of the longest runs, and `::` would replace it.
        guard isAfter ? run <= gap : run < max(gap, 2) else { return false }
      default: run = 0
      }
    }
    guard let place = groups.firstIndex(of: nil), place + 1 < groups.count else { return true }
    return groups[place + 1] != 0
  }
}
