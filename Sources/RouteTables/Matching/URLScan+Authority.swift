extension URLScan {
  /// Reads the scheme; returns where the rest begins, or 0.
  @inline(never)
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
      : MatchToken(key: TextKey.key(url.base, 0, position, limit: url.count), start: 0, end: position, isWritten: true)
    readsPlusAsSpace = !SchemeKeys.isLiteral(scheme.key)
    return position &+ 1
  }

  /// Reads `user@host:port`; `end` is where the path begins.
  @inline(never)
  mutating func readAuthority(from begin: Int, end: inout Int) -> Outcome {
    var position = begin
    var start = begin
    var isDigits = false  // whether the host could be an IPv4 address
    while position < url.count {
      let byte = url.base[position]
      if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
      if byte == UInt8(ascii: "@") { start = position &+ 1 }
      position &+= 1
    }
    end = position
    if start > begin {
      user = encodedToken(begin, start &- 1, .path)
      port = IndexTree.Mark.user
    }
    let limit = position
    position = start
    if position < limit, url.base[position] == UInt8(ascii: "[") {
      guard let after = endOfAddress(start, limit) else { return .invalid }
      tokens[0] = encodedToken(start, after, .host)
      labelCount = 1
      position = after
    } else {
      var labelStart = start
      while position < limit {
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
    return readPort(position, limit) ? .read : .invalid
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
  private func endOfAddress(_ start: Int, _ limit: Int) -> Int? {
    var position = start &+ 1
    while position < limit, url.base[position] != UInt8(ascii: "]") {
      guard url.base[position].isAddressByte else { return nil }
      position &+= 1
    }
    let end = position &+ 1
    guard end > start &+ 2, end <= limit, end == limit || url.base[end] == UInt8(ascii: ":") else { return nil }
    return end
  }

  private func isAddress(_ start: Int, _ end: Int) -> Bool {
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

/// What is known of a few schemes, by their keys.
enum SchemeKeys {
  private static func key(_ scheme: StaticString) -> UInt64 {
    var key: UInt64 = 0
    for index in 0..<scheme.utf8CodeUnitCount { key |= UInt64(scheme.utf8Start[index]) << UInt64(index * 8) }
    return key
  }

  static func defaultPort(_ scheme: UInt64) -> UInt32? {
    switch scheme {
    case key("http"), key("ws"): 80
    case key("https"), key("wss"): 443
    case key("ftp"): 21
    default: nil
    }
  }

  /// Whether `+` is itself in the query.
  static func isLiteral(_ scheme: UInt64) -> Bool {
    scheme == key("mailto") || scheme == key("tel") || scheme == key("sms") || scheme == key("xmpp")
      || scheme == key("magnet")
  }
}
