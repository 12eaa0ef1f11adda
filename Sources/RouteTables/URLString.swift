/// A URL as a browser would hand it over, carried as the bytes that came.
///
/// It begins with a scheme and `:`, has no controls, spaces, `\` or `%00` (where browsers and RFC 3986
/// disagree about whose host it is) and is at most 1 MiB. There is no other normal form: two URLs are equal
/// when their bytes are. A table takes texts, and checks them itself; this is for what hands URLs on, and logs them.
///
/// ```swift
/// let url = try URLString("Notes://note/7?tab=edit")
/// url.scheme     // "notes"
/// url.redacted   // "Notes://note/7?…"
/// ```
public struct URLString: Hashable, Sendable, CustomStringConvertible {
  /// The longest URL that is carried, in bytes: 1 MiB.
  public static let maximumLength = 1_048_576

  /// The URL, byte for byte as it came.
  public let text: String

  /// Checks `text`; throws why it is no URL.
  public init(_ text: String) throws(Invalid) {
    if let reason = URLString.fault(in: text.utf8) { throw reason }
    self.text = text
  }

  /// Checks bytes that may not even be UTF-8; throws why they are no URL.
  public init(bytes: some Collection<UInt8>) throws(Invalid) {
    guard bytes.count <= URLString.maximumLength else { throw .tooLong(bytes.count) }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
    try self.init(text)
  }

  /// The scheme in lower case, without its colon.
  public var scheme: String {
    let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
    // Nearly all are written so.
    guard scheme.contains(where: { lowercased($0) != $0 }) else { return String(Substring(scheme)) }
    return String(decoding: scheme.map(lowercased), as: UTF8.self)
  }

  /// The URL itself.
  public var description: String { text }

  /// Whether the bytes are the same; Swift's own comparison takes composed and decomposed letters for one.
  public static func == (left: URLString, right: URLString) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Equal bytes are equal text, so the text's own hash serves.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension URLString {
  /// Why a text is no URL; the description is the sentence a person reads and never holds the text.
  public enum Invalid: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no text.
    case empty
    /// It does not begin with a scheme of RFC 3986 and a colon.
    case noScheme
    /// Longer than ``URLString/maximumLength``; the length in bytes.
    case tooLong(Int)
    /// The bytes are not UTF-8.
    case notUTF8
    /// A control character, at this byte.
    case control(offset: Int)
    /// A space, at this byte.
    case space(offset: Int)
    /// A `\`, at this byte.
    case backslash(offset: Int)
    /// `%00`, at this byte.
    case encodedNUL(offset: Int)

    /// The sentence a person reads.
    public var description: String {
      switch self {
      case .empty: "the URL is empty"
      case .noScheme: "a URL begins with a scheme and a colon, as in notes:"
      case .tooLong(let length): "the URL has \(length) bytes, the limit is \(URLString.maximumLength)"
      case .notUTF8: "the URL is not valid UTF-8; percent-encode other bytes"
      case .control(let offset): "the URL has a control character at byte \(offset); percent-encode it"
      case .space(let offset): "the URL has a space at byte \(offset); write %20"
      case .backslash(let offset): "the URL has a backslash at byte \(offset); write / or %5C"
      case .encodedNUL(let offset): "the URL has %00 at byte \(offset), which no program takes safely"
      }
    }
  }

  private static func fault(in bytes: String.UTF8View) -> Invalid? {
    guard !bytes.isEmpty else { return .empty }
    guard bytes.count <= maximumLength else { return .tooLong(bytes.count) }
    guard beginsWithScheme(bytes) else { return .noScheme }
    // The last two bytes: what they make of this one.
    var before: (UInt8, UInt8) = (0, 0)
    for (offset, byte) in bytes.enumerated() {
      switch byte {
      case 0..<0x20, 0x7F: return .control(offset: offset)
      case 0x80...0x9F where before.1 == 0xC2: return .control(offset: offset - 1)
      case UInt8(ascii: " "): return .space(offset: offset)
      case UInt8(ascii: "\\"): return .backslash(offset: offset)
      case UInt8(ascii: "0") where before == (UInt8(ascii: "%"), UInt8(ascii: "0")):
        return .encodedNUL(offset: offset - 2)
      default: break
      }
      before = (before.1, byte)
    }
    return nil
  }

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
