// SPDX-License-Identifier: Apache-2.0
import PercentEncoding

/// An absolute URL with the scheme `http` or `https`, which can be fetched.
///
/// It consists of the ASCII characters of RFC 3986, and has no user information, because that is a secret in a place that
/// programs log.
public struct DownloadURL: Hashable, Sendable {
  /// The URL.
  public let text: String

  /// Creates a URL; `nil` if `text` is not one of the form above.
  public init?(_ text: String) {
    let allowed = Set("-._~:/?#[]@!$&'()*+,;=%".utf8)
    guard text.utf8.count <= DownloadLimits.url,
      text.utf8.allSatisfy({ $0.isASCIIAlphanumeric || allowed.contains($0) })
    else { return nil }
    let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()) else { return nil }
    let authority = parts[1].prefix { !"/?#".contains($0) }
    guard !authority.contains("@"), authority.first.map({ $0 != ":" }) ?? false else { return nil }
    self.text = text
  }

  /// The rule as a sentence part.
  public static let rule =
    "an absolute URL that begins with http:// or https://, without user information and with every other character than those of RFC 3986 percent-encoded"

  /// Indicates whether the scheme is `https`.
  public var isSecure: Bool { text.prefix(6).lowercased() == "https:" }

  /// The last part of the path as a file name: decoded, without characters that a file name cannot have, and never hidden;
  /// `download` if nothing is left.
  public var fileName: String {
    let path = text.prefix { $0 != "?" && $0 != "#" }.split(separator: "://", maxSplits: 1).last ?? ""
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let bytes = PercentEncoding.bytes(of: (parts.last ?? "").utf8, keepsMalformed: true) ?? []
    let decoded = String(decoding: bytes, as: UTF8.self)
    let allowed = decoded.unicodeScalars.filter(Self.mayStandInName).drop { !Self.mayBeginName($0) }
    let short = String(String.UnicodeScalarView(allowed)).prefix(bytes: DownloadLimits.fileName - 24)
    return short.isEmpty ? "download" : String(short)
  }

  /// Returns whether a name may begin with a scalar: hidden files begin with a dot, options with a hyphen.
  private static func mayBeginName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    // A mark would be displayed on the directory's slash.
    case .nonspacingMark, .enclosingMark, .spacingMark: false
    default: !".- ".unicodeScalars.contains(scalar)
    }
  }

  private static func mayStandInName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: scalar != "/" && scalar != "\\" && scalar != "\u{FFFD}"
    }
  }
}
