// SPDX-License-Identifier: Apache-2.0
/// A UTF-8 validator that consumes one byte at a time.
///
/// Unicode Standard, table 3-7.
struct UTF8Check {
  private var pending = 0
  private var lowest: UInt8 = 0x80
  private var highest: UInt8 = 0xBF

  /// Indicates whether the bytes so far end with a complete scalar.
  var isComplete: Bool { pending == 0 }

  /// Consumes the next byte; returns `false` if it is invalid after the previous bytes.
  mutating func accept(_ byte: UInt8) -> Bool {
    if pending > 0 {
      guard byte >= lowest, byte <= highest else { return false }
      pending -= 1
      (lowest, highest) = (0x80, 0xBF)
      return true
    }
    switch byte {
    case 0x00...0x7F: return true
    case 0xC2...0xDF: pending = 1
    case 0xE0: (pending, lowest) = (2, 0xA0)
    case 0xED: (pending, highest) = (2, 0x9F)
    case 0xE1...0xEF: pending = 2
    case 0xF0: (pending, lowest) = (3, 0x90)
    case 0xF4: (pending, highest) = (3, 0x8F)
    case 0xF1...0xF3: pending = 3
    default: return false
    }
    return true
  }
}
