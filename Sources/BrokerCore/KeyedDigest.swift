// SPDX-License-Identifier: Apache-2.0
/// A SipHash-2-4 digest of 128 bits.
///
/// It is equal for equal key and bytes in every process. Without the key it can be neither predicted nor chosen. See
/// Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012), and its 128-bit variant.
public struct KeyedDigest: Sendable {
  private var lanes: (UInt64, UInt64, UInt64, UInt64)
  private var tail: UInt64 = 0
  private var count: UInt64 = 0

  /// Creates a digest without input.
  ///
  /// - Parameter key: 16 bytes; missing bytes count as zero.
  public init(key: [UInt8]) {
    let padded = key + [UInt8](repeating: 0, count: 16)
    let low = Self.word(padded[0..<8])
    let high = Self.word(padded[8..<16])
    lanes = (
      low ^ 0x736f_6d65_7073_6575, high ^ 0x646f_7261_6e64_6f6d ^ 0xee, low ^ 0x6c79_6765_6e65_7261,
      high ^ 0x7465_6462_7974_6573
    )
  }

  /// Adds bytes.
  public mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { add($0) } }

  private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes {
      tail |= UInt64(byte) << ((count & 7) * 8)
      count += 1
      guard count & 7 == 0 else { continue }
      compress(tail)
      tail = 0
    }
  }

  /// Adds a text with its length in front, so that two adjacent texts cannot be confused.
  public mutating func add(text: String) {
    var text = text
    text.withUTF8 { bytes in
      add(Self.bytes(of: UInt64(bytes.count)))
      add(bytes)
    }
  }

  /// Returns the digest of 16 bytes.
  public func finish() -> [UInt8] {
    var copy = self
    copy.compress(tail | count << 56)
    copy.lanes.2 ^= 0xee
    for _ in 0..<4 { copy.round() }
    let first = copy.lanes.0 ^ copy.lanes.1 ^ copy.lanes.2 ^ copy.lanes.3
    copy.lanes.1 ^= 0xdd
    for _ in 0..<4 { copy.round() }
    let second = copy.lanes.0 ^ copy.lanes.1 ^ copy.lanes.2 ^ copy.lanes.3
    return Self.bytes(of: first) + Self.bytes(of: second)
  }

  /// Returns the digest as 32 hexadecimal digits.
  public func hexadecimal() -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = finish().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func compress(_ word: UInt64) {
    lanes.3 ^= word
    round()
    round()
    lanes.0 ^= word
  }

  private mutating func round() {
    func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 { value << bits | value >> (64 - bits) }
    var (a, b, c, d) = lanes
    a = a &+ b
    b = rotated(b, 13) ^ a
    a = rotated(a, 32)
    c = c &+ d
    d = rotated(d, 16) ^ c
    a = a &+ d
    d = rotated(d, 21) ^ a
    c = c &+ b
    b = rotated(b, 17) ^ c
    c = rotated(c, 32)
    lanes = (a, b, c, d)
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func bytes(of word: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
  }
}
