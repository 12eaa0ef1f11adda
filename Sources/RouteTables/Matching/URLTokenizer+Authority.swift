extension URLTokenizer {
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
      : MatchToken(key: url.key(0, position), start: 0, end: position, isWritten: true)
    readsPlusAsSpace = !SchemeKeys.isLiteral(scheme.key)
    return position &+ 1
  }

  /// Reads a host of small letters, digits, hyphens and dots; `end` is where the path begins.
  ///
  /// Returns `nil`, and has read nothing, where there is anything else, or what could be an address.
  @inline(__always)
  mutating func readPlainHost(from begin: Int, limit: Int, end: inout Int) -> Outcome? {
    guard isPlain, url.count >= 16 else { return nil }
    let hostEnd = ByteSearch(UInt8(ascii: "/")).place(in: url.base, from: begin, to: limit)
    guard hostEnd > begin, url.base[hostEnd &- 1] &- UInt8(ascii: "a") < 26, isPlainHost(begin, hostEnd)
    else {
      return nil
    }
    var position = begin
    while position < hostEnd {
      guard labelCount < min(capacity, RouteLimits.labels) else {
        labelCount = 0
        return nil
      }
      let dot = ByteSearch(UInt8(ascii: ".")).place(in: url.base, from: position, to: hostEnd)
      let key = SegmentKey.key(url.base, position, dot, limit: url.count)
      tokens[labelCount] = MatchToken(key: key, start: position, end: dot, isWritten: true)
      labelCount &+= 1
      position = dot &+ 1
    }
    // `0x…` could be a number.
    guard tokens[labelCount &- 1].key.low & 0xFFFF != 0x7830 else {
      labelCount = 0
      return nil
    }
    end = hostEnd
    return .read
  }

  @inline(__always)
  private func isPlainHost(_ start: Int, _ end: Int) -> Bool {
    for position in start..<end {
      let byte = url.base[position]
      // Small letters, or digits, hyphens and dots.
      if byte &- UInt8(ascii: "a") >= 26, byte &- UInt8(ascii: "-") >= 13 || byte == UInt8(ascii: "/") {
        return false
      }
    }
    return true
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
      port = RouteTrie.Mark.user
    }
    let hostEnd = position
    let isInternet = SchemeKeys.defaultPort(scheme.key) != nil
    position = start
    if position < hostEnd, url.base[position] == UInt8(ascii: "[") {
      guard let after = endOfAddress(start, hostEnd),
        HostAddress.isLiteral(UnsafeBufferPointer(start: url.base + start + 1, count: after - start - 2))
      else { return .invalid }
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
        guard !byte.isForbiddenInHost, byte < 0x80 || !isInternet else { return .invalid }
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
      // A dot at the end says that there is nothing behind it: the host is the same.
      if position > start, position > labelStart || labelCount == 0 || tokens[labelCount &- 1].isEmpty {
        guard labelCount < RouteLimits.labels else { return .invalid }
        tokens[labelCount] = encodedToken(labelStart, position, .host)
        labelCount &+= 1
      }
      if isDigits, labelCount == 4, HostAddress.isIPv4(url.normalForm(start, position, .host)) {
        tokens[0] = encodedToken(start, position, .host)
        labelCount = 1
      } else if labelCount > 0, SchemeKeys.isSpecial(scheme.key),
        HostAddress.isNumber(
          url.normalForm(tokens[labelCount &- 1].start, tokens[labelCount &- 1].end, .host))
      {
        return .invalid
      }
    }
    guard labelCount > 0 || !isInternet else { return .invalid }
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
}

/// What is known of a few schemes, by their keys: their bytes, the first the lowest.
enum SchemeKeys {
  static func defaultPort(_ scheme: SegmentKey) -> UInt32? {
    guard scheme.high == 0 else { return nil }
    return switch scheme.low {
    case 0x7074_7468, 0x7377: 80  // http, ws
    case 0x73_7074_7468, 0x73_7377: 443  // https, wss
    case 0x70_7466: 21  // ftp
    default: nil
    }
  }

  /// Returns whether URLs of the scheme name a host or a local path.
  ///
  /// A host of theirs that ends in a number is an address.
  ///
  /// WHATWG URL, section 4.2, "special scheme".
  static func isSpecial(_ scheme: SegmentKey) -> Bool {
    defaultPort(scheme) != nil || scheme == SegmentKey(low: 0x656C_6966)  // file
  }

  /// Whether `+` is itself in the query: mailto, tel, sms, xmpp, magnet.
  static func isLiteral(_ scheme: SegmentKey) -> Bool {
    guard scheme.high == 0 else { return false }
    return switch scheme.low {
    case 0x6F74_6C69_616D, 0x6C_6574, 0x73_6D73, 0x7070_6D78, 0x7465_6E67_616D: true
    default: false
    }
  }
}
