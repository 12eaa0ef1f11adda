extension URLScan {
  /// Reads the scheme; returns where the rest begins, or 0.
  mutating func readScheme() -> Int {
    var position = 0
    guard url.base[0].isASCIILetter else { return 0 }
    var folds = false
    while position < url.count, url.base[position].isSchemeByte {
      folds = folds || url.base[position].foldedASCII != url.base[position]
      position &+= 1
    }
    guard position < url.count, url.base[position] == UInt8(ascii: ":") else { return 0 }
    schemeEnd = position
    scheme =
      folds
      ? encodedToken(0, position, .host)
      : MatchToken(
        key: TextKey.key(url.base, 0, position, limit: url.count), start: 0, end: position, isWritten: true)
    readsPlusAsSpace = !SchemeKeys.isLiteral(scheme.key)
    return position &+ 1
  }

  /// Reads `host:port` where there is nothing out of the ordinary; `end` is where the path begins.
  ///
  /// Returns `nil`, and has read nothing, where there is.
  @inline(__always)
  mutating func readPlainHost(from begin: Int, limit: Int, end: inout Int) -> Outcome? {
    guard isPlain else { return nil }
    var (position, start, folds) = (begin, begin, false)
    while position < limit {
      let byte = url.base[position]
      position &+= 1
      if byte >= UInt8(ascii: "a"), byte <= UInt8(ascii: "z") { continue }
      if byte == UInt8(ascii: ".") {
        guard labelCount &+ 2 < min(capacity, RouteLimits.labels) else { break }
        tokens[labelCount] = label(start, position &- 1, folds)
        labelCount &+= 1
        (start, folds) = (position, false)
        continue
      }
      if byte == UInt8(ascii: "/") {
        position &-= 1
        break
      }
      if byte.isASCIIDigit || byte == UInt8(ascii: "-") { continue }
      guard byte.isASCIILetter else {
        // A port, a user, or worse.
        labelCount = 0
        return nil
      }
      folds = true
    }
    let isAddress = labelCount == 3 && position > start && url.base[position &- 1].isASCIIDigit
    guard !isAddress, position == limit || url.base[position] == UInt8(ascii: "/") else {
      labelCount = 0
      return nil
    }
    if position > begin {
      tokens[labelCount] = label(start, position, folds)
      labelCount &+= 1
    }
    end = position
    return .read
  }

  @inline(__always)
  private mutating func label(_ start: Int, _ end: Int, _ folds: Bool) -> MatchToken {
    if folds { return encodedToken(start, end, .host) }
    return MatchToken(
      key: TextKey.key(url.base, start, end, limit: url.count), start: start, end: end, isWritten: true)
  }

  /// Reads `user@host:port`; `end` is where the path begins.
  @inline(never)
  mutating func readAuthority(from begin: Int, limit: Int, end: inout Int) -> Outcome {
    var position = begin
    var start = begin
    var isDigits = false  // whether the host could be an IPv4 address
    while position < limit {
      let byte = url.base[position]
      if byte == UInt8(ascii: "/") { break }
      if byte == UInt8(ascii: "@") { start = position &+ 1 }
      position &+= 1
    }
    end = position
    if start > begin {
      user = encodedToken(begin, start &- 1, .path)
      port = IndexTree.Mark.user
    }
    let hostEnd = position
    position = start
    if position < hostEnd, url.base[position] == UInt8(ascii: "[") {
      guard let after = endOfAddress(start, hostEnd) else { return .invalid }
      tokens[0] = encodedToken(start, after, .host)
      labelCount = 1
      position = after
    } else {
      var labelStart = start
      while position < hostEnd {
        let before = position
        let byte = isPlain ? url.base[position] : url.next(&position, .host)
        if isPlain { position &+= 1 }
        if byte == UInt8(ascii: ":"), position == before &+ 1 {
          position = before
          break
        }
        guard !byte.isForbiddenInHost else { return .invalid }
        guard byte == UInt8(ascii: ".") else {
          isDigits = byte.isASCIIDigit
          continue
        }
        guard labelCount < RouteLimits.labels else { return .invalid }
        guard labelCount &+ 1 < capacity else { return .full }
        tokens[labelCount] = encodedToken(labelStart, before, .host)
        labelCount &+= 1
        labelStart = position
      }
      if position > start {
        guard labelCount < RouteLimits.labels else { return .invalid }
        tokens[labelCount] = encodedToken(labelStart, position, .host)
        labelCount &+= 1
      }
      if isDigits, labelCount == 4, isAddress(start, position) {
        tokens[0] = encodedToken(start, position, .host)
        labelCount = 1
      }
    }
    return readPort(position, hostEnd) ? .read : .invalid
  }

  private mutating func readPort(_ start: Int, _ end: Int) -> Bool {
    guard start < end else { return true }
    guard labelCount > 0 else { return false }
    var value: UInt32 = 0
    for position in (start &+ 1)..<end {
      guard url.base[position].isASCIIDigit else { return false }
      value = value &* 10 &+ UInt32(url.base[position] &- UInt8(ascii: "0"))
      guard value <= UInt32(UInt16.max) else { return false }
    }
    if end > start &+ 1, value != SchemeKeys.defaultPort(scheme.key) { port |= value &+ 1 }
    return true
  }

  /// The end of `[…]`, which a port or nothing follows.
  private mutating func endOfAddress(_ start: Int, _ limit: Int) -> Int? {
    var position = start &+ 1
    while position < limit, url.base[position] != UInt8(ascii: "]") {
      guard url.base[position].isAddressByte else { return nil }
      position &+= 1
    }
    let end = position &+ 1
    guard end > start &+ 2, end <= limit, end == limit || url.base[end] == UInt8(ascii: ":") else {
      return nil
    }
    return end
  }

  private mutating func isAddress(_ start: Int, _ end: Int) -> Bool {
    var (parts, digits, value) = (1, 0, 0)
    var position = start
    while position < end {
      let byte = url.next(&position, .host)
      if byte == UInt8(ascii: ".") {
        guard digits > 0 else { return false }
        (parts, digits, value) = (parts + 1, 0, 0)
      } else {
        guard byte.isASCIIDigit, digits < 3 else { return false }
        (digits, value) = (digits + 1, value * 10 + Int(byte &- UInt8(ascii: "0")))
        guard value <= 255 else { return false }
      }
    }
    return parts == 4 && digits > 0
  }
}

/// What is known of a few schemes, by their keys: their bytes, the first the lowest.
enum SchemeKeys {
  static func defaultPort(_ scheme: UInt64) -> UInt32? {
    switch scheme {
    case 0x7074_7468, 0x7377: 80  // http, ws
    case 0x73_7074_7468, 0x73_7377: 443  // https, wss
    case 0x70_7466: 21  // ftp
    default: nil
    }
  }

  /// Whether `+` is itself in the query: mailto, tel, sms, xmpp, magnet.
  static func isLiteral(_ scheme: UInt64) -> Bool {
    switch scheme {
    case 0x6F74_6C69_616D, 0x6C_6574, 0x73_6D73, 0x7070_6D78, 0x7465_6E67_616D: true
    default: false
    }
  }
}
