// SPDX-License-Identifier: Apache-2.0
/// Classification of single bytes for URL syntax.
///
/// RFC 3986, section 2 and appendix A.
extension UInt8 {
  package var isASCIILetter: Bool { (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") }
  package var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  /// The byte in lower case if it is an ASCII capital letter, otherwise the byte itself.
  package var foldedASCII: UInt8 {
    self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
  }

  /// The value of a hexadecimal digit in either case; `nil` for every other byte.
  var hexValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Indicates whether a scheme may contain the byte after its first letter.
  ///
  /// RFC 3986, section 3.1.
  var isSchemeByte: Bool {
    isASCIILetter || isASCIIDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "-")
      || self == UInt8(ascii: ".")
  }

  /// The description of a byte that a URL must not contain unencoded; `nil` for every other byte.
  var forbiddenName: String? {
    switch self {
    case 0x20: "a space"
    case UInt8(ascii: "\\"): "a backslash"
    case 0x00...0x1F, 0x7F: "a control character"
    default: nil
    }
  }

  /// Indicates whether a decoded host must not contain the byte.
  ///
  /// These bytes include the URL delimiters, because another parser could read a different host from a text with one.
  var isForbiddenInHost: Bool {
    switch self {
    case 0...0x20, 0x7F, UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "/"), UInt8(ascii: ":"),
      UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "?"), UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "\\"),
      UInt8(ascii: "]"),
      UInt8(ascii: "^"), UInt8(ascii: "|"):
      true
    default: false
    }
  }
}
