// SPDX-License-Identifier: Apache-2.0
import Glibc

extension UInt8 {
  var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  /// Indicates whether the byte is blank in a line of a key file: space, tab, form feed or a line ending.
  var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) && self != 0x0B }

  var asciiLowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}

extension String {
  /// Returns whether the bytes of both strings are equal.
  ///
  /// Swift's `==` also equates composed and decomposed letters.
  package func isSpelt(like other: String) -> Bool {
    utf8.span.isSpelt(like: other.utf8.span)
  }

  /// Returns the parts of the text between the separators, empty parts included.
  func pieces(between separator: UInt8) -> [String] {
    var (pieces, rest) = ([String](), Array(utf8)[...])
    while let end = rest.span.place(of: separator) {
      pieces.append(String(decoding: rest.prefix(end), as: UTF8.self))
      rest = rest.dropFirst(end + 1)
    }
    pieces.append(String(decoding: rest, as: UTF8.self))
    return pieces
  }

  /// The text with `A` to `Z` in lower case and all other bytes unchanged.
  var asciiLowercased: String {
    // Return early, because most texts have no upper-case letter.
    guard utf8.contains(where: { $0.asciiLowercased != $0 }) else { return self }
    return String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }
}

extension Span<UInt8> {
  /// Returns whether the bytes are equal.
  func isSpelt(like other: Span<UInt8>) -> Bool { count == other.count && order(to: other) == 0 }

  /// Compares the bytes as `memcmp` does: negative if they sort before `other`, zero if equal, positive if after.
  func order(to other: Span<UInt8>) -> Int {
    let order = withUnsafeBytes { left in
      other.withUnsafeBytes { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return 0 as Int32 }
        return memcmp(left, right, Swift.min(count, other.count))
      }
    }
    return order == 0 ? count - other.count : Int(order)
  }

  /// Returns the index of the first occurrence of a byte, found with `memchr`; `nil` if there is none.
  func place(of byte: UInt8) -> Int? {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let found = memchr(start, Int32(byte), bytes.count) else {
        return nil
      }
      return UnsafeRawPointer(found) - start
    }
  }

  /// Returns the index of the first occurrence of a byte in `range`; `nil` if there is none.
  func place(of byte: UInt8, in range: Range<Int>) -> Int? {
    extracting(range).place(of: byte).map { range.lowerBound + $0 }
  }
}
