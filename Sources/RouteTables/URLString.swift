// SPDX-License-Identifier: Apache-2.0
/// A URL as the caller passed it, stored byte for byte.
///
/// It begins with a scheme and `:`, and has at most 1 MiB. It contains no control characters, no spaces and no `%00`. A URL
/// of http, https, ws, wss, ftp or file contains no `\` either, because browsers and RFC 3986 disagree about the host or path
/// of such a URL. The text is not normalized: two URLs are equal if their bytes are equal. ``CorrectedURL`` makes a URL of
/// other texts that programs pass as URLs. A ``RouteTable`` accepts strings and checks them itself; this type is for code
/// that forwards or logs URLs.
///
/// ```swift
/// let url = try URLString("Notes://note/7?tab=edit")
/// url.scheme     // "notes"
/// url.redacted   // "Notes://note/7?…"
/// ```
public struct URLString: Hashable, Sendable, CustomStringConvertible {
  /// The maximum length of a URL in bytes: 1 MiB.
  public static let maximumLength = 1_048_576

  /// The URL, byte for byte as it was passed.
  public let text: String

  /// Creates a URL from `text`; throws ``Invalid`` if it is not one.
  public init(_ text: String) throws(Invalid) {
    if let reason = URLString.fault(in: text.utf8) { throw reason }
    self.text = text
  }

  /// Creates a URL from bytes, which need not be UTF-8; throws ``Invalid`` if they are not a URL.
  public init(bytes: some Collection<UInt8>) throws(Invalid) {
    guard bytes.count <= URLString.maximumLength else { throw .tooLong(bytes.count) }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
    try self.init(text)
  }

  /// Creates another spelling of a URL, such as with its backslashes encoded; it may exceed the limit of the URL.
  package init(spelling text: String) throws(Invalid) {
    if let reason = URLString.fault(in: text.utf8, limit: 3 * URLString.maximumLength) { throw reason }
    self.text = text
  }

  /// The scheme in lower case, without its colon.
  public var scheme: String {
    let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
    // Avoids a copy of the bytes, because nearly all URLs write the scheme in lower case.
    guard scheme.contains(where: { lowercased($0) != $0 }) else { return String(Substring(scheme)) }
    return String(decoding: scheme.map(lowercased), as: UTF8.self)
  }

  /// The URL, unchanged.
  public var description: String { text }

  /// Returns whether the bytes are equal.
  ///
  /// The comparison of `String` would treat composed and decomposed letters as equal.
  public static func == (left: URLString, right: URLString) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the text, because URLs with equal bytes have equal texts.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension URLString {
  /// The reason why a text is not a URL; no description contains the text.
  public enum Invalid: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is empty.
    case empty
    /// The text does not begin with a scheme (RFC 3986) and a colon.
    case noScheme
    /// The text is longer than ``URLString/maximumLength``; its length in bytes.
    case tooLong(Int)
    /// The bytes are not UTF-8.
    case notUTF8
    /// The text contains a control character; its offset in bytes.
    case control(offset: Int)
    /// The text contains a space; its offset in bytes.
    case space(offset: Int)
    /// The text contains a `\` under a scheme whose URLs browsers and RFC 3986 read differently; its offset in bytes.
    case backslash(offset: Int)
    /// The text contains `%00`; its offset in bytes.
    case encodedNUL(offset: Int)

    /// The error message, with a fix.
    public var description: String {
      switch self {
      case .empty: "the URL is empty"
      case .noScheme: "a URL begins with a scheme and a colon, as in notes:"
      case .tooLong(let length): "the URL has \(length) bytes; the limit is \(URLString.maximumLength)"
      case .notUTF8: "the URL is not valid UTF-8; percent-encode other bytes"
      case .control(let offset):
        "the URL has a control character at byte \(offset); remove or percent-encode it"
      case .space(let offset): "the URL has a space at byte \(offset); write %20"
      case .backslash(let offset): "the URL has a backslash at byte \(offset); write / or %5C"
      case .encodedNUL(let offset):
        "the URL has %00 at byte \(offset), where many programs would cut it off; remove it"
      }
    }
  }

  private static func fault(in bytes: String.UTF8View, limit: Int = maximumLength) -> Invalid? {
    guard !bytes.isEmpty else { return .empty }
    guard bytes.count <= limit else { return .tooLong(bytes.count) }
    guard beginsWithScheme(bytes) else { return .noScheme }
    // The two preceding bytes: with them, `%00` and the UTF-8 encoded C1 controls are recognized.
    var before: (UInt8, UInt8) = (0, 0)
    let mayHaveBackslash = !hasSpecialScheme(bytes)
    for (offset, byte) in bytes.enumerated() {
      switch byte {
      case 0..<0x20, 0x7F: return .control(offset: offset)
      case 0x80...0x9F where before.1 == 0xC2: return .control(offset: offset - 1)
      case UInt8(ascii: " "): return .space(offset: offset)
      case UInt8(ascii: "\\") where !mayHaveBackslash: return .backslash(offset: offset)
      case UInt8(ascii: "0") where before == (UInt8(ascii: "%"), UInt8(ascii: "0")):
        return .encodedNUL(offset: offset - 2)
      default: break
      }
      before = (before.1, byte)
    }
    return nil
  }

  /// Returns whether the scheme before the first colon is special.
  private static func hasSpecialScheme(_ bytes: String.UTF8View) -> Bool {
    // The longest special scheme has five letters.
    guard let colon = bytes.prefix(6).firstIndex(of: UInt8(ascii: ":")) else { return false }
    return ParsedURL.isSpecial(scheme: String(decoding: bytes[..<colon].map(lowercased), as: UTF8.self))
  }

  /// Returns whether the bytes begin with a scheme and a colon.
  ///
  /// RFC 3986, section 3.1: `ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`.
  private static func beginsWithScheme(_ bytes: String.UTF8View) -> Bool {
    guard let first = bytes.first, isLetter(first) else { return false }
    let end = bytes.first { byte in
      !(isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte))
    }
    return end == UInt8(ascii: ":")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased(byte))
  }
}

private func lowercased(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
