// SPDX-License-Identifier: Apache-2.0
import CCrypto

/// A key of the curve P-256 in libcrypto, private or public.
struct ECKey: ~Copyable {
  private static let curve = "prime256v1"
  private let key: OpaquePointer

  private init(owning key: OpaquePointer) { self.key = key }

  deinit { EVP_PKEY_free(key) }

  static func generate() throws(WebPushError) -> ECKey {
    guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { throw .ofLibrary("key context") }
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, curve) == 1,
      EVP_PKEY_generate(context, &key) == 1, let key
    else { throw .ofLibrary("key generation") }
    return ECKey(owning: key)
  }

  /// Creates a public key from an uncompressed point, or a pair from it and the private number.
  ///
  /// - Returns: `nil` if the bytes are not a key of the curve.
  init?(publicKey: [UInt8], privateKey: [UInt8]? = nil) {
    guard publicKey.count == PushKeys.publicLength, publicKey.first == 4 else { return nil }
    // A failure leaves entries in the error queue of the thread.
    defer { ERR_clear_error() }
    guard let parameters = Self.parameters(publicKey: publicKey, privateKey: privateKey) else { return nil }
    defer { OSSL_PARAM_free(parameters) }
    guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
    defer { EVP_PKEY_CTX_free(context) }
    let selection = privateKey == nil ? usher_selection_of_public_key : usher_selection_of_pair
    var key: OpaquePointer?
    guard EVP_PKEY_fromdata_init(context) == 1,
      EVP_PKEY_fromdata(context, &key, selection, parameters) == 1, let key
    else { return nil }
    self.key = key
  }

  /// Returns the parameters of a key, which the caller frees.
  private static func parameters(publicKey: [UInt8], privateKey: [UInt8]?) -> UnsafeMutablePointer<
    OSSL_PARAM
  >? {
    guard let builder = OSSL_PARAM_BLD_new() else { return nil }
    defer { OSSL_PARAM_BLD_free(builder) }
    let number = privateKey.flatMap { BN_bin2bn($0, Int32($0.count), nil) }
    defer { BN_clear_free(number) }
    guard (privateKey == nil) == (number == nil) else { return nil }
    // The builder refers to the texts and bytes until it makes the parameters.
    return curve.withCString { curve in
      publicKey.withUnsafeBytes { point in
        guard OSSL_PARAM_BLD_push_utf8_string(builder, usher_parameter_of_group, curve, 0) == 1,
          OSSL_PARAM_BLD_push_octet_string(
            builder, usher_parameter_of_public_key, point.baseAddress, point.count) == 1,
          number == nil || OSSL_PARAM_BLD_push_BN(builder, usher_parameter_of_private_key, number) == 1
        else { return nil }
        return OSSL_PARAM_BLD_to_param(builder)
      }
    }
  }

  /// Returns the private number as 32 bytes.
  func privateBytes() throws(WebPushError) -> [UInt8] {
    var number: OpaquePointer?
    guard EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1 else {
      throw .ofLibrary("private key")
    }
    defer { BN_clear_free(number) }
    var bytes = [UInt8](repeating: 0, count: PushKeys.privateLength)
    guard BN_bn2binpad(number, &bytes, Int32(bytes.count)) == Int32(bytes.count) else {
      throw .ofLibrary("private key")
    }
    return bytes
  }

  /// Returns the public point as 65 bytes.
  func publicBytes() throws(WebPushError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: PushKeys.publicLength)
    var length = 0
    guard
      EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, &bytes, bytes.count, &length) == 1,
      length == bytes.count, bytes.first == 4
    else { throw .ofLibrary("public key") }
    return bytes
  }

  /// Returns the secret that both owners of private keys compute (ECDH): 32 bytes.
  func sharedSecret(with peer: borrowing ECKey) throws(WebPushError) -> [UInt8] {
    guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { throw .ofLibrary("key agreement") }
    defer { EVP_PKEY_CTX_free(context) }
    var secret = [UInt8](repeating: 0, count: 32)
    var length = secret.count
    guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, peer.key) == 1,
      EVP_PKEY_derive(context, &secret, &length) == 1, length == secret.count
    else { throw .ofLibrary("key agreement") }
    return secret
  }
}

extension WebPushError {
  /// Returns the last error of libcrypto on this thread, and clears its error queue.
  static func ofLibrary(_ operation: String) -> WebPushError {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    guard code != 0, let text = ERR_reason_error_string(code) else { return .library("\(operation) failed") }
    return .library("\(operation) failed: \(String(cString: text))")
  }
}
