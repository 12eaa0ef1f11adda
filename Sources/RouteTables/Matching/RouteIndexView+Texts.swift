// SPDX-License-Identifier: Apache-2.0
extension RouteIndexView {
  /// Returns the index in a table of literal edges at which the search for a key begins.
  @inline(__always)
  static func place(of key: SegmentKey, _ mask: Int) -> Int {
    let word = key.low ^ (key.high &<< 21 | key.high &>> 43)
    return Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) &>> 40) & mask
  }

  /// Returns the node after a literal text; 0 if there is none.
  @inline(__always)
  func node(after number: UInt32, _ token: MatchToken, of url: URLBytes, form: Normalization) -> UInt32 {
    let node = node(number)
    guard node.pointee.mask != MatchNode.noTexts else { return 0 }
    var edge = texts(of: node) + Self.place(of: token.key, Int(node.pointee.mask))
    while edge.pointee.node != 0 {
      if edge.pointee.key == token.key,
        edge.pointee.text == 0 || equals(token, of: url, form: form, text: edge.pointee.text)
      {
        break
      }
      edge += 1
    }
    return edge.pointee.node
  }

  /// Returns the node after a mark; 0 if there is none.
  @inline(__always)
  func node(after number: UInt32, mark: UInt32) -> UInt32 {
    node(after: number, SegmentKey(low: UInt64(mark)))
  }

  /// Returns the node after a mark or a text that is its own key; 0 if there is none.
  @inline(__always)
  func node(after number: UInt32, _ key: SegmentKey) -> UInt32 {
    let node = node(number)
    guard node.pointee.mask != MatchNode.noTexts else { return 0 }
    var edge = texts(of: node) + Self.place(of: key, Int(node.pointee.mask))
    while edge.pointee.node != 0, edge.pointee.key != key { edge += 1 }
    return edge.pointee.node
  }
}

/// The bytes of a URL, with functions that read them in normal form.
struct URLBytes {
  let base: UnsafePointer<UInt8>
  let count: Int

  /// Reads the byte at `position` in normal form and advances; two hexadecimal digits must follow every `%`.
  @inline(__always)
  func next(_ position: inout Int, _ form: Normalization) -> UInt8 {
    var byte = base[position]
    position &+= 1
    if byte == UInt8(ascii: "%"), position &+ 1 < count {
      byte = (base[position].hexValue ?? 0) << 4 | (base[position &+ 1].hexValue ?? 0)
      position &+= 2
    } else if form.readsPlusAsSpace, byte == UInt8(ascii: "+") {
      byte = 0x20
    }
    return form.foldsCase ? byte.foldedASCII : byte
  }

  /// Returns the bytes of a text in normal form.
  func normalForm(from start: Int, to end: Int, form: Normalization) -> some Sequence<UInt8> {
    sequence(state: start) { position in position < end ? next(&position, form) : nil }
  }

  /// Returns the key of a text that is not in normal form.
  func key(from start: Int, to end: Int, form: Normalization) -> SegmentKey {
    var reader = SegmentKeyReader()
    var position = start
    while position < end { reader.append(next(&position, form)) }
    return reader.value
  }

  /// Returns the key of a text that is already in normal form.
  @inline(__always)
  func key(_ start: Int, _ end: Int) -> SegmentKey {
    count >= 16
      ? SegmentKey.key(base, from: start, to: end, limit: count) : key(from: start, to: end, form: .path)
  }

  /// Returns whether the normal form of a text equals the `length` bytes at `text`.
  func equals(
    from start: Int, to end: Int, form: Normalization, text: UnsafePointer<UInt8>, length: Int
  ) -> Bool {
    var position = start
    for index in 0..<length {
      guard position < end, next(&position, form) == text[index] else { return false }
    }
    return position == end
  }
}

