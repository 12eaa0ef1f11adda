// SPDX-License-Identifier: Apache-2.0
extension URLTokenizer {
  /// Reads the scheme; returns the offset after its colon, or 0 if there is no scheme.
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
      ? encodedToken(from: 0, to: position, form: .host)
      : MatchToken(key: url.key(0, position), start: 0, end: position, isWritten: true)
    readsPlusAsSpace = !SchemeKeys.isLiteral(scheme.key)
    return position &+ 1
  }

  /// Reads a host of lower-case letters, digits, hyphens and dots, and sets `end` to the start of the path.
  ///
  /// Returns `nil`, with the state unchanged, if the authority contains other characters or may be an address.
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
      let key = SegmentKey.key(url.base, from: position, to: dot, limit: url.count)
      tokens[labelCount] = MatchToken(key: key, start: position, end: dot, isWritten: true)
      labelCount &+= 1
      position = dot &+ 1
    }
    // A last label that begins with `0x` may be a number; the key of a long label is a hash, which does not show its first bytes.
    let last = tokens[labelCount &- 1].key
    guard last.low & 0xFFFF != 0x7830, !last.mayBeHash else {
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
      // The range of 13 bytes from `-` contains the hyphen, the dot, the slash and the digits.
      if byte &- UInt8(ascii: "a") >= 26, byte &- UInt8(ascii: "-") >= 13 || byte == UInt8(ascii: "/") {
        return false
      }
    }
    return true
  }

  /// Reads `user@host:port`, and sets `end` to the start of the path.
  @inline(never)
  mutating func readAuthority(from begin: Int, limit: Int, end: inout Int) -> Outcome {
    var position = begin
    var start = begin
    var isDigits = false  // the last byte was a digit, so that the host may be an IPv4 address
    while position < limit {
      let byte = url.base[position]
      if byte == UInt8(ascii: "/") { break }
      if byte == UInt8(ascii: "@") { start = position &+ 1 }
      position &+= 1
    }
    end = position
    if start > begin {
      user = encodedToken(from: begin, to: start &- 1, form: .path)
      port = EdgeMark.user
    }
    let hostEnd = position
    let isInternet = SchemeKeys.defaultPort(scheme.key) != nil
    position = start
    if position < hostEnd, url.base[position] == UInt8(ascii: "[") {
      guard let after = endOfAddress(start, hostEnd),
        HostAddress.isLiteral(UnsafeBufferPointer(start: url.base + start + 1, count: after - start - 2))
      else { return .invalid }
      tokens[0] = encodedToken(from: start, to: after, form: .host)
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
        tokens[labelCount] = encodedToken(from: labelStart, to: before, form: .host)
        labelCount &+= 1
        labelStart = position
      }
      // A trailing dot only marks the name as fully qualified, so it adds no label.
      if position > start, position > labelStart || labelCount == 0 || tokens[labelCount &- 1].isEmpty {
        guard labelCount < RouteLimits.labels else { return .invalid }
        tokens[labelCount] = encodedToken(from: labelStart, to: position, form: .host)
        labelCount &+= 1
      }
      if isDigits, labelCount == 4, HostAddress.isIPv4(url.normalForm(from: start, to: position, form: .host))
      {
        tokens[0] = encodedToken(from: start, to: position, form: .host)
        labelCount = 1
      } else if labelCount > 0, SchemeKeys.isSpecial(scheme.key),
        HostAddress.isNumber(
          url.normalForm(from: tokens[labelCount &- 1].start, to: tokens[labelCount &- 1].end, form: .host))
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

  /// Returns the offset after the `]` of an IP literal, where the authority must end or a port must follow.
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

/// Properties of a few schemes by their keys, which are the bytes of the scheme in little-endian order.
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

  /// Returns whether the scheme is special: its URLs name a host or a local path.
  ///
  /// The host of such a URL is an address if its last label is a number.
  ///
  /// WHATWG URL, section 4.2, "special scheme".
  static func isSpecial(_ scheme: SegmentKey) -> Bool {
    defaultPort(scheme) != nil || scheme == SegmentKey(low: 0x656C_6966)  // file
  }

  /// Returns whether `+` is a literal in the query: for mailto, tel, sms, xmpp and magnet.
  static func isLiteral(_ scheme: SegmentKey) -> Bool {
    guard scheme.high == 0 else { return false }
    return switch scheme.low {
    case 0x6F74_6C69_616D, 0x6C_6574, 0x73_6D73, 0x7070_6D78, 0x7465_6E67_616D: true
    default: false
    }
  }
}
