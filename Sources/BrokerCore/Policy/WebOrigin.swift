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
    guard let origin = HostName.origin(of: text) else { return nil }
    self = (try? URLAuthority(origin))?.text == origin ? WebOrigin(known: origin) : .opaque
  }

  /// Returns the origin that a caller states in the form that routes compare; any other text is returned unchanged.
  public static func compared(_ stated: String) -> String { WebOrigin(stated)?.text ?? stated }

  /// The serialized origin.
  public var description: String { text }
}
