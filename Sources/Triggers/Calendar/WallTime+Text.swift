// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces

extension WallTime {
  /// Returns the time that a date and time of RFC 3339 means; `nil` before 1970.
  ///
  /// A leap second is the second after it.
  public init?(_ date: DateTime) {
    let text = Array(date.text.utf8)
    func number(_ range: Range<Int>) -> Int64 { text[range].reduce(0) { $0 * 10 + Int64($1) - 48 } }
    let day = CivilDate(year: Int(number(0..<4)), month: Int(number(5..<7)), day: Int(number(8..<10)))
    var seconds =
      Int64(day.number) * 86_400 + number(11..<13) * 3_600 + number(14..<16) * 60 + number(17..<19)
    var (index, fraction, digits) = (19, Int64(0), 0)
    if text[index] == UInt8(ascii: ".") {
      index += 1
      while (48...57).contains(text[index]) {
        if digits < 3 { fraction = fraction * 10 + Int64(text[index]) - 48 }
        digits += 1
        index += 1
      }
    }
    while digits < 3 {
      fraction *= 10
      digits += 1
    }
    if text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") {
      let offset = number((index + 1)..<(index + 3)) * 3_600 + number((index + 4)..<(index + 6)) * 60
      seconds += text[index] == UInt8(ascii: "-") ? offset : -offset
    }
    guard seconds >= 0 else { return nil }
    self.init(milliseconds: seconds * 1_000 + fraction)
  }
}
