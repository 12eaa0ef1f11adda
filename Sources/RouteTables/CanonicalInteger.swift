// SPDX-License-Identifier: Apache-2.0
/// A parser for canonical decimal integers that consumes one byte at a time.
struct CanonicalInteger {
  private var magnitude: UInt64 = 0
  private var digits = 0
  private var isNegative = false
  private var isValid = true

  /// Appends the next byte of the text.
  mutating func append(_ byte: UInt8) {
    if byte == UInt8(ascii: "-"), digits == 0, !isNegative {
      isNegative = true
      return
    }
    guard isValid, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), digits == 0 || magnitude > 0 else {
      isValid = false
      return
    }
    digits += 1
    let (product, overflowed) = magnitude.multipliedReportingOverflow(by: 10)
    let (sum, carried) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
    magnitude = sum
    isValid = !overflowed && !carried
  }

  /// The value as a signed 64-bit integer; `nil` if the text is not a canonical `int`.
  var signed: Int64? {
    guard isValid, digits > 0 else { return nil }
    guard isNegative else { return Int64(exactly: magnitude) }
    guard magnitude > 0, magnitude <= Int64.min.magnitude else { return nil }
    return Int64(truncatingIfNeeded: 0 &- magnitude)
  }

  /// The value as an unsigned 64-bit integer; `nil` if the text is not a canonical `uint`.
  var unsigned: UInt64? { isValid && digits > 0 && !isNegative ? magnitude : nil }
}
