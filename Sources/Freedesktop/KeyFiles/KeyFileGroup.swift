/// One group of a key file, for who asks for many of its keys; a group that stands twice is one.
struct KeyFileGroup: Sendable {
  private let pairs: [Key: Pair]

  /// The line that holds for a key.
  struct Pair: Sendable {
    /// The line's number, from 1.
    fileprivate(set) var line: Int
    fileprivate var value: ArraySlice<UInt8>
    /// The number of the key's first line, by which keys are in order.
    fileprivate let first: Int

    /// The value as it stands in the file, escapes and all; `nil` where it is not UTF-8.
    var text: String? { String(validating: value, as: UTF8.self) }
  }

  /// The bytes of a key, hashed at once and not one by one.
  private struct Key: Hashable {
    let bytes: ArraySlice<UInt8>

    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
  }

  /// Takes in the group of this name.
  init(_ name: String, of file: KeyFile) {
    var pairs: [Key: Pair] = [:]
    var count = 0
    file.forEachPair(in: name) { _, _, _ in count += 1 }
    pairs.reserveCapacity(count)
    file.forEachPair(in: name) { index, key, value in
      let line = file.number(ofLineAt: index)
      let first = Pair(line: line, value: value, first: line)
      pairs[Key(bytes: key), default: first].hold(line, value)
    }
    self.pairs = pairs
  }

  var isEmpty: Bool { pairs.isEmpty }

  /// The keys that begin like this, in no order.
  func keys(beginningWith prefix: String) -> [String] {
    pairs.keys.filter { $0.bytes.starts(with: prefix.utf8) }.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  /// The value of a key as it stands in the file; `nil` where there is none, or it is not UTF-8.
  func value(of key: String) -> String? { pairs(of: [key]).first?.text }

  /// What holds for each of `names` that is there, in the order of their first lines.
  func pairs(of names: [String]) -> [Pair] {
    names.compactMap { pairs[Key(bytes: Array($0.utf8)[...])] }.sorted { $0.first < $1.first }
  }
}

extension KeyFileGroup.Pair {
  /// Of a key that stands twice the last line holds.
  fileprivate mutating func hold(_ line: Int, _ value: ArraySlice<UInt8>) {
    (self.line, self.value) = (line, value)
  }
}
