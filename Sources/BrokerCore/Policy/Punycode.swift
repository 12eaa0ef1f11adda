// SPDX-License-Identifier: Apache-2.0
/// The ASCII form of host names, `xn--…` (RFC 3492), which makes lookalike letters visible.
enum Punycode {
  /// Returns the label in ASCII; an ASCII label is unchanged.
  ///
  /// The result is for display and not for lookups, because the label is not normalized.
  static func ascii(_ label: some StringProtocol) -> String {
    label.utf8.allSatisfy { $0 < 0x80 } ? String(label) : "xn--" + encode(label.unicodeScalars.map(\.value))
  }

  /// Encodes code points (RFC 3492, section 6.3).
  private static func encode(_ points: [UInt32]) -> String {
    var output = points.filter { $0 < 0x80 }.map { UInt8($0) }
    var handled = UInt32(output.count)
    let basic = handled
    if basic > 0 { output.append(UInt8(ascii: "-")) }
    var (next, delta, bias): (UInt32, UInt32, UInt32) = (128, 0, 72)
    while handled < points.count {
      guard let least = points.filter({ $0 >= next }).min() else { break }
      delta &+= (least - next) &* (handled + 1)
      next = least
      for point in points {
        if point < next { delta &+= 1 }
        guard point == next else { continue }
        output += digits(of: delta, bias)
        bias = adapted(delta, handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta &+= 1
      next += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func digits(of delta: UInt32, _ bias: UInt32) -> [UInt8] {
    var output: [UInt8] = []
    var rest = delta
    var position: UInt32 = 36
    while true {
      let threshold = position <= bias ? 1 : min(position - bias, 26)
      guard rest >= threshold else { break }
      output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
      rest = (rest - threshold) / (36 - threshold)
      position += 36
    }
    return output + [digit(rest)]
  }

  private static func digit(_ value: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: value < 26 ? value + 0x61 : value - 26 + 0x30)
  }

  /// Adapts the bias (RFC 3492, section 6.1).
  private static func adapted(_ delta: UInt32, _ count: UInt32, isFirst: Bool) -> UInt32 {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var steps: UInt32 = 0
    while delta > 455 {
      delta /= 35
      steps += 36
    }
    return steps + 36 * delta / (delta + 38)
  }
}
