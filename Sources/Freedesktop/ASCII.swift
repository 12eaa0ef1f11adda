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
    let (left, right) = (utf8.span, other.utf8.span)
    return left.count == right.count && left.indices.allSatisfy { left[$0] == right[$0] }
  }

  /// The text with `A` to `Z` in lower case and nothing else touched.
  var asciiLowercased: String {
    // Nearly all is.
    guard utf8.contains(where: { $0.asciiLowercased != $0 }) else { return self }
    return String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }
}

extension ArraySlice<UInt8> {
  /// Where a byte stands first; a look at many bytes at once.
  func place(of byte: UInt8) -> Int? {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let found = memchr(start, Int32(byte), bytes.count) else {
        return nil
      }
      return startIndex + (UnsafeRawPointer(found) - start)
    }
  }
}
