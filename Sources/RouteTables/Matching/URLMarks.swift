/// The first look at a URL, sixteen bytes at a time: whether anything in it needs a second.
struct URLMarks {
  /// Whether there is a byte that is encoded, that no URL may hold, or that is not ASCII.
  private(set) var hasSpecial = false
  /// Whether there is a `?` or a `#`.
  private(set) var hasQueryOrFragment = false

  @inline(__always)
  mutating func read(_ url: URLBytes) {
    let count = url.count
    guard count >= 16 else { return readShort(url) }
    let raw = UnsafeRawPointer(url.base)
    var special = SIMD16<UInt8>(repeating: 0)
    var tail = SIMD16<UInt8>(repeating: 0)
    var position = 0
    while position &+ 16 <= count {
      Self.look(raw.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self), &special, &tail)
      position &+= 16
    }
    if position < count {
      Self.look(raw.loadUnaligned(fromByteOffset: count &- 16, as: SIMD16<UInt8>.self), &special, &tail)
    }
    hasSpecial = Self.isSet(special)
    hasQueryOrFragment = Self.isSet(tail)
  }

  @inline(__always)
  private static func look(
    _ bytes: SIMD16<UInt8>, _ special: inout SIMD16<UInt8>, _ tail: inout SIMD16<UInt8>
  ) {
    // As signed numbers, controls, the space and what is not ASCII are below `!`.
    let signed = SIMD16<Int8>(truncatingIfNeeded: bytes)
    let ones = SIMD16<UInt8>(repeating: 1)
    special.replace(with: ones, where: signed .< 0x21)
    special.replace(with: ones, where: bytes .== 0x7F)
    special.replace(with: ones, where: bytes .== UInt8(ascii: "%"))
    special.replace(with: ones, where: bytes .== UInt8(ascii: "\\"))
    tail.replace(with: ones, where: bytes .== UInt8(ascii: "?"))
    tail.replace(with: ones, where: bytes .== UInt8(ascii: "#"))
  }

  @inline(__always)
  private static func isSet(_ flags: SIMD16<UInt8>) -> Bool {
    let halves = unsafeBitCast(flags, to: SIMD2<UInt64>.self)
    return halves.x | halves.y != 0
  }

  @inline(never)
  private mutating func readShort(_ url: URLBytes) {
    for position in 0..<url.count {
      let byte = url.base[position]
      if byte < 0x21 || byte >= 0x7F || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") { hasSpecial = true }
      if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { hasQueryOrFragment = true }
    }
  }
}

/// The second look: whether every `%` is sound and the decoded bytes are UTF-8 without what no URL may hold.
enum URLCheck {
  static func isSound(_ url: URLBytes) -> Bool {
    var text = UTF8Check()
    var position = 0
    var before: UInt8 = 0
    while position < url.count {
      let byte = url.base[position]
      if byte.forbiddenName != nil { return false }
      if before == 0xC2, byte < 0xA0, byte >= 0x80 { return false }
      before = byte
      if byte == UInt8(ascii: "%") {
        guard position + 2 < url.count, url.base[position + 1].hexValue != nil,
          url.base[position + 2].hexValue != nil
        else { return false }
      }
      let decoded = url.next(&position, .path)
      guard decoded != 0, text.accept(decoded) else { return false }
    }
    return text.isComplete
  }
}
