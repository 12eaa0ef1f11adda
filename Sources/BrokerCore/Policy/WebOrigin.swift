// SPDX-License-Identifier: Apache-2.0
import HostNames

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
  /// A complete URL is accepted; its path, which may contain a secret, is dropped.
  public init?(_ text: String) {
    let text = text.lowercased()
    guard text != "null" else {
      self = .opaque
      return
    }
    guard let scheme = ["http", "https"].first(where: { text.hasPrefix("\($0):") }) else { return nil }
    let rest = text.unicodeScalars.dropFirst(scheme.utf8.count + 1).drop { $0 == "/" || $0 == "\\" }
    let authority = rest.prefix { !"/?#\\".unicodeScalars.contains($0) }
    var host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    let port = scheme == "http" ? ":80" : ":443"
    if String(host).hasSuffix(port) { host = host.dropLast(port.utf8.count) }
    // A host that is missing or has no ASCII form identifies no page.
    guard !host.isEmpty, let origin = try? HostName.mappingHost(of: "\(scheme)://\(String(host))") else {
      self = .opaque
      return
    }
    self.text = origin
  }

  /// The serialized origin.
  public var description: String { text }
}
