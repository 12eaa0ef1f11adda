/// The addresses that a host may be, and the one way in which each is written.
///
/// Programs read many other ways (`127.1`, `0x7f000001`, `[0:0:0:0:0:0:0:1]`) as the same address, so that whoever compares
/// texts would take one host for another.
enum HostAddress {
  /// Whether a label, in small letters, makes a host an address: digits, or `0x` and hexadecimal ones.
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

  /// Whether the bytes are four decimal numbers up to 255 with dots between them, and no zeros in front.
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

  /// Whether the text between the brackets of an IP literal, in any case, is an address as it is written: eight numbers
  /// without zeros in front, the first of the longest runs of zeros as `::`; or of a version that is to come.
  ///
  /// RFC 3986, section 3.2.2; RFC 5952, section 4, with numbers in place of the dotted form, as URLs are serialized.
  static func isLiteral(_ text: some Collection<UInt8>) -> Bool {
    if let first = text.first, first | 0x20 == UInt8(ascii: "v") { return true }
    var groups: [Int?] = []  // `nil` is `::`
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
        // A zero beside the gap belongs into it.
        guard run == 0 else { return false }
        isAfter = true
      case 0?:
        run += 1
        // A run before the gap that is as long would be the first of the longest.
        guard isAfter ? run <= gap : run < max(gap, 2) else { return false }
      default: run = 0
      }
    }
    guard let place = groups.firstIndex(of: nil), place + 1 < groups.count else { return true }
    return groups[place + 1] != 0
  }
}
