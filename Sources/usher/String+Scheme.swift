// SPDX-License-Identifier: Apache-2.0
extension String {
  /// The scheme with which the text begins as a URL does, without the colon (RFC 3986, 3.1); `nil` for any other text.
  var scheme: Substring.UTF8View? {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), let first = utf8.first, first.isLetter else {
      return nil
    }
    let scheme = utf8[..<colon]
    return scheme.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) } ? scheme : nil
  }
}

extension UInt8 {
  /// A Boolean value that indicates whether the byte is a letter of ASCII.
  var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  /// A Boolean value that indicates whether the byte is a digit of ASCII.
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