extension RouteIndexView {
  /// Returns whether the normal form of a text equals a text of the pool, which follows its length there.
  @inline(never)
  func equals(_ token: MatchToken, of url: URLBytes, form: Normalization, text: UInt32) -> Bool {
    let start = pool + Int(text)
    let length = Int(UInt32(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)))
    if token.isPlain {
      return Self.equals(url.base + token.start, count: token.end &- token.start, start + 4, count: length)
    }
    return url.equals(from: token.start, to: token.end, form: form, text: start + 4, length: length)
  }

  /// Returns whether two texts of more than sixteen bytes are equal.
  @inline(__always)
  private static func equals(
    _ lhs: UnsafePointer<UInt8>, count lhsCount: Int, _ rhs: UnsafePointer<UInt8>, count rhsCount: Int
  ) -> Bool {
    guard lhsCount == rhsCount, lhsCount >= 8 else { return false }
    var position = 0
    while position &+ 8 < lhsCount {
      if SegmentKey.load(lhs, position) != SegmentKey.load(rhs, position) { return false }
      position &+= 8
    }
    return SegmentKey.load(lhs, lhsCount &- 8) == SegmentKey.load(rhs, lhsCount &- 8)
  }

  /// Returns whether a language accepts the normal form of a text.
  @inline(never)
  func takes(from start: Int, to end: Int, of url: URLBytes, form: Normalization, language number: UInt32)
    -> Bool
  {
    let language = languages + Int(number)
    guard !form.foldsCase else {
      return takesEncoded(from: start, to: end, of: url, form: form, language: language)
    }
    let automata = automata
    let classes = automata + (Int(language.pointee.classes) &+ 128)
    let transitions = automata + Int(language.pointee.transitions)
    let (classCount, accepted) = (Int(language.pointee.classCount), Int(language.pointee.accepted))
    var state = 1
    var position = start
    while position < end {
      let number = classes[Int(url.base[position])]
      guard number != MatchLanguage.encoded else {
        return takesEncoded(from: start, to: end, of: url, form: form, language: language)
      }
      position &+= 1
      state = Int(transitions[state &* classCount &+ Int(number)])
      // Stop early: no later byte changes the result. The start state is 1, and state 0 accepts nothing.
      if state == accepted || state == 0 { return state != 0 }
    }
    return automata[Int(language.pointee.accepting) &+ state] != 0
  }

  /// Returns whether a language accepts a text that has encoded characters or is compared without case.
  @inline(never)
  private func takesEncoded(
    from start: Int, to end: Int, of url: URLBytes, form: Normalization,
    language: UnsafePointer<MatchLanguage>
  ) -> Bool {
    let language = language.pointee
    let classes = automata + Int(language.classes)
    let transitions = automata + Int(language.transitions)
    var state = 1
    var position = start
    while position < end {
      let byte = url.next(&position, form)
      let number: Int
      if byte < 0x80 {
        number = Int(classes[Int(byte)])
      } else {
        // `URLValidator` has checked that the bytes are UTF-8.
        var pending = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3
        var scalar = UInt32(byte & (0x3F >> UInt8(pending)))
        while pending > 0, position < end {
          scalar = scalar << 6 | UInt32(url.next(&position, form) & 0x3F)
          pending -= 1
        }
        number = self.number(of: scalar, language)
      }
      state = Int(transitions[state &* Int(language.classCount) &+ number])
      if state == 0 { return false }
      if state == Int(language.accepted) { return true }
    }
    return automata[Int(language.accepting) &+ state] != 0
  }

  private func number(of scalar: UInt32, _ language: MatchLanguage) -> Int {
    var (low, high) = (0, Int(language.runCount))
    while low < high {
      let middle = (low + high) / 2
      if runs[Int(language.runs) + 3 * middle + 1] < scalar { low = middle + 1 } else { high = middle }
    }
    guard low < Int(language.runCount), runs[Int(language.runs) + 3 * low] <= scalar else { return 0 }
    return Int(runs[Int(language.runs) + 3 * low + 2])
  }
}
