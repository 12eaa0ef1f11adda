import Glibc

extension UInt8 {
  var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  /// Blank in a line of a key file: space, tab, form feed and the ends of lines.
  var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) && self != 0x0B }

  var asciiLowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}

extension String {
  /// Whether the bytes are the same; Swift's own comparison takes composed and decomposed letters for one.
  func isSpelt(like other: String) -> Bool {
    utf8.span.isSpelt(like: other.utf8.span)
  }

  /// The text before, between and behind the separators.
  func pieces(between separator: UInt8) -> [String] {
    var (pieces, rest) = ([String](), Array(utf8)[...])
    while let end = rest.span.place(of: separator) {
      pieces.append(String(decoding: rest.prefix(end), as: UTF8.self))
      rest = rest.dropFirst(end + 1)
    }
    pieces.append(String(decoding: rest, as: UTF8.self))
    return pieces
  }

  /// The text with `A` to `Z` in lower case and nothing else touched.
  var asciiLowercased: String {
    // Nearly all is.
    guard utf8.contains(where: { $0.asciiLowercased != $0 }) else { return self }
    return String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }
}

extension Span<UInt8> {
  /// Whether the bytes are the same.
  func isSpelt(like other: Span<UInt8>) -> Bool { count == other.count && order(to: other) == 0 }

  /// Below, at or above zero, as the bytes come before those of `other`, are the same, or come behind them.
  func order(to other: Span<UInt8>) -> Int {
    let order = withUnsafeBytes { left in
      other.withUnsafeBytes { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return 0 as Int32 }
        return memcmp(left, right, Swift.min(count, other.count))
      }
    }
    return order == 0 ? count - other.count : Int(order)
  }

  /// Where a byte stands first; a look at many bytes at once.
  func place(of byte: UInt8) -> Int? {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let found = memchr(start, Int32(byte), bytes.count) else {
        return nil
      }
      return UnsafeRawPointer(found) - start
    }
  }

  /// Where a byte stands first in `range`.
  func place(of byte: UInt8, in range: Range<Int>) -> Int? {
    extracting(range).place(of: byte).map { range.lowerBound + $0 }
  }
}
