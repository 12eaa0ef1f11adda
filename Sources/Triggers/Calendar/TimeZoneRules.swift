// SPDX-License-Identifier: Apache-2.0
/// The offsets of a time zone from UTC: the content of a file of the time zone database (TZif, RFC 8536).
///
/// Leap seconds of the `right/` zones are ignored, as the clock of the system ignores them.
public struct TimeZoneRules: Hashable, Sendable {
  /// A change of the offset.
  struct Transition: Hashable, Sendable {
    /// The time of the change, in seconds since 1970.
    let time: Int64
    /// The offset before it, in seconds east of UTC.
    let before: Int64
    /// The offset after it.
    let after: Int64
  }

  /// UTC.
  public static let utc = TimeZoneRules(initial: 0, transitions: [], rule: nil)

  private let initial: Int64
  private let transitions: [Transition]
  /// The rule for times after the last transition; `nil` if the last offset applies forever.
  private let rule: YearlyZoneRule?

  private init(initial: Int64, transitions: [Transition], rule: YearlyZoneRule?) {
    self.initial = initial
    self.transitions = transitions
    self.rule = rule
  }

  /// Parses a file of the time zone database; `nil` if it is not one.
  public init?(_ bytes: [UInt8]) {
    guard let first = TZifHeader(bytes, at: 0) else { return nil }
    // Version 1 has 32-bit times. Later versions repeat the data with 64-bit times, and end with a rule.
    guard first.version >= 2 else {
      guard let (initial, transitions) = first.data(in: bytes, timeSize: 4) else { return nil }
      self.init(initial: initial, transitions: transitions, rule: nil)
      return
    }
    guard let header = TZifHeader(bytes, at: first.end(timeSize: 4)),
      let (initial, transitions) = header.data(in: bytes, timeSize: 8)
    else { return nil }
    let footer = bytes[header.end(timeSize: 8)...]
    guard footer.first == UInt8(ascii: "\n"), let end = footer.dropFirst().firstIndex(of: UInt8(ascii: "\n"))
    else { return nil }
    let text = String(decoding: footer[(footer.startIndex + 1)..<end], as: UTF8.self)
    // An empty rule says that nothing is known about later times.
    let rule = text.isEmpty ? nil : YearlyZoneRule(text)
    guard text.isEmpty || rule != nil else { return nil }
    self.init(
      initial: rule.map { transitions.isEmpty ? $0.standard : initial } ?? initial, transitions: transitions,
      rule: rule)
  }

  /// Creates a zone from a rule of POSIX, such as `CET-1CEST,M3.5.0,M10.5.0/3`; `nil` if it is not one.
  public init?(posixRule text: String) {
    guard let rule = YearlyZoneRule(text) else { return nil }
    self.init(initial: rule.standard, transitions: [], rule: rule)
  }

  /// Returns the offset at a time, in seconds east of UTC.
  func offset(at time: Int64) -> Int64 {
    if let rule, transitions.last.map({ time >= $0.time }) ?? true {
      return rule.offset(at: time)
    }
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? initial : transitions[low - 1].after
  }

  /// Returns the transitions in a range of times, in their order.
  func transitions(in range: ClosedRange<Int64>) -> [Transition] {
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].time < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    var found = Array(transitions[low...].prefix { $0.time <= range.upperBound })
    if let rule, transitions.last.map({ $0.time < range.upperBound }) ?? true {
      let last = transitions.last?.time ?? .min
      found += rule.transitions(in: range).filter { $0.time > last }
    }
    return found
  }

  /// Returns the times at which clocks show a local time: none in a gap, two when clocks are set back.
  ///
  /// - Parameter local: The local time as if it were UTC, in seconds since 1970.
  func times(ofLocal local: Int64) -> [Int64] {
    // No zone differs from UTC by more than 26 hours.
    let nearby = transitions(in: (local - 93_600)...(local + 93_600))
    guard !nearby.isEmpty else { return [local - offset(at: local)] }
    var offsets = [nearby[0].before]
    for transition in nearby where !offsets.contains(transition.after) { offsets.append(transition.after) }
    return offsets.map { local - $0 }.filter { offset(at: $0) == local - $0 }.sorted()
  }

  /// Returns the first time at which clocks show a local time; in a gap, the first moment after it.
  func time(ofLocal local: Int64) -> Int64 {
    if let first = times(ofLocal: local).first { return first }
    let gap = transitions(in: (local - 93_600)...(local + 93_600)).first {
      $0.time + $0.before <= local && local < $0.time + $0.after
    }
    return gap?.time ?? local - offset(at: local)
  }
}

/// The header of a block of a TZif file.
private struct TZifHeader {
  let version: Int
  private let start: Int
  private let universal, standard, leaps, times, types, characters: Int

  init?(_ bytes: [UInt8], at start: Int) {
    guard bytes.count >= start + 44, bytes[start..<(start + 4)].elementsEqual("TZif".utf8) else { return nil }
    let digit = bytes[start + 4]
    version = digit == 0 ? 1 : Int(digit) - 48
    guard (1...9).contains(version) else { return nil }
    let counts = (0..<6).map { bytes.integer(at: start + 20 + 4 * $0, size: 4) }
    guard counts.allSatisfy({ (0...100_000).contains($0) }), counts[4] > 0 else { return nil }
    let sizes = counts.map(Int.init)
    (universal, standard, leaps, times, types, characters) = (
      sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5]
    )
    self.start = start + 44
  }

  /// Returns the index after the block.
  func end(timeSize: Int) -> Int {
    start + times * (timeSize + 1) + types * 6 + characters + leaps * (timeSize + 4) + standard + universal
  }

  /// Reads the initial offset and the transitions; `nil` if the block is incomplete or inconsistent.
  func data(in bytes: [UInt8], timeSize: Int) -> (initial: Int64, [TimeZoneRules.Transition])? {
    guard bytes.count >= end(timeSize: timeSize) else { return nil }
    let indices = start + times * timeSize
    let offsets = (0..<types).map { bytes.integer(at: indices + times + 6 * $0, size: 4) }
    guard offsets.allSatisfy({ (-93_600...93_600).contains($0) }) else { return nil }
    var transitions: [TimeZoneRules.Transition] = []
    var offset = offsets[0]
    for number in 0..<times {
      let type = Int(bytes[indices + number])
      guard type < types else { return nil }
      let time = bytes.integer(at: start + number * timeSize, size: timeSize)
      guard transitions.last.map({ $0.time < time }) ?? true else { return nil }
      transitions.append(.init(time: time, before: offset, after: offsets[type]))
      offset = offsets[type]
    }
    return (offsets[0], transitions)
  }
}

extension [UInt8] {
  /// Reads a big-endian signed integer of 4 or 8 bytes.
  fileprivate func integer(at index: Int, size: Int) -> Int64 {
    let bits = self[index..<(index + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
  }
}
