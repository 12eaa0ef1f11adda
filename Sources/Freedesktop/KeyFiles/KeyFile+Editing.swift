// SPDX-License-Identifier: Apache-2.0
extension KeyFile {
  /// Sets a key to the raw value `value`; every other line remains unchanged.
  ///
  /// An existing key keeps its position, and the blanks around its `=`. A new key is added after the last line of its
  /// group, and a new group at the end of the file.
  ///
  /// - Throws: `FreedesktopError.invalidKeyFileText` for text that would be parsed differently.
  public mutating func set(_ key: String, to value: String, in group: String) throws(FreedesktopError) {
    try Self.check(key: key, value: value, group: group)
    if let (index, old) = lastPair(of: key, in: group) {
      lines[index].replaceValue(old, by: value)
      return
    }
    let index = indexBehindLastLine(of: group) ?? appendGroup(group)
    endLine(before: index)
    let (bytes, length) = (Array((key + "=" + value).utf8), key.utf8.count)
    let content = Content.pair(key: 0..<length, value: length + 1..<bytes.count)
    lines.insert(Line(bytes: bytes + lineEnd, content: content), at: index)
  }

  /// Removes every line of a key, and returns whether there was one.
  @discardableResult
  public mutating func remove(_ key: String, in group: String) -> Bool {
    var indices: [Int] = []
    forEachPair(in: group) { index, line, candidate, _ in
      if line.says(key, at: candidate) { indices.append(index) }
    }
    for index in indices.reversed() { lines.remove(at: index) }
    return !indices.isEmpty
  }

  /// Removes the value of a key.
  ///
  /// A key with several lines keeps them, and its last line, which has effect, becomes empty; otherwise an earlier
  /// line would have effect.
  mutating func clear(_ key: String, in group: String) throws(FreedesktopError) {
    var count = 0
    forEachPair(in: group) { _, line, candidate, _ in
      if line.says(key, at: candidate) { count += 1 }
    }
    if count > 1 { try set(key, to: "", in: group) } else { remove(key, in: group) }
  }

  /// Removes the header of a group without lines, with the blank line above it at the end of the file.
  public mutating func removeIfEmpty(group: String) {
    for index in lines.indices.reversed() where index < lines.endIndex {
      guard case .group(group) = lines[index].content else { continue }
      let next = index + 1
      let isLast = next == lines.endIndex || lines[next].isHeader
      guard isLast else { continue }
      lines.remove(at: index)
      if index > 0, index == lines.endIndex, lines[index - 1].isBlank { lines.remove(at: index - 1) }
    }
  }

  private static func check(key: String, value: String, group: String) throws(FreedesktopError) {
    let isKey =
      KeyFileReader.isKeyName(key.utf8.span) && key.utf8.first != UInt8(ascii: "#")
      && key.utf8.first != UInt8(ascii: "[") && key.utf8.allSatisfy { $0 >= 0x20 }
    guard isKey else { throw .invalidKeyFileText(key, reason: "it is not a valid key") }
    let isValue =
      value.utf8.first?.isBlank != true && !value.utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 }
    guard isValue else {
      throw .invalidKeyFileText(value, reason: "it begins with a blank, or contains a line break or a NUL")
    }
    let isGroup = !group.isEmpty && !group.utf8.contains { $0 < 0x20 || $0 == 0x7F || "[]".utf8.contains($0) }
    guard isGroup else { throw .invalidKeyFileText(group, reason: "it is not a valid group name") }
  }

  /// Returns the index after the last non-blank line of the group's first section; `nil` if there is none.
  private func indexBehindLastLine(of group: String) -> Int? {
    let header = lines.firstIndex { line in
      if case .group(group) = line.content { true } else { false }
    }
    guard let header else { return nil }
    let next = lines[(header + 1)...].firstIndex(where: \.isHeader) ?? lines.endIndex
    let last = lines[header..<next].lastIndex { !$0.isBlank } ?? header
    return last + 1
  }

  private mutating func appendGroup(_ group: String) -> Int {
    if !lines.isEmpty {
      endLine(before: lines.endIndex)
      lines.append(Line(bytes: lineEnd[...], content: .other))
    }
    lines.append(Line(bytes: Array("[\(group)]".utf8) + lineEnd, content: .group(group)))
    return lines.endIndex
  }

  private mutating func endLine(before index: Int) {
    guard index > 0, case let last = lines[index - 1].bytes, last.lineEnd.isEmpty else { return }
    // A carriage return at the end of the text must not become part of the line ending, which would change its
    // meaning.
    lines[index - 1].bytes += last.last == UInt8(ascii: "\r") ? Array("\r\n".utf8)[...] : lineEnd
  }

  /// The line ending of this file, determined by its first line.
  private var lineEnd: ArraySlice<UInt8> {
    lines.first { !$0.bytes.lineEnd.isEmpty }?.bytes.lineEnd ?? [UInt8(ascii: "\n")]
  }
}

extension KeyFile.Line {
  /// Replaces the value at the end of the line.
  fileprivate mutating func replaceValue(_ old: ArraySlice<UInt8>, by value: String) {
    guard case .pair(let key, _) = content else { return }
    let (head, end) = (bytes[..<old.startIndex], bytes.lineEnd)
    bytes = head + Array(value.utf8)
    content = .pair(key: key, value: old.startIndex..<bytes.endIndex)
    bytes += end
  }

  var isHeader: Bool {
    switch content {
    case .group, .brokenGroup: true
    case .pair, .other: false
    }
  }

  var isBlank: Bool { bytes.allSatisfy(\.isBlank) }
}

extension ArraySlice<UInt8> {
  var lineEnd: Self { dropFirst(span.withoutLineEnd(0..<count).count) }
}
