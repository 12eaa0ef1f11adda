// SPDX-License-Identifier: Apache-2.0
/// A file in the syntax of desktop entries: groups of `key=value` lines, preserved byte for byte.
///
/// Any bytes form a key file; lines that break the grammar are preserved without interpretation, and listed in
/// `diagnostics`. Of a repeated key the last line has effect, and a repeated group is one group, as in GLib.
///
/// ```swift
/// var list = KeyFile(bytes: Array("[Default Applications]\nx-scheme-handler/a=one.desktop;\n".utf8))
/// list.value(of: "x-scheme-handler/a", in: "Default Applications")   // "one.desktop;"
/// ```
///
/// Desktop Entry Specification, "Basic format of the file".
public struct KeyFile: Sendable {
  var lines: [Line] = []
  /// The diagnostics for which GLib, and therefore GIO, rejects the whole file, in line order.
  public private(set) var fatalDiagnostics: [Diagnostic] = []

  /// One line with its line ending; all lines share the bytes that were read.
  struct Line: Sendable {
    var bytes: ArraySlice<UInt8>
    var content: Content

    /// Returns whether the bytes in a range are exactly this text.
    func says(_ text: String, at place: Range<Int>) -> Bool {
      guard place.count == text.utf8.count else { return false }
      let start = place.lowerBound - bytes.startIndex
      return bytes.span.extracting(start..<start + place.count).isSpelt(like: text.utf8.span)
    }
  }

  enum Content: Sendable {
    case group(String)
    /// A key and its value, as ranges of indices of the line's bytes.
    case pair(key: Range<Int>, value: Range<Int>)
    /// A blank line, a comment, or a line with a diagnostic.
    case other
    /// An invalid group header: the following lines belong to no group.
    case brokenGroup
  }

  /// Creates a file without lines.
  public init() {}

  /// Parses `bytes`, which may have any content.
  public init(bytes: [UInt8]) {
    lines.reserveCapacity(Self.lineCount(of: bytes))
    var reader = KeyFileReader()
    reader.read(bytes) { line in lines.append(Line(bytes: bytes[line.place], content: line.content)) }
    fatalDiagnostics = reader.fatalDiagnostics
  }

  /// The content of the file, for writing.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(lines.reduce(0) { $0 + $1.bytes.count })
    for line in lines { bytes += line.bytes }
    return bytes
  }

  /// Indicates whether GLib reads the file; a single line with an error makes it reject the whole file.
  public var isWellFormed: Bool { fatalDiagnostics.isEmpty }

  /// The names of the groups, without duplicates, in the order of their first headers.
  public var groups: [String] {
    var seen: Set<String> = []
    var groups: [String] = []
    for case .group(let name) in lines.lazy.map(\.content) where seen.insert(name).inserted {
      groups.append(name)
    }
    return groups
  }

  /// The group with the first header.
  var firstGroup: String? {
    for line in lines { if case .group(let name) = line.content { return name } }
    return nil
  }

  /// Returns the keys of a group, without duplicates, in the order of their first lines.
  public func keys(in group: String) -> [String] {
    var seen: Set<String> = []
    var keys: [String] = []
    forEachPair(in: group) { _, line, key, _ in
      let key = String(decoding: line.bytes[key], as: UTF8.self)
      if seen.insert(key).inserted { keys.append(key) }
    }
    return keys
  }

  /// Returns the raw values of some keys of all groups, by group and key, from one pass over the file.
  public func values(of keys: Set<String>) -> [String: [String: String]] {
    var values: [String: [String: String]] = [:]
    var group: String?
    for line in lines {
      switch line.content {
      case .group(let name): group = name
      case .brokenGroup: group = nil
      case .pair(let place, let text):
        guard let group, let key = String(validating: line.bytes[place], as: UTF8.self), keys.contains(key)
        else { continue }
        values[group, default: [:]][key] = String(validating: line.bytes[text], as: UTF8.self)
      case .other: break
      }
    }
    return values
  }

  /// Returns the raw value of a key, with its escapes; `nil` if it is missing or not UTF-8.
  public func value(of key: String, in group: String) -> String? {
    lastPair(of: key, in: group).flatMap { String(validating: $0.value, as: UTF8.self) }
  }

  /// Returns the number, from 1, of the line with the key's value; `nil` if the key is missing.
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

  /// Calls `body` for each line with a key in a group, with the ranges of key and value.
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
    // Start at 2, because a byte order mark is stored as a line, and the last line may have no line ending.
    bytes.reduce(2) { $1 == UInt8(ascii: "\n") ? $0 &+ 1 : $0 }
  }

  private var startsWithMark: Bool { fatalDiagnostics.first?.kind == .byteOrderMark }
}

extension KeyFile: Hashable {
  /// Returns whether the bytes of both files are equal.
  public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }
  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
