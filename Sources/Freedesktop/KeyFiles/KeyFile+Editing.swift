extension KeyFile {
  /// Sets a key to `value`, written as it is given; every other line stays as it was.
  ///
  /// A key that is there keeps its place, and the blanks around its `=`. A new one goes behind the last line of its group, a new group to
  /// the end of the file.
  ///
  /// - Throws: `FreedesktopError.invalidKeyFileText` for what would not be read back.
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

  /// Removes every line of a key, and tells whether there was one.
  @discardableResult
  public mutating func remove(_ key: String, in group: String) -> Bool {
    var indices: [Int] = []
    forEachPair(in: group) { index, line, candidate, _ in
      if line.says(key, at: candidate) { indices.append(index) }
    }
    for index in indices.reversed() { lines.remove(at: index) }
    return !indices.isEmpty
  }

  /// Takes the value of a key away.
  ///
  /// A key with several lines keeps them, and the last one, which counts, comes to be empty: else another would count.
  mutating func clear(_ key: String, in group: String) throws(FreedesktopError) {
    var count = 0
    forEachPair(in: group) { _, line, candidate, _ in
      if line.says(key, at: candidate) { count += 1 }
    }
    if count > 1 { try set(key, to: "", in: group) } else { remove(key, in: group) }
  }

  /// Removes the header of a group that has no line of its own left, with the blank line above it.
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
    guard isKey else { throw .invalidKeyFileText(key) }
    let isValue =
      value.utf8.first?.isBlank != true && !value.utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 }
    guard isValue else { throw .invalidKeyFileText(value) }
    let isGroup = !group.isEmpty && !group.utf8.contains { $0 < 0x20 || $0 == 0x7F || "[]".utf8.contains($0) }
    guard isGroup else { throw .invalidKeyFileText(group) }
  }

  /// Behind the last line of the group's first stretch that is not blank.
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
    // A carriage return of the line's own must not become a part of its end, which would give it another meaning.
    lines[index - 1].bytes += last.last == UInt8(ascii: "\r") ? Array("\r\n".utf8)[...] : lineEnd
  }

  /// How lines end in this file, judged by the first.
  private var lineEnd: ArraySlice<UInt8> {
    lines.first { !$0.bytes.lineEnd.isEmpty }?.bytes.lineEnd ?? [UInt8(ascii: "\n")]
  }
}

extension KeyFile.Line {
  /// Puts another value in the place of the one at the line's end.
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
