// SPDX-License-Identifier: Apache-2.0
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
  /// Refused are schemes with a ``reservation``, and those that all browsers and mail programs share.
  public var refusal: String? {
    if Self.web.contains(self) {
      return
        "all browsers handle it; use “usher register --web” to let Usher pass web links to your default browser"
    }
    if Self.shared.contains(rawValue) {
      return
        "browsers, mail and telephony programs share it; choose its default in the desktop's settings or, for all users, in /etc/xdg/mimeapps.list"
    }
    return reservation.map { "it is reserved, because \($0)" }
  }

  /// The reason for which no application gets links of this scheme, as a clause; `nil` if applications may get them.
  ///
  /// Schemes are reserved one by one, because an application may own any other scheme of the same vendor.
  public var reservation: String? { Self.reservations[rawValue] }

  /// The schemes of web links, which are registered together.
  public static let web = [URLScheme(known: "http"), URLScheme(known: "https")]

  private static let shared: Set<String> = ["ftp", "mailto", "tel", "sms"]

  private static let reservations: [String: String] = {
    let groups: [(reason: String, schemes: [String])] = [
      (
        "its links contain code, which would run in the program that opens them",
        ["data", "javascript", "vbscript"]
      ),
      (
        "its links name pages and resources inside the browser that shows them",
        [
          "about", "blob", "chrome", "chrome-devtools", "chrome-error", "chrome-extension", "chrome-native",
          "chrome-search", "chrome-untrusted", "devtools", "filesystem", "jar", "moz-extension", "moz-icon",
          "moz-page-thumb", "moz-safe-about", "moz-src", "resource", "view-source",
        ]
      ),
      (
        "its links make programs of Windows run commands",
        [
          "hcp", "ie.http", "mk", "ms-appinstaller", "ms-help", "ms-its", "ms-msdt", "ms-officecmd", "res",
          "search-ms", "shell", "vnd.ms.radio",
        ]
      ),
      ("its links name objects on Android devices", ["content", "intent"]),
      ("only scripts of web pages use the scheme, and a link with it shows nothing", ["ws", "wss"]),
      ("its links name no location", ["urn"]),
      ("its links name files, whose applications are chosen by MIME type", ["file"]),
      ("the text is the beginning of a MIME type and not a scheme", ["x-scheme-handler"]),
    ]
    return groups.reduce(into: [:]) { all, group in
      for scheme in group.schemes { all[scheme] = group.reason }
    }
  }()
}
