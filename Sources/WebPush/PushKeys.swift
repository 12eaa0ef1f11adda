// SPDX-License-Identifier: Apache-2.0
import CCrypto

/// The keys of one registration, with which a server encrypts push messages (RFC 8291) and the receiver decrypts them.
///
/// ```swift
/// let keys = try PushKeys.generate()
/// // The server receives keys.publicKey and keys.authenticationSecret.
/// let text = try keys.decrypt(message)
/// ```
public struct PushKeys: Hashable, Sendable {
  /// The private key: a number of 32 bytes, the most significant first.
  public let privateKey: [UInt8]
  /// The public key: an uncompressed point of P-256, 65 bytes.
  public let publicKey: [UInt8]
  /// The authentication secret: 16 bytes.
  public let authenticationSecret: [UInt8]

  /// Creates keys from their stored bytes.
  ///
  /// - Throws: ``WebPushError/keys`` for wrong lengths. A pair that does not belong together fails when it is used.
  public init(
    privateKey: [UInt8], publicKey: [UInt8], authenticationSecret: [UInt8]
  ) throws(WebPushError) {
    guard privateKey.count == Self.privateLength, publicKey.count == Self.publicLength,
      authenticationSecret.count == Self.secretLength
    else { throw .keys }
    self.privateKey = privateKey
    self.publicKey = publicKey
    self.authenticationSecret = authenticationSecret
  }

  /// Returns new random keys.
  ///
  /// - Throws: ``WebPushError/library(_:)``.
  public static func generate() throws(WebPushError) -> PushKeys {
    let pair = try ECKey.generate()
    var secret = [UInt8](repeating: 0, count: secretLength)
    guard RAND_bytes(&secret, Int32(secretLength)) == 1 else { throw .ofLibrary("random bytes") }
    return try PushKeys(
      privateKey: try pair.privateBytes(), publicKey: try pair.publicBytes(), authenticationSecret: secret)
  }

  static let privateLength = 32
  static let publicLength = 65
  private static let secretLength = 16
}
