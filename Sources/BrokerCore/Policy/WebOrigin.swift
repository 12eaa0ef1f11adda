// SPDX-License-Identifier: Apache-2.0
import HostNames
import RouteTables

/// The origin of a web page (RFC 6454): scheme, host and port, such as `https://example.org`.
///
/// The form is canonical: lower case, with the host in ASCII, without user information and without the default port.
public struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
  /// The serialized origin (RFC 6454, section 6.2).
  public let text: String

  /// The opaque origin `null`, which browsers send to hide an origin, for example that of a sandboxed frame.
  ///
  /// It identifies no page, so no answer is stored for it.
  public static let opaque = WebOrigin(known: "null")

  private init(known text: String) { self.text = text }

  /// Parses the origin from the caller's `origin` option; `nil` if it is not a web origin.
  ///
  /// A complete URL is accepted; its path, which may contain a secret, is dropped. An origin with an invalid host or port is
  /// ``opaque``.
  public init?(_ text: String) {
    // As browsers parse a URL: without tabs and line ends, and without spaces and control characters around it.
    let scalars = text.unicodeScalars.filter { !"\t\n\r".unicodeScalars.contains($0) }
    let trimmed = scalars.drop { $0.value <= 0x20 }.reversed().drop { $0.value <= 0x20 }.reversed()
    let text = String(String.UnicodeScalarView(trimmed)).lowercased()
    guard text != "null" else {
      self = .opaque
      return
    }
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
    guard !host.isEmpty, let port = Self.port(hostAndPort[host.endIndex...].dropFirst(), of: scheme),
      let origin = try? HostName.mappingHost(of: "\(scheme)://\(String(host))\(port)"),
      (try? URLAuthority(origin))?.text == origin
    else {
      self = .opaque
      return
    }
    self.text = origin
  }

  /// Returns the port with its colon, empty for the default port of the scheme; `nil` for an invalid port.
  private static func port(_ digits: Substring.UnicodeScalarView, of scheme: String) -> String? {
    guard !digits.isEmpty else { return "" }
    guard digits.allSatisfy({ ("0"..."9").contains($0) }), let number = UInt16(String(digits)) else {
      return nil
    }
    return number == (scheme == "http" ? 80 : 443) ? "" : ":\(number)"
  }

  /// The serialized origin.
  public var description: String { text }
}
