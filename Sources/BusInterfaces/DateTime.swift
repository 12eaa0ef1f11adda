// SPDX-License-Identifier: Apache-2.0
/// A date and time as text in the format of RFC 3339, "date-time": `2026-11-21T14:00:00Z`.
///
/// The original text is preserved, with fraction and offset.
public struct DateTime: Hashable, Sendable, CustomStringConvertible {
  /// The text.
  public let text: String

  /// Parses a date and time; `nil` if `text` is not a date-time of RFC 3339.
  ///
  /// The day must exist in its month. Second 60 is accepted, because the RFC allows leap seconds.
  public init?(_ text: String) {
    guard DateTime.isValid(Array(text.utf8)) else { return nil }
    self.text = text
  }

  /// The text.
  public var description: String { text }

  private static func isValid(_ bytes: [UInt8]) -> Bool {
    var reader = DigitReader(bytes: bytes)
    guard let year = reader.number(digits: 4), reader.skip("-"),
      let month = reader.number(digits: 2), (1...12).contains(month), reader.skip("-"),
      let day = reader.number(digits: 2), day >= 1, day <= days(in: month, of: year),
      reader.skip("T", "t"),
      let hour = reader.number(digits: 2), hour <= 23, reader.skip(":"),
      let minute = reader.number(digits: 2), minute <= 59, reader.skip(":"),
      let second = reader.number(digits: 2), second <= 60
    else { return false }
    if reader.skip(".") {
      guard reader.number(digits: 1) != nil else { return false }
      while reader.number(digits: 1) != nil {}
    }
    if reader.skip("Z", "z") { return reader.isAtEnd }
    guard reader.skip("+", "-"), let hours = reader.number(digits: 2), hours <= 23, reader.skip(":"),
      let minutes = reader.number(digits: 2), minutes <= 59
    else { return false }
    return reader.isAtEnd
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

private struct DigitReader {
  let bytes: [UInt8]
  var position = 0
  var isAtEnd: Bool { position == bytes.count }

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func number(digits: Int) -> Int? {
    guard position + digits <= bytes.count else { return nil }
    var number = 0
    for byte in bytes[position..<position + digits] {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    position += digits
    return number
  }

  mutating func skip(_ characters: Unicode.Scalar...) -> Bool {
    guard !isAtEnd, characters.contains(Unicode.Scalar(bytes[position])) else { return false }
    position += 1
    return true
  }
}
