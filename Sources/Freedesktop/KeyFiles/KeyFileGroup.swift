// SPDX-License-Identifier: Apache-2.0
/// One group of a key file, for lookups of many keys; repeated groups are merged.
///
/// The lines are sorted by key: for thousands of lines that is faster to build than a dictionary, and needs less
/// memory.
struct KeyFileGroup: Sendable {
  let name: String
  private let bytes: [UInt8]
  private let lines: [Line]

  private struct Line {
    let number: Int
    let key: Range<Int>
    let value: Range<Int>
  }

  /// The effective line of a key.
  struct Pair: Sendable {
    /// The line's number, from 1.
    let line: Int
    /// The raw value, with its escapes; `nil` if it is not UTF-8.
    let text: String?
    /// The number of the key's first line.
    fileprivate let first: Int
  }

  /// Reads the groups of these names, which may be empty, and the errors because of which GLib rejects the file.
  static func read(_ names: [String], in bytes: [UInt8]) -> (
    groups: [Self], fatalDiagnostics: [KeyFile.Diagnostic]
  ) {
    var groups = names.map { _ in [Line]() }
    var current: Int?
    var reader = KeyFileReader()
    reader.read(bytes) { line in
      switch line.content {
      case .group(let name): current = names.firstIndex(of: name)
      case .brokenGroup: current = nil
      case .pair(let key, let value):
        if let current { groups[current].append(Line(number: line.number, key: key, value: value)) }
      case .other: break
      }
    }
    return (zip(names, groups).map { Self($0, bytes: bytes, lines: $1) }, reader.fatalDiagnostics)
  }

  private init(_ name: String, bytes: [UInt8], lines: [Line]) {
    (self.name, self.bytes) = (name, bytes)
    self.lines = lines.sorted { one, other in
      let order = bytes.span.extracting(one.key).order(to: bytes.span.extracting(other.key))
      return order == 0 ? one.number < other.number : order < 0
    }
  }

  var isEmpty: Bool { lines.isEmpty }

  /// Returns the keys that begin with `prefix`, without it and without duplicates, in the order of their bytes.
  func keys(behind prefix: String) -> [String] {
    let (all, start) = (bytes.span, prefix.utf8.span)
    var keys: [String] = []
    for index in firstLine(from: start)..<lines.count {
      let place = lines[index].key
      let key = all.extracting(place)
      guard key.extracting(first: start.count).isSpelt(like: start) else { break }
      let isSeen = index > 0 && all.extracting(lines[index - 1].key).isSpelt(like: key)
      if !isSeen { keys.append(String(decoding: bytes[place.dropFirst(start.count)], as: UTF8.self)) }
    }
    return keys
  }

  /// Returns the raw value of a key; `nil` if it is missing or not UTF-8.
  func value(of key: String) -> String? { pair(of: key)?.text }

  /// Returns the effective lines of those of `names` that exist, in the order of their first lines.
  func pairs(of names: [String]) -> [Pair] {
    let pairs = names.compactMap(pair)
    return pairs.count < 2 ? pairs : pairs.sorted { $0.first < $1.first }
  }

  /// Returns the last line of a key, which has effect; `nil` if there is none.
  private func pair(of name: String) -> Pair? {
    let (all, name) = (bytes.span, name.utf8.span)
    let first = firstLine(from: name)
    var end = first
    while end < lines.count, all.extracting(lines[end].key).isSpelt(like: name) { end += 1 }
    guard end > first else { return nil }
    let last = end - 1
    let value = String(validating: bytes[lines[last].value], as: UTF8.self)
    return Pair(line: lines[last].number, text: value, first: lines[first].number)
  }

  /// Returns the index of the first line whose key does not sort before `name`.
  private func firstLine(from name: Span<UInt8>) -> Int {
    let all = bytes.span
    var (low, high) = (0, lines.count)
    while low < high {
      let middle = (low + high) / 2
      let isBefore = all.extracting(lines[middle].key).order(to: name) < 0
      (low, high) = isBefore ? (middle + 1, high) : (low, middle)
    }
    return low
  }
}
