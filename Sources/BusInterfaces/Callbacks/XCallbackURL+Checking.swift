// SPDX-License-Identifier: Apache-2.0
import PercentEncoding

extension XCallbackURL {
  /// The schemes that no callback may have, because a caller could make others run a script or open a file with them.
  public static let forbiddenSchemes: Set<String> = [
    "about", "blob", "data", "file", "filesystem", "javascript", "vbscript", "view-source",
  ]

  /// Checks that `url` may be opened as a callback.
  /// - Throws: ``MessageError`` at `name`.
  public static func checkCallback(_ url: String, at name: String) throws(MessageError) {
    guard let scheme = URLParts(url)?.scheme.lowercased(), url.unicodeScalars.allSatisfy(isOfURL) else {
      throw MessageError(.wrongValue(allowed: "a URL"), at: name)
    }
    guard !forbiddenSchemes.contains(scheme) else {
      throw MessageError(
        .wrongValue(allowed: "a URL that an application opens, which \(scheme): is not"), at: name)
    }
  }

  /// Returns whether a URL may contain the character: no control character, space or backslash.
  private static func isOfURL(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0x20 && scalar.value != 0x5C && !(0x7F...0x9F).contains(scalar.value)
  }
}

/// A URL, split as in RFC 3986 (appendix B) without decoding.
package struct URLParts {
  let scheme: Substring
  /// The authority; `nil` if there is no `//`.
  let authority: Substring?
  let path: Substring
  let query: Substring?

  /// Splits a URL; `nil` if it has no scheme (section 3.1).
  package init?(_ url: String) {
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(url[..<colon]) else {
      return nil
    }
    scheme = url[..<colon]
    // Scalars, because a combining mark after a delimiter would hide it among the characters.
    var rest = url.unicodeScalars[url.utf8.index(after: colon)...].prefix { $0 != "#" }
    if let mark = rest.firstIndex(of: "?") {
      query = Substring(rest[mark...].dropFirst())
      rest = rest[..<mark]
    } else {
      query = nil
    }
    guard rest.starts(with: "//".unicodeScalars) else {
      (authority, path) = (nil, Substring(rest))
      return
    }
    rest = rest.dropFirst(2)
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    (authority, path) = (Substring(rest[..<slash]), Substring(rest[slash...]))
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy {
      isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-.".utf8.contains($0)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// Returns the decoded items of the query.
  /// - Throws: ``MessageError`` if they are not percent-encoded UTF-8.
  func parameters() throws(MessageError) -> [XCallbackURL.Parameter] {
    var parameters: [XCallbackURL.Parameter] = []
    for item in query?.unicodeScalars.split(separator: "&") ?? [] {
      let end = item.firstIndex(of: "=") ?? item.endIndex
      let key = Substring(item[..<end])
      guard let name = PercentEncoding.decode(key),
        let value = PercentEncoding.decode(Substring(item[end...].dropFirst()))
      else { throw MessageError(XCallbackURL.notEncoded, at: String(key)) }
      parameters.append(XCallbackURL.Parameter(name, value))
    }
    return parameters
  }
}
