/// A URL scheme, in lower case.
///
/// RFC 3986, 3.1: a letter, then letters, digits, `+`, `-` and `.`; at most 64 bytes here.
public struct URLScheme: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The scheme, without the colon.
  public let rawValue: String

  /// Parses `text` as a scheme; `nil` if it breaks the grammar.
  public init?(_ text: String) {
    let bytes = text.utf8
    guard let first = bytes.first, first.isASCIILetter, bytes.count <= 64 else { return nil }
    let isScheme = bytes.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
    guard isScheme else { return nil }
    rawValue = text.asciiLowercased
  }

  private init(known rawValue: String) { self.rawValue = rawValue }

  /// Parses the scheme of `url`; `nil` if the text before the first colon is not a scheme.
  public init?(of url: String) {
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    self.init(String(url[..<colon]))
  }

  /// The MIME type that represents the scheme in entries and lists.
  public var mimeType: String { Self.mimePrefix + rawValue }

  /// The scheme, without the colon.
  public var description: String { rawValue }
  /// Orders schemes by their text.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  static let mimePrefix = "x-scheme-handler/"
}

extension URLScheme {
  /// The reason for which an application cannot register this scheme; `nil` if it can.
  ///
  /// Refused are schemes that name a resource of the program that reads them, that run code, or that all browsers and
  /// mail programs share.
  public var refusal: String? {
    if Self.web.contains(self) {
      return
        "all browsers handle it; use “usher register --web” to put Usher in front of your default browser"
    }
    if Self.shared.contains(rawValue) {
      return
        "browsers, mail and telephony programs share it; choose its default in the desktop's settings"
    }
    if Self.dangerous.contains(rawValue) || Self.dangerousFamilies.contains(where: rawValue.hasPrefix) {
      return "it is reserved, because its links cannot be passed safely to an application"
    }
    return nil
  }

  /// The schemes of web links, which are registered together.
  public static let web = [URLScheme(known: "http"), URLScheme(known: "https")]

  private static let shared: Set<String> = ["ftp", "mailto", "tel", "sms"]

  private static let dangerous: Set<String> = [
    "about", "afp", "blob", "content", "data", "disk", "disks", "file", "filesystem", "hcp", "ie.http",
    "intent", "jar",
    "javascript", "mk", "ms-help", "nntp", "res", "resource", "shell", "urn", "vbscript", "view-source",
    "vnd.ms.radio", "ws", "wss", "x-scheme-handler",
  ]

  private static let dangerousFamilies = ["chrome", "moz-", "ms-", "microsoft-"]
}
