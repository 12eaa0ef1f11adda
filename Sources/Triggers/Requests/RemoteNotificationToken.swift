// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import DBus

/// The token of a registration: the endpoint and the keys with which the application's server sends push messages.
///
/// It is the `token` of `org.usher.Triggers1.RegisterForRemoteNotifications`.
public struct RemoteNotificationToken: Hashable, Sendable {
  /// `endpoint` s: the URL to which the server sends its messages.
  public var endpoint: String
  /// `public-key` ay: the public key, an uncompressed point of P-256 (65 bytes).
  public var publicKey: [UInt8]
  /// `auth` ay: the authentication secret (16 bytes).
  public var authenticationSecret: [UInt8]

  /// Creates a token.
  public init(endpoint: String, publicKey: [UInt8], authenticationSecret: [UInt8]) {
    self.endpoint = endpoint
    self.publicKey = publicKey
    self.authenticationSecret = authenticationSecret
  }

  /// Reads the `a{sv}` of the bus.
  /// - Throws: ``MessageError`` with the key.
  public init(_ entries: [String: Variant]) throws(MessageError) {
    guard let endpoint = entries["endpoint"]?.string else { throw MessageError(.missing, at: "endpoint") }
    guard case .bytes(let publicKey)? = entries["public-key"] else {
      throw MessageError(.missing, at: "public-key")
    }
    guard case .bytes(let secret)? = entries["auth"] else { throw MessageError(.missing, at: "auth") }
    self.init(endpoint: endpoint, publicKey: publicKey, authenticationSecret: secret)
  }

  /// The `a{sv}` on the bus.
  public var entries: [String: Variant] {
    [
      "endpoint": .string(endpoint), "public-key": .bytes(publicKey), "auth": .bytes(authenticationSecret),
    ]
  }

  /// The token as the JSON of a `PushSubscription` (W3C Push API), which libraries for servers read:
  /// `{"endpoint":…,"keys":{"auth":…,"p256dh":…}}`, with the keys in base64url.
  public var json: String {
    PropertyList.dictionary([
      "endpoint": .string(endpoint),
      "keys": [
        "auth": .string(Self.base64URL(authenticationSecret)), "p256dh": .string(Self.base64URL(publicKey)),
      ],
    ]).json
  }

  /// Returns bytes in base64url without padding (RFC 4648, section 5).
  public static func base64URL(_ bytes: [UInt8]) -> String {
    Base64.encode(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
