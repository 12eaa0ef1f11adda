// SPDX-License-Identifier: Apache-2.0
/// The rules for request IDs.
///
/// An ID is scoped to the verified caller: two requests of one caller with one ID are one request.
public enum RequestID {
  /// The rule as a sentence part.
  public static let rule = "1 to 128 letters, digits and . _ : - (ASCII), the first a letter or a digit"

  /// Returns whether `text` follows ``rule``, so that it is safe in file names, variables and logs.
  public static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 128, isAlphanumeric(first) else { return false }
    return text.utf8.allSatisfy { isAlphanumeric($0) || "._:-".utf8.contains($0) }
  }

  /// Returns a new random ID, so that a caller cannot guess that of another one.
  public static func random() -> String {
    String(unsafeUninitializedCapacity: 32) { text in
      for start in [0, 16] {
        var half = UInt64.random(in: .min ... .max)
        for place in start..<start + 16 {
          text[place] = digits[Int(half >> 60)]
          half <<= 4
        }
      }
      return 32
    }
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
