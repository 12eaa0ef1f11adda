// SPDX-License-Identifier: Apache-2.0
/// A URL made of a text that a program passed as one, with the corrections that a browser makes.
///
/// Programs pass URLs with characters that RFC 3986 does not allow, and other openers deliver them. What has one meaning for
/// every program is percent-encoded. A `\` under a scheme that browsers do not know remains as it came, because such a URL
/// means what its application makes of it. Control characters are never corrected.
///
/// ```swift
/// try CorrectedURL("mailto:a@example.org?subject=Hello World").url.text   // "mailto:a@example.org?subject=Hello%20World"
/// try CorrectedURL("https:\\\\example.org\\a").url.text                    // "https://example.org/a"
/// try CorrectedURL("notes:C:\\Users").url.text                            // "notes:C:\Users"
/// ```
///
/// WHATWG URL, section 4.4.
public struct CorrectedURL: Hashable, Sendable {
  /// The URL that is decided and opened.
  public let url: URLString
  /// The corrections, without repetitions.
  public let corrections: [Correction]

  /// A difference between the text and its URL.
  public enum Correction: CaseIterable, Hashable, Sendable, CustomStringConvertible {
    /// Spaces at the end of a web link were removed.
    case trailingSpaces
    /// Spaces were encoded.
    case spaces
    /// A `\` before the query of a web link became a `/`.
    case slashes
    /// A `\` was encoded.
    case backslashes
    /// Bytes that are not UTF-8 were encoded.
    case bytes

    /// The correction as a sentence for explanations.
    public var description: String {
      switch self {
      case .trailingSpaces: "spaces at the end are removed, as browsers do"
      case .spaces: "spaces are encoded as %20, because a URL contains no spaces"
      case .slashes: "backslashes are changed to /, as browsers read them under this scheme"
      case .backslashes:
        "backslashes are encoded as %5C, because programs read them differently under this scheme"
      case .bytes: "bytes that are not UTF-8 are percent-encoded"
      }
    }
  }

  /// Creates the value for a URL that needs no correction.
  public init(_ url: URLString) { (self.url, corrections) = (url, []) }

  /// Creates the URL of `text`; throws ``URLString/Invalid`` if it is not a URL and cannot be corrected.
  public init(_ text: String) throws(URLString.Invalid) {
    do throws(URLString.Invalid) {
      self.init(try URLString(text))
    } catch {
      switch error {
      case .space, .backslash: try self.init(correcting: Array(text.utf8))
      case .empty, .noScheme, .tooLong, .notUTF8, .control, .encodedNUL: throw error
      }
    }
  }

  /// Creates the URL of bytes, which need not be UTF-8; throws ``URLString/Invalid`` if they are not a URL and cannot be
  /// corrected.
  public init(bytes: [UInt8]) throws(URLString.Invalid) {
    guard bytes.count <= URLString.maximumLength else { throw .tooLong(bytes.count) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      try self.init(correcting: bytes)
      return
    }
    try self.init(text)
  }

  private init(correcting bytes: [UInt8]) throws(URLString.Invalid) {
    var corrections: Set<Correction> = []
    // Each byte is visited once, because the text may have a mebibyte.
    let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    let scheme = String(decoding: bytes[..<colon].map(\.foldedASCII), as: UTF8.self)
    let isWeb = ParsedURL.defaultPort(of: scheme) != nil
    var rest = bytes[colon...]
    if isWeb {
      while rest.last == UInt8(ascii: " ") { rest.removeLast() }
      if rest.endIndex < bytes.endIndex { corrections.insert(.trailingSpaces) }
    }
    // In a scheme nothing can be encoded, so that the text remains invalid.
    var text = Array(bytes[..<colon])
    var isBeforeQuery = true
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: " "):
        corrections.insert(.spaces)
        text.append(encoding: byte)
      case UInt8(ascii: "\\") where isWeb && isBeforeQuery:
        corrections.insert(.slashes)
        text.append(UInt8(ascii: "/"))
      case UInt8(ascii: "\\") where isWeb || scheme == "file":
        corrections.insert(.backslashes)
        text.append(encoding: byte)
      case 0x80...:
        let length = Self.scalarLength(rest)
        if length == 0 {
          corrections.insert(.bytes)
          text.append(encoding: byte)
        } else {
          text += rest.prefix(length)
          rest.removeFirst(length - 1)
        }
      default:
        if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { isBeforeQuery = false }
        text.append(byte)
      }
      rest.removeFirst()
    }
    url = try URLString(bytes: text)
    self.corrections = Correction.allCases.filter(corrections.contains)
  }

  /// Returns the length of the scalar at the start of `bytes`, or 0 if they do not begin with one.
  private static func scalarLength(_ bytes: ArraySlice<UInt8>) -> Int {
    var check = UTF8Check()
    for (index, byte) in bytes.prefix(4).enumerated() {
      guard check.accept(byte) else { return 0 }
      if check.isComplete { return index + 1 }
    }
    return 0
  }
}

extension [UInt8] {
  /// Appends the percent-encoding of a byte.
  fileprivate mutating func append(encoding byte: UInt8) {
    append(UInt8(ascii: "%"))
    append(Self.digit(byte >> 4))
    append(Self.digit(byte & 15))
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? value + UInt8(ascii: "0") : value - 10 + UInt8(ascii: "A")
  }
}
