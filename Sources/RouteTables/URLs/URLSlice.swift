// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// A range of a URL's bytes: one component as written.
package struct URLSlice: Hashable, Sendable {
  let start: UInt32
  package let end: UInt32

  package init(_ range: Range<Int>) {
    start = UInt32(truncatingIfNeeded: range.lowerBound)
    end = UInt32(truncatingIfNeeded: range.upperBound)
  }

  package var range: Range<Int> { Int(start)..<Int(end) }
  var isEmpty: Bool { start == end }
}

/// The rules that turn the bytes of a component into its normal form.
///
/// A URL is split before its components are decoded.
package struct Normalization: Hashable, Sendable {
  let foldsCase: Bool
  let readsPlusAsSpace: Bool

  /// The normalization of a scheme or a host label: percent-decoded, with ASCII capitals in lower case.
  package static let host = Normalization(foldsCase: true, readsPlusAsSpace: false)
  /// The normalization of a path segment or a fragment: percent-decoded.
  package static let path = Normalization(foldsCase: false, readsPlusAsSpace: false)
  /// The normalization of a query key or value in which `+` is a space, as in all but a few schemes.
  package static let form = Normalization(foldsCase: false, readsPlusAsSpace: true)

  /// The normalization of a path segment that is compared without case: ASCII capitals in lower case.
  static let foldedPath = Normalization(foldsCase: true, readsPlusAsSpace: false)

  /// Returns the normalization of a query under a scheme in lower case; `nil` is a bare path.
  static func query(scheme: String?) -> Normalization {
    ["mailto", "tel", "sms", "xmpp", "magnet"].contains(scheme ?? "") ? .path : .form
  }

  /// Reads the byte at `position` in normal form and advances.
  ///
  /// Two hexadecimal digits must follow every `%`; the parser has checked this.
  @inline(__always)
  func next(_ bytes: borrowing Span<UInt8>, _ position: inout Int) -> UInt8 {
    var byte = bytes[position]
    position += 1
    if byte == UInt8(ascii: "%"), position + 1 < bytes.count {
      byte = (bytes[position].hexValue ?? 0) << 4 | (bytes[position + 1].hexValue ?? 0)
      position += 2
    } else if readsPlusAsSpace, byte == UInt8(ascii: "+") {
      byte = 0x20
    }
    return foldsCase ? byte.foldedASCII : byte
  }

  /// Returns the bytes of a text in normal form.
  package func decode(_ text: URLSlice, of bytes: borrowing Span<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    var position = text.range.lowerBound
    while position < text.range.upperBound { decoded.append(next(bytes, &position)) }
    return decoded
  }

  /// Returns whether the normal form of a text equals `literal`.
  func equals(_ text: URLSlice, of bytes: borrowing Span<UInt8>, _ literal: [UInt8]) -> Bool {
    var position = text.range.lowerBound
    for byte in literal {
      guard position < text.range.upperBound, next(bytes, &position) == byte else { return false }
    }
    return position == text.range.upperBound
  }

  /// Returns whether the normal form of a text belongs to `type`.
  func takes(_ text: URLSlice, of bytes: borrowing Span<UInt8>, as type: RouteType) -> Bool {
    takes(text, of: bytes, in: type.language)
  }

  /// Returns whether `language` accepts the normal form of a text.
  func takes(_ text: URLSlice, of bytes: borrowing Span<UInt8>, in language: RegularLanguage) -> Bool {
    var run = RegularLanguage.Run(language)
    var position = text.range.lowerBound
    while position < text.range.upperBound { run.append(next(bytes, &position)) }
    return run.isAccepted
  }
}
