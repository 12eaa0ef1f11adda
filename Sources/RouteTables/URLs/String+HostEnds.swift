// SPDX-License-Identifier: Apache-2.0
/// The readings of programs that end a host or a path at another character than RFC 3986.
extension String {
  /// The URL with its host up to a `;`, and a `/` before the `;`; `nil` if the host has none.
  ///
  /// GLib ends the host there with `G_URI_FLAGS_PARSE_RELAXED`. Browsers, Python, curl and GLib without this flag do not.
  var endingHostAtSemicolon: String? {
    // Most URLs have no semicolon, so that the authority need not be found.
    guard utf8.contains(UInt8(ascii: ";")), let scheme = foldedScheme, scheme != "file" else { return nil }
    guard let end = hostAndPort?.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    return String(self[..<end]) + "/" + String(self[end...])
  }

  /// The host and port as they are written, without the user information; `nil` if the URL has no `//` after its scheme.
  var hostAndPort: Substring.UTF8View? {
    let rest = utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst()
    guard rest.starts(with: "//".utf8) else { return nil }
    let authority = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
    let start =
      authority.lastIndex(of: UInt8(ascii: "@")).map(authority.index(after:)) ?? authority.startIndex
    return authority[start...]
  }

  /// The `file:` URL with each `?` before its fragment as `%3F`, in normal form; `nil` if it has none.
  ///
  /// GIO and `g_filename_from_uri` read the `?` as a character of the path; browsers and Qt end the path there. All of them
  /// end the path at a `#`, or refuse the URL.
  var readingQuestionMarksAsPath: String? {
    guard let first = utf8.first, first | 0x20 == UInt8(ascii: "f"), foldedScheme == "file" else {
      return nil
    }
    let end = utf8.firstIndex(of: UInt8(ascii: "#")) ?? utf8.endIndex
    guard utf8[..<end].contains(UInt8(ascii: "?")) else { return nil }
    let parts = utf8[..<end].split(separator: UInt8(ascii: "?"), omittingEmptySubsequences: false)
    return (parts.map { String(Substring($0)) }.joined(separator: "%3F") + self[end...]).readableURL
  }
}
