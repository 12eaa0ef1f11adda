// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import WebPush

/// Messages of RFC 8291, and messages of python3-cryptography, which is another implementation.
@Suite struct `A push message` {
  /// The example of RFC 8291, section 5 and appendix A.
  private static let example = bytes(
    """
    DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95b\
    Qpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
    """)
  private static let keys = try? PushKeys(
    privateKey: bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"),
    publicKey: bytes(
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
    authenticationSecret: bytes("BTBZMqHH6r4Tts7J_aSIgg"))
  private static let text = "When I grow up, I want to be a watermelon"

  private static func bytes(_ text: String) -> [UInt8] {
    let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    return [UInt8](
      Data(base64Encoded: padded.replacing("-", with: "+").replacing("_", with: "/")) ?? Data())
  }

  private static func text(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
      "=", with: "")
  }

  /// Returns the error with which `message` is rejected.
  private static func error(_ message: [UInt8]) throws -> WebPushError? {
    let keys = try #require(keys)
    do throws(WebPushError) {
      _ = try keys.decrypt(message)
      return nil
    } catch { return error }
  }

  @Test func `of RFC 8291, appendix A, is decrypted`() throws {
    let keys = try #require(Self.keys)
    #expect(String(decoding: try keys.decrypt(Self.example), as: UTF8.self) == Self.text)
  }

  @Test func `is rejected at every length, and with every changed byte`() throws {
    for length in 0..<Self.example.count {
      let error = try Self.error(Array(Self.example.prefix(length)))
      #expect(length <= 102 ? error == .truncated(bytes: length) : error == .notAuthentic, "\(length)")
    }
    for index in Self.example.indices where !(16..<20).contains(index) {
      var changed = Self.example
      changed[index] ^= 0x80
      let error = try Self.error(changed)
      #expect([.notAuthentic, .senderKey].contains(error), "\(index): \(String(describing: error))")
    }
  }

