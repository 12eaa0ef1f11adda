/// A run of a URL's bytes: one component as it was written.
struct URLSlice: Hashable, Sendable {
  let start: UInt32
  let end: UInt32

  init(_ range: Range<Int>) {
    start = UInt32(truncatingIfNeeded: range.lowerBound)
    end = UInt32(truncatingIfNeeded: range.upperBound)
  }

  var range: Range<Int> { Int(start)..<Int(end) }
  var isEmpty: Bool { start == end }
}

/// How the bytes of a component are read into its normal form.
///
/// Split first, decode after.
struct Normalization: Hashable, Sendable {
  let foldsCase: Bool
  let readsPlusAsSpace: Bool

  /// A scheme or a host label: decoded, ASCII capitals folded.
  static let host = Normalization(foldsCase: true, readsPlusAsSpace: false)
  /// A path segment or a fragment: decoded.
  static let path = Normalization(foldsCase: false, readsPlusAsSpace: false)
  /// A query key or value where `+` is a space, which it is in all but a few schemes.
  static let form = Normalization(foldsCase: false, readsPlusAsSpace: true)

  /// A path segment, its ASCII capitals folded.
  static let foldedPath = Normalization(foldsCase: true, readsPlusAsSpace: false)

  /// The form of a query under `scheme`, already folded; `nil` is a bare path.
  static func query(scheme: String?) -> Normalization {
    ["mailto", "tel", "sms", "xmpp", "magnet"].contains(scheme ?? "") ? .path : .form
  }

  /// Reads the byte at `position` in normal form and moves on.
  ///
  /// The text has been checked: every `%` is sound.
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

  /// The text in normal form.
  func decode(_ text: URLSlice, of bytes: borrowing Span<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    var position = text.range.lowerBound
    while position < text.range.upperBound { decoded.append(next(bytes, &position)) }
    return decoded
  }

  /// Whether the text in normal form is `literal`.
  func equals(_ text: URLSlice, of bytes: borrowing Span<UInt8>, _ literal: [UInt8]) -> Bool {
    var position = text.range.lowerBound
    for byte in literal {
      guard position < text.range.upperBound, next(bytes, &position) == byte else { return false }
    }
    return position == text.range.upperBound
  }

  /// Whether the text in normal form belongs to `type`.
  func takes(_ text: URLSlice, of bytes: borrowing Span<UInt8>, as type: RouteType) -> Bool {
    takes(text, of: bytes, in: type.language)
  }

  /// Whether the text in normal form is in `language`.
  func takes(_ text: URLSlice, of bytes: borrowing Span<UInt8>, in language: RegularLanguage) -> Bool {
    var run = RegularLanguage.Run(language)
    var position = text.range.lowerBound
    while position < text.range.upperBound { run.append(next(bytes, &position)) }
    return run.isAccepted
  }
}
