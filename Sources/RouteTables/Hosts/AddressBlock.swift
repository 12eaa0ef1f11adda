// SPDX-License-Identifier: Apache-2.0
/// A block of IP addresses with a common prefix.
///
/// RFC 4632, section 3.1; RFC 4291, section 2.3.
struct AddressBlock: Hashable, Sendable {
  /// The bytes of the first address: 4 for IPv4, 16 for IPv6.
  let bytes: [UInt8]
  /// The length of the common prefix in bits.
  let length: Int

  init(_ bytes: [UInt8], length: Int) {
    self.bytes = bytes
    self.length = length
  }

  /// Every IPv4 address.
  static let ipv4 = AddressBlock([0, 0, 0, 0], length: 0)
  /// The block of the IPv4-mapped IPv6 addresses, `::ffff:0:0/96`.
  ///
  /// RFC 4291, section 2.5.5.2.
  static let mapped = AddressBlock.ipv4.embedded(after: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])

  var isIPv4: Bool { bytes.count == 4 }

  /// Returns the IPv6 block that consists of `prefix`, the addresses of this IPv4 block, and arbitrary further bits.
  func embedded(after prefix: [UInt8]) -> AddressBlock {
    let bytes = prefix + bytes
    return AddressBlock(
      bytes + [UInt8](repeating: 0, count: 16 - bytes.count), length: prefix.count * 8 + length)
  }

  /// Returns the range of values of the `width` bits at bit offset `start`.
  func values(from start: Int, width: Int) -> ClosedRange<Int> {
    let low = bytes[(start / 8)..<((start + width) / 8)].reduce(0) { $0 << 8 | Int($1) }
    let free = width - min(max(length - start, 0), width)
    return low...(low | (1 << free - 1))
  }
}

extension AddressBlock {
  /// Parses a block in CIDR notation, such as `10.0.0.0/8` or `fd00::/8`.
  ///
  /// - Throws: `invalidCapture` with the correct notation.
  init(_ text: String) throws(RouteTableError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let bytes = Self.bytes(ofIPv4: parts[0]) ?? Self.bytes(ofIPv6: parts[0]),
      parts[1].utf8.count <= 3, parts[1].utf8.allSatisfy(\.isASCIIDigit), let length = Int(parts[1]),
      length <= bytes.count * 8
    else {
      throw RouteTableError(
        .invalidCapture("`\(text)` is not an address block: write `cidr(10.0.0.0/8)` or `cidr(fd00::/8)`"))
    }
    self.init(Self.masked(bytes, length), length: length)
    guard self.bytes == bytes else {
      throw RouteTableError(
        .invalidCapture(
          "`\(text)` has bits after its first \(length): write `cidr(\(self))`, or "
            + "`cidr(\(AddressBlock(bytes, length: bytes.count * 8)))` for the one address"))
    }
    let prefix = Self.mapped.bytes.prefix(12)
    guard length < 96 || !bytes.starts(with: prefix) else {
      let block = AddressBlock(Array(bytes.dropFirst(12)), length: length - 96)
      throw RouteTableError(
        .invalidCapture(
          "`\(text)` is a block of IPv4 addresses: write `cidr(\(block))`, which also matches these"))
    }
  }

  private static func masked(_ bytes: [UInt8], _ length: Int) -> [UInt8] {
    bytes.enumerated().map { index, byte in
      byte & ~UInt8(truncatingIfNeeded: 0xFF >> min(max(length - 8 * index, 0), 8))
    }
  }

  private static func bytes(ofIPv4 text: Substring) -> [UInt8]? {
    guard HostAddress.isIPv4(text.utf8) else { return nil }
    return text.split(separator: ".").compactMap { UInt8($0) }
  }

  /// Returns the 16 bytes of up to eight hexadecimal groups with at most one `::`; `nil` for any other text.
  private static func bytes(ofIPv6 text: Substring) -> [UInt8]? {
    let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
    guard halves.count <= 2 else { return nil }
    var groups: [[UInt16]] = []
    for half in halves {
      var own: [UInt16] = []
      for group in half.split(separator: ":", omittingEmptySubsequences: false) where !half.isEmpty {
        guard (1...4).contains(group.utf8.count), group.utf8.allSatisfy({ $0.hexValue != nil }),
          let value = UInt16(group, radix: 16)
        else { return nil }
        own.append(value)
      }
      groups.append(own)
    }
    let missing = 8 - groups.reduce(0) { $0 + $1.count }
    guard halves.count == 1 ? missing == 0 : missing > 0 else { return nil }
    let all = groups[0] + [UInt16](repeating: 0, count: missing) + (groups.count == 2 ? groups[1] : [])
    return all.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
  }
}

extension AddressBlock: CustomStringConvertible {
  /// The block in CIDR notation, such as `10.0.0.0/8` or `fd00::/8`.
  var description: String {
    guard !isIPv4 else { return bytes.map { "\($0)" }.joined(separator: ".") + "/\(length)" }
    let groups = (0..<8).map { Int(bytes[2 * $0]) << 8 | Int(bytes[2 * $0 + 1]) }
    var gap = 0..<0
    var start = 0
    for (index, group) in (groups + [1]).enumerated() where group != 0 {
      if index - start > max(gap.count, 1) { gap = start..<index }
      start = index + 1
    }
    func text(_ range: Range<Int>) -> String {
      groups[range].map { String($0, radix: 16) }.joined(separator: ":")
    }
    return (gap.isEmpty ? text(0..<8) : "\(text(0..<gap.lowerBound))::\(text(gap.upperBound..<8))")
      + "/\(length)"
  }
}