  @Test func `with an impossible record size, another kind of key or too many bytes is rejected`() throws {
    func changed(_ change: (inout [UInt8]) -> Void) throws -> WebPushError? {
      var message = Self.example
      change(&message)
      return try Self.error(message)
    }
    #expect(try changed { $0.replaceSubrange(16..<20, with: [0, 0, 0, 17]) } == .recordSize(17))
    #expect(try changed { $0.replaceSubrange(16..<20, with: [0, 0, 0, 18]) } == .multipleRecords)
    // A large record size needs no memory, and does not change the keys.
    #expect(try changed { $0.replaceSubrange(16..<20, with: [255, 255, 255, 255]) } == nil)
    #expect(try changed { $0[20] = 0 } == .senderKey)
    #expect(try changed { $0[20] = 255 } == .senderKey)
    #expect(try changed { $0.replaceSubrange(21..<86, with: [UInt8](repeating: 0, count: 65)) } == .senderKey)
    #expect(
      try changed { $0.replaceSubrange(22..<86, with: [UInt8](repeating: 255, count: 64)) } == .senderKey)
    #expect(
      try Self.error([UInt8](repeating: 7, count: 4_097)) == .tooLarge(bytes: 4_097, limit: 4_096))
    #expect(try Self.error([UInt8](repeating: 7, count: 4_096)) != nil)
  }

  @Test func `needs both keys and the secret of its registration`() throws {
    let keys = try #require(Self.keys)
    let other = try PushKeys.generate()
    #expect(throws: WebPushError.notAuthentic) { try other.decrypt(Self.example) }
    let mixed = [
      try PushKeys(
        privateKey: keys.privateKey, publicKey: keys.publicKey,
        authenticationSecret: other.authenticationSecret),
      try PushKeys(
        privateKey: other.privateKey, publicKey: keys.publicKey,
        authenticationSecret: keys.authenticationSecret),
    ]
    for keys in mixed { #expect(throws: WebPushError.self) { try keys.decrypt(Self.example) } }
    #expect(throws: WebPushError.keys) {
      try PushKeys(privateKey: [], publicKey: keys.publicKey, authenticationSecret: [])
    }
    let zeros = try PushKeys(
      privateKey: [UInt8](repeating: 0, count: 32), publicKey: [UInt8](repeating: 0, count: 65),
      authenticationSecret: keys.authenticationSecret)
    #expect(throws: WebPushError.keys) { try zeros.decrypt(Self.example) }
  }

  /// Encrypts as RFC 8291 describes; argv: public key, secret, then a text, and its number of records or a delimiter.
  private static let sender = """
    import base64, os, sys
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF
    decode = lambda text: base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    derive = lambda salt, key, info, length: HKDF(hashes.SHA256(), length, salt, info).derive(key)
    public, secret = decode(sys.argv[1]), decode(sys.argv[2])
    peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public)
    for line in sys.stdin:
      text, padding, records = line.rstrip("\\n").split("\\t")
      own = ec.generate_private_key(ec.SECP256R1())
      point = own.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
      input = derive(secret, own.exchange(ec.ECDH(), peer), b"WebPush: info\\0" + public + point, 32)
      salt = os.urandom(16)
      key = derive(salt, input, b"Content-Encoding: aes128gcm\\0", 16)
      nonce = int.from_bytes(derive(salt, input, b"Content-Encoding: nonce\\0", 12), "big")
      plain = text.encode() + bytes.fromhex(padding)
      sealed = [AESGCM(key).encrypt((nonce ^ i).to_bytes(12, "big"), plain, None) for i in range(int(records))]
      size = len(plain) + 16 if int(records) > 1 else 4096
      print(base64.urlsafe_b64encode(salt + size.to_bytes(4, "big") + bytes([65]) + point + b"".join(sealed)).decode().rstrip("="))
    """

  @Test func `of another implementation is decrypted, with any padding`() async throws {
    let keys = try PushKeys.generate()
    #expect(keys.privateKey.count == 32 && keys.publicKey.count == 65 && keys.publicKey.first == 4)
    let rejected: [(text: String, padding: String, records: Int, error: WebPushError)] = [
      ("t", "01", 1, .multipleRecords), ("t", "0100", 1, .multipleRecords), ("t", "03", 1, .padding),
      ("", "0000", 1, .padding), ("t", "02", 2, .multipleRecords),
    ]
    let accepted = ["02", "0200", "02" + String(repeating: "00", count: 500)]
    let texts = ["", "a", "{\"aps\":{\"alert\":\"Grüße\"}}", String(repeating: "x", count: 3_000)]
    var lines: [String] = []
    for text in texts { for padding in accepted { lines.append("\(text)\t\(padding)\t1") } }
    for (text, padding, records, _) in rejected { lines.append("\(text)\t\(padding)\t\(records)") }
    let result = try await Command.run(
      "/usr/bin/python3",
      ["-c", Self.sender, Self.text(keys.publicKey), Self.text(keys.authenticationSecret)],
      input: lines.joined(separator: "\n") + "\n"
    ).orThrow()
    var messages = result.output.split(separator: "\n").map { Self.bytes(String($0)) }
    #expect(messages.count == lines.count)
    for text in texts {
      for _ in accepted {
        #expect(String(decoding: try keys.decrypt(messages.removeFirst()), as: UTF8.self) == text)
      }
    }
    for (_, padding, records, error) in rejected {
      #expect(throws: error, "\(padding) \(records)") { try keys.decrypt(messages.removeFirst()) }
    }
  }

  @Test func `with random bytes in any part is rejected, and nothing traps`() throws {
    var generator = SeededGenerator(seed: 8_291)
    for _ in 0..<2_000 {
      var message = Self.example
      for _ in 0...Int.random(in: 0..<8, using: &generator) {
        let index = Int.random(in: 0..<message.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: message[index] = UInt8.random(in: .min ... .max, using: &generator)
        case 1: message.remove(at: index)
        default: message.insert(0, at: index)
        }
      }
      guard message != Self.example else { continue }
      if try Self.error(message) == nil {
        // Only the record size can change without an effect.
        #expect(message[..<16] == Self.example[..<16] && message[20...] == Self.example[20...])
      }
    }
  }
}
