// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// A recognizer for the canonical texts of IPv6 addresses in brackets, which consumes one character at a time.
///
/// A canonical text has lower-case hexadecimal digits, no leading zeros, and `::` for the first of the longest runs of two or
/// more zero groups.
///
/// RFC 5952, section 4, without embedded dotted decimal, as the URL Standard serializes addresses. `HostAddress.isLiteral` makes
/// the same decision for a complete text.
private struct CanonicalIPv6: Hashable {
  private enum Place: Hashable {
    case start
    case bracket
    /// After a colon that precedes all groups.
    case firstColon
    case zero
    case digits(Int)
    case colon
    case gap
    case end
  }

  private var place = Place.start
  /// The number of completed groups.
  private var groups = 0
  /// The number of zero groups directly before this position, not counting those before the gap.
  private var zeros = 0
  private var hasGap = false
  /// The minimum number of groups that the gap replaces, or would replace if it has not occurred yet.
  private var least = 2

  /// The sets of characters with different transitions: `0`, the other hexadecimal digits, `:`, `[` and `]`.
  static let sets: [ClosedRange<UInt32>] = [
    0x30...0x30, 0x31...0x39, 0x61...0x66, 0x3A...0x3A, 0x5B...0x5B, 0x5D...0x5D,
  ]
  static let symbols: [Symbol] = [.zero, .digit, .digit, .colon, .open, .close]

  enum Symbol {
    case zero
    case digit
    case colon
    case open
    case close
  }

  var isEnd: Bool { place == .end }

  /// Returns the state after one more character; `nil` if no canonical text has this prefix.
  func after(_ symbol: Symbol) -> CanonicalIPv6? {
    var next = self
    switch (place, symbol) {
    case (.start, .open): next.place = .bracket
    case (.bracket, .colon): next.place = .firstColon
    case (.firstColon, .colon): return next.openGap()
    // `.gap` does not accept `0`, because a zero group next to the gap would be part of it.
    case (.bracket, .zero), (.colon, .zero): next.place = .zero
    case (.bracket, .digit), (.colon, .digit), (.gap, .digit): next.place = .digits(1)
    case (.digits(let count), .zero), (.digits(let count), .digit):
      guard count < 4 else { return nil }
      next.place = .digits(count + 1)
    case (.zero, .colon), (.digits, .colon):
      guard next.endGroup() else { return nil }
      next.place = .colon
    case (.colon, .colon): return zeros == 0 ? next.openGap() : nil
    case (.zero, .close), (.digits, .close):
      guard next.endGroup() else { return nil }
      return next.close()
    case (.gap, .close): return next.close()
    default: return nil
    }
    return next
  }

  private mutating func endGroup() -> Bool {
    groups += 1
    zeros = place == .zero ? zeros + 1 : 0
    // A run before the gap must be shorter than the gap, because the first of the longest runs is replaced. A run after it may
    // be as long.
    least = max(least, hasGap ? zeros : zeros + 1)
    return groups <= (hasGap ? 8 - least : 8)
  }

  private func openGap() -> CanonicalIPv6? {
    guard !hasGap, groups + least <= 8 else { return nil }
    var next = self
    (next.place, next.hasGap, next.zeros) = (.gap, true, 0)
    return next
  }

  private func close() -> CanonicalIPv6? {
    // Without a gap, `least` must still be 2, because a larger value means a run of two or more zero groups, which `::` would
    // have to replace.
    guard hasGap ? groups + least <= 8 : groups == 8 && least == 2 else { return nil }
    var next = CanonicalIPv6()
    next.place = .end
    return next
  }
}

extension RegularLanguage {
  /// The language of all IPv6 addresses in brackets in canonical form.
  static let canonicalIPv6: RegularLanguage = {
    let count = CanonicalIPv6.sets.count + 1
    var states = [CanonicalIPv6()]
    var numbers = [CanonicalIPv6(): 1]
    var table = [Int32](repeating: 0, count: count)
    var accepting = [false]
    var index = 0
    while index < states.count {
      accepting.append(states[index].isEnd)
      table += [Int32](repeating: 0, count: count)
      for (symbol, kind) in CanonicalIPv6.symbols.enumerated() {
        guard let next = states[index].after(kind) else { continue }
        let number = numbers[next] ?? states.count + 1
        if number > states.count {
          numbers[next] = number
          states.append(next)
        }
        table[(index + 1) * count + symbol + 1] = Int32(truncatingIfNeeded: number)
      }
      index += 1
    }
    let runs = CanonicalIPv6.sets.enumerated().map { number, range in
      (range: range, number: UInt16(truncatingIfNeeded: number + 1))
    }
    let automaton = DeterministicAutomaton(
      classes: ScalarClasses(runs: runs), table: table, accepting: accepting)
    // A test verifies that the automaton has far fewer states than the limit.
    return (try? RegularLanguage(automaton)) ?? .none
  }()
}
