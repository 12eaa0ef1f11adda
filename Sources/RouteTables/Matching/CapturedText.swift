// SPDX-License-Identifier: Apache-2.0
/// The text of a capture as a range of the bytes of a URL, which have to be decoded only if ``isEncoded`` is true.
///
/// It holds one number and no reference, so that reading all captures of a match allocates no memory. It is valid for the URL of the
/// match alone.
///
/// ```swift
/// // files:/{owner}/{size:uint}/{path...}
/// let url = "files:/ada/4096/notes/a%2Fb"
/// if let found = try files.find(url) {
///   found.text(ofCapture: 0)?.range              // 7..<10
///   found.text(ofCapture: 1)?.uint(in: url)      // 4096
///   found.text(ofCapture: 2)?.string(in: url)    // "notes/a/b"
/// }
/// ```
@frozen
public struct CapturedText: BitwiseCopyable, Sendable {
  /// The start in the low 32 bits, the end in the high bits, and a `Form` in the three bits above it.
  @usableFromInline let bits: UInt64

  /// The marks above the range.
  enum Form {
    /// The text in the URL is not in normal form.
    static let encoded: UInt64 = 1 << 63
    /// The text is part of a host.
    static let host: UInt64 = 1 << 62
    /// `+` is a space in the text.
    static let plus: UInt64 = 1 << 61
  }

  @inlinable
  init(bits: UInt64) { self.bits = bits }

  /// The range of the text in the UTF-8 bytes of the URL.
  @inlinable public var range: Range<Int> {
    let end = Int(truncatingIfNeeded: bits &>> 32 & 0x1FFF_FFFF)
    return Range(uncheckedBounds: (Int(truncatingIfNeeded: bits & 0xFFFF_FFFF), end))
  }

  /// Indicates whether the bytes in the URL are percent-encoded, are capitals in a host or contain a `+` for a space.
  ///
  /// Otherwise they are the text itself.
  @inlinable public var isEncoded: Bool { bits &>> 63 != 0 }

  var form: Normalization {
    bits & Form.host != 0 ? .host : bits & Form.plus != 0 ? .form : .path
  }

  /// The text, decoded once; `url` must be the URL of the match.
  public func string(in url: borrowing String) -> String { string(in: url.utf8.span) }

  /// The text, decoded once; `url` must contain the bytes of the URL of the match.
  public func string(in url: borrowing Span<UInt8>) -> String {
    guard range.upperBound <= url.count else { return "" }
    guard isEncoded else {
      return url.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
    return String(decoding: form.decode(URLSlice(range), of: url), as: UTF8.self)
  }

  /// The value of an `int`, read from the bytes; `nil` if the text is not such an integer.
  public func int(in url: borrowing String) -> Int64? { integer(in: url.utf8.span).signed }

  /// The value of a `uint`, read from the bytes; `nil` if the text is not such an integer.
  public func uint(in url: borrowing String) -> UInt64? { integer(in: url.utf8.span).unsigned }

  func integer(in url: borrowing Span<UInt8>) -> CanonicalInteger {
    var integer = CanonicalInteger()
    guard range.upperBound <= url.count else { return integer }
    var position = range.lowerBound
    while position < range.upperBound { integer.append(form.next(url, &position)) }
    return integer
  }
}
