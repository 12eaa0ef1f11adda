/// A file of the desktop-entry kind: groups of `key=value` lines, kept byte for byte.
///
/// Any bytes make a key file; what breaks the grammar is kept, not understood, and named in `diagnostics`.
/// Of a key that stands twice the last line holds, and a group that stands twice is one group, as in GLib.
///
/// ```swift
/// var list = KeyFile(bytes: Array("[Default Applications]\nx-scheme-handler/a=one.desktop;\n".utf8))
/// list.value(of: "x-scheme-handler/a", in: "Default Applications")   // "one.desktop;"
/// ```
///
/// Desktop Entry Specification, "Basic format of the file".
public struct KeyFile: Sendable {
  var lines: [Line] = []
  /// What makes GLib, and so GIO, refuse the whole file, as it was read; in the order of the lines.
  public private(set) var faults: [Diagnostic] = []

  /// One line with its end; all lines share the bytes that were read.
  struct Line: Sendable {
    var bytes: ArraySlice<UInt8>
    var content: Content

    /// Whether just this stands at a place.
    func says(_ text: String, at place: Range<Int>) -> Bool {
      guard place.count == text.utf8.count else { return false }
      let start = place.lowerBound - bytes.startIndex
      return bytes.span.extracting(start..<start + place.count).isSpelt(like: text.utf8.span)
    }
  }

  enum Content: Sendable {
    case group(String)
    /// Where the key and the value are, by the indices of the line's bytes.
    case pair(key: Range<Int>, value: Range<Int>)
    /// Blank, a comment, or something that was complained about.
    case other
    /// A broken group header: what follows belongs to no group.
    case brokenGroup
  }

  /// A file without a line.
  public init() {}

  /// Reads `bytes`, whatever they are.
  public init(bytes: [UInt8]) {
    lines.reserveCapacity(Self.lineCount(of: bytes))
    var reader = KeyFileReader()
    reader.read(bytes) { line in lines.append(Line(bytes: bytes[line.place], content: line.content)) }
    faults = reader.faults
  }

  /// The file as it is to be written.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(lines.reduce(0) { $0 + $1.bytes.count })
    for line in lines { bytes += line.bytes }
    return bytes
  }

  /// Whether GLib reads the file at all: one line that it does not understand makes it refuse the whole.
  public var isWellFormed: Bool { faults.isEmpty }

  /// The names of the groups, each once, in the order of their first headers.
  public var groups: [String] {
    var groups: [String] = []
    for case .group(let name) in lines.lazy.map(\.content) where !groups.contains(name) {
      groups.append(name)
    }
    return groups
  }

  /// The group whose header comes first.
  var firstGroup: String? {
    for line in lines { if case .group(let name) = line.content { return name } }
    return nil
  }

  /// The keys of a group, each once, in the order of their first lines.
  public func keys(in group: String) -> [String] {
    var seen: Set<String> = []
    var keys: [String] = []
    forEachPair(in: group) { _, line, key, _ in
      let key = String(decoding: line.bytes[key], as: UTF8.self)
      if seen.insert(key).inserted { keys.append(key) }
    }
    return keys
  }

  /// The value of a key as it stands in the file, escapes and all; `nil` where there is none, or it is
  /// not UTF-8.
  public func value(of key: String, in group: String) -> String? {
    lastPair(of: key, in: group).flatMap { String(validating: $0.value, as: UTF8.self) }
  }

  /// The number, from 1, of the line that holds the key's value.
  public func line(of key: String, in group: String) -> Int? {
    lastPair(of: key, in: group).map { number(ofLineAt: $0.index) }
  }

  func number(ofLineAt index: Int) -> Int { index + (startsWithMark ? 0 : 1) }

  func lastPair(of key: String, in group: String) -> (index: Int, value: ArraySlice<UInt8>)? {
    var found: (index: Int, value: ArraySlice<UInt8>)?
    forEachPair(in: group) { index, line, candidate, value in
      if line.says(key, at: candidate) { found = (index, line.bytes[value]) }
    }
    return found
  }

  /// Goes through the lines with a key in a group, with the places of the key and the value in each.
  func forEachPair(in group: String, _ body: (Int, Line, Range<Int>, Range<Int>) -> Void) {
    var isInside = false
    for index in lines.indices {
      switch lines[index].content {
      case .group(let name): isInside = name == group
      case .brokenGroup: isInside = false
      case .pair(let key, let value) where isInside: body(index, lines[index], key, value)
      case .pair, .other: break
      }
    }
  }

  private static func lineCount(of bytes: [UInt8]) -> Int {
    // A byte order mark is kept as a line, and the last line may have no end.
    bytes.reduce(2) { $1 == UInt8(ascii: "\n") ? $0 &+ 1 : $0 }
  }

  private var startsWithMark: Bool { faults.first?.kind == .byteOrderMark }
}

extension KeyFile: Hashable {
  /// Two key files are equal when their bytes are.
  public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }
  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
