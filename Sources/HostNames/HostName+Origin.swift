// SPDX-License-Identifier: Apache-2.0

extension HostName {
  /// Returns the web origin of a page's URL in canonical form: in lower case, with the host in ASCII, without user information,
  /// path and default port.
  ///
  /// The host and port are not checked further, as a URL's parser does.
  ///
  /// - Returns: `nil` if the scheme is neither http nor https; `null` for that text and for an origin with an invalid host or port.
  public static func origin(of text: String) -> String? {
    // As browsers parse a URL: without tabs and line ends, and without spaces and control characters around it.
    let scalars = text.unicodeScalars.filter { !"\t\n\r".unicodeScalars.contains($0) }
    let trimmed = scalars.drop { $0.value <= 0x20 }.reversed().drop { $0.value <= 0x20 }.reversed()
    let text = String(String.UnicodeScalarView(trimmed)).lowercased()
    guard text != "null" else { return "null" }
    guard let scheme = ["http", "https"].first(where: { text.hasPrefix("\($0):") }) else { return nil }
    let rest = text.unicodeScalars.dropFirst(scheme.utf8.count + 1).drop { $0 == "/" || $0 == "\\" }
    let authority = rest.prefix { !"/?#\\".unicodeScalars.contains($0) }
    let hostAndPort =
      authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    // An address in brackets contains colons.
    let address = hostAndPort.first == "[" ? hostAndPort.firstIndex(of: "]") : nil
    let colon = hostAndPort[(address ?? hostAndPort.startIndex)...].firstIndex(of: ":")
    let host = hostAndPort[..<(colon ?? hostAndPort.endIndex)]
    // A host that is missing, invalid or without an ASCII form identifies no page, and neither does an invalid port.
    guard !host.isEmpty, let port = port(hostAndPort[host.endIndex...].dropFirst(), of: scheme) else {
      return "null"
    }
    return (try? mappingHost(of: "\(scheme)://\(String(host))\(port)")) ?? "null"
  }

  /// Returns the port with its colon, empty for the default port of the scheme; `nil` for an invalid port.
  private static func port(_ digits: Substring.UnicodeScalarView, of scheme: String) -> String? {
    guard !digits.isEmpty else { return "" }
    guard digits.allSatisfy({ ("0"..."9").contains($0) }), let number = UInt16(String(digits)) else {
      return nil
    }
    return number == (scheme == "http" ? 80 : 443) ? "" : ":\(number)"
  }
}
