// SPDX-License-Identifier: Apache-2.0
import CCrypto

extension PushKeys {
  /// The maximum length of an encrypted message in bytes, which UnifiedPush states.
  public static let maximumMessage = 4_096

  /// Returns the content of a push message: RFC 8291 with the content coding `aes128gcm` of RFC 8188.
  public func decrypt(_ message: [UInt8]) throws(WebPushError) -> [UInt8] {
    guard message.count <= Self.maximumMessage else {
      throw .tooLarge(bytes: message.count, limit: Self.maximumMessage)
    }
    let message = try EncryptedMessage(message)
    guard let sender = ECKey(publicKey: message.senderKey) else { throw .senderKey }
    guard let own = ECKey(publicKey: publicKey, privateKey: privateKey) else { throw .keys }
    let shared = try own.sharedSecret(with: sender)

    // RFC 8291, section 3.4: each key is derived in one step of HKDF, because none is longer than a hash.
    let pseudorandom = try authenticationCode(of: shared, key: authenticationSecret)
    let information = Array("WebPush: info".utf8) + [0] + publicKey + message.senderKey
    let input = try authenticationCode(of: information + [1], key: pseudorandom)
    let derivation = try authenticationCode(of: input, key: message.salt)
    let key = try authenticationCode(of: Self.label("aes128gcm"), key: derivation).prefix(16)
    let nonce = try authenticationCode(of: Self.label("nonce"), key: derivation).prefix(12)

    let record = try opened(message.record, key: Array(key), nonce: Array(nonce))
    // The delimiter 2 marks the last record, and zeros follow it.
    guard let end = record.lastIndex(where: { $0 != 0 }) else { throw .padding }
    switch record[end] {
    case 2: return Array(record[..<end])
    case 1: throw .multipleRecords
    default: throw .padding
    }
  }

  private static func label(_ name: String) -> [UInt8] {
    Array("Content-Encoding: \(name)".utf8) + [0, 1]
  }

  /// Returns HMAC-SHA-256: 32 bytes.
  private func authenticationCode(of data: [UInt8], key: [UInt8]) throws(WebPushError) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 0
    guard HMAC(EVP_sha256(), key, Int32(key.count), data, data.count, &code, &length) != nil, length == 32
    else { throw .ofLibrary("HMAC") }
    return code
  }

  /// Returns the content of a record: AES-128-GCM with the tag in the last 16 bytes.
  private func opened(_ record: ArraySlice<UInt8>, key: [UInt8], nonce: [UInt8]) throws(WebPushError)
    -> [UInt8]
  {
    let text = Array(record.dropLast(EncryptedMessage.tagLength))
    var tag = Array(record.suffix(EncryptedMessage.tagLength))
    guard let context = EVP_CIPHER_CTX_new() else { throw .ofLibrary("cipher context") }
    defer { EVP_CIPHER_CTX_free(context) }
    var content = [UInt8](repeating: 0, count: text.count + 16)
    var (length, rest): (Int32, Int32) = (0, 0)
    // The default length of a nonce is 12 bytes.
    guard EVP_DecryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce) == 1,
      EVP_DecryptUpdate(context, &content, &length, text, Int32(text.count)) == 1,
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
    else { throw .ofLibrary("decryption") }
    guard
      content.withUnsafeMutableBufferPointer({ buffer in
        EVP_DecryptFinal_ex(context, buffer.baseAddress.map { $0 + Int(length) }, &rest)
      }) == 1
    else {
      ERR_clear_error()
      throw .notAuthentic
    }
    return Array(content.prefix(Int(length + rest)))
  }
}

/// The parts of a message with the content coding `aes128gcm` (RFC 8188, section 2.1) and one record.
struct EncryptedMessage {
  static let tagLength = 16
  /// The length of the salt, of the record size and of the length of the key.
  private static let fixedLength = 21

  let salt: [UInt8]
  let senderKey: [UInt8]
  let record: ArraySlice<UInt8>

  init(_ message: [UInt8]) throws(WebPushError) {
    guard message.count > Self.fixedLength else { throw .truncated(bytes: message.count) }
    salt = Array(message[..<16])
    let recordSize = message[16..<20].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    guard recordSize >= 18 else { throw .recordSize(recordSize) }
    guard Int(message[20]) == PushKeys.publicLength else { throw .senderKey }
    let start = Self.fixedLength + PushKeys.publicLength
    // A record has at least the delimiter and the tag.
    guard message.count > start + Self.tagLength else { throw .truncated(bytes: message.count) }
    senderKey = Array(message[Self.fixedLength..<start])
    record = message[start...]
    guard record.count <= Int(recordSize) else { throw .multipleRecords }
  }
}
