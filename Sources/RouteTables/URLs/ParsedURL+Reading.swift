// SPDX-License-Identifier: Apache-2.0
extension ParsedURL {
  /// Parses a URL, or a bare path that begins with `/`.
  package init(_ bytes: borrowing Span<UInt8>) throws(RouteTableError) {
    try Self.check(bytes)
    var position = 0
    if bytes[0] != UInt8(ascii: "/") {
      let colon = try Self.endOfScheme(bytes)
      let scheme = URLSlice(0..<colon)
      self.scheme = scheme
      let name = String(decoding: Normalization.host.decode(scheme, of: bytes), as: UTF8.self)
      queryForm = .query(scheme: name)
      position = colon + 1
      if position + 1 < bytes.count, bytes[position] == UInt8(ascii: "/"),
        bytes[position + 1] == UInt8(ascii: "/")
      {
        let end = Self.end(of: position + 2, in: bytes) { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 }
        authority = try Self.authority(bytes, position + 2..<end, scheme: name)
        position = end
      } else if Self.isSpecial(scheme: name) {
        throw RouteTableError(.missingHost(scheme: name), at: position)
      }
    }
    let endOfPath = Self.end(of: position, in: bytes) { $0 == 0x3F || $0 == 0x23 }
    isRooted = authority != nil || (position < endOfPath && bytes[position] == UInt8(ascii: "/"))
    let start = position + (isRooted && position < endOfPath ? 1 : 0)
    segments = try Self.segments(bytes, start..<endOfPath, dropsDots: isRooted)
    if let scheme {
      var begin = Int(scheme.end) + 1
      while begin < min(Int(scheme.end) + 4, endOfPath), bytes[begin] == UInt8(ascii: "/") { begin += 1 }
      // If host and path together have too many segments, a pattern over joined segments cannot match.
      joinedSegments = (try? Self.segments(bytes, begin..<endOfPath, dropsDots: true)) ?? []
    }
    position = endOfPath
    if position < bytes.count, bytes[position] == UInt8(ascii: "?") {
      let end = Self.end(of: position, in: bytes) { $0 == 0x23 }
      query = URLSlice(position + 1..<end)
      position = end
    }
    if position < bytes.count { fragment = URLSlice(position + 1..<bytes.count) }
  }

  /// Rejects characters that no component can contain, invalid encodings, and URLs that exceed a limit.
  private static func check(_ bytes: borrowing Span<UInt8>) throws(RouteTableError) {
    guard bytes.count <= RouteLimits.bytes else { throw RouteTableError(.tooLong(bytes: bytes.count)) }
    guard !bytes.isEmpty else { throw RouteTableError(.missingScheme, at: 0) }
    var text = UTF8Check()
    var (position, items, isFragment) = (0, 0, false)
    var before: UInt8 = 0
    while position < bytes.count {
      let start = position
      let byte = bytes[position]
      if before == 0xC2, (0x80..<0xA0).contains(byte) {
        throw RouteTableError(.forbiddenCharacter("a control character"), at: start - 1)
      }
      before = byte
      if let name = byte.forbiddenName { throw RouteTableError(.forbiddenCharacter(name), at: start) }
      if byte == UInt8(ascii: "%") {
        guard position + 2 < bytes.count, bytes[position + 1].hexValue != nil,
          bytes[position + 2].hexValue != nil
        else { throw RouteTableError(.invalidPercentEncoding, at: start) }
      }
      let decoded = Normalization.path.next(bytes, &position)
      guard decoded != 0 else { throw RouteTableError(.forbiddenCharacter("`%00`"), at: start) }
      guard text.accept(decoded) else { throw RouteTableError(.invalidUTF8, at: start) }
      switch byte {
      case UInt8(ascii: "#"): isFragment = true
      case UInt8(ascii: "?") where items == 0 && !isFragment: items = 1
      case UInt8(ascii: "&") where items > 0 && !isFragment: items += 1
      default: break
      }
      guard items <= RouteLimits.queryItems else {
        throw RouteTableError(.tooMany("query items", limit: RouteLimits.queryItems), at: start)
      }
    }
    guard text.isComplete else { throw RouteTableError(.invalidUTF8, at: bytes.count) }
  }

  private static func endOfScheme(_ bytes: borrowing Span<UInt8>) throws(RouteTableError) -> Int {
    var position = 0
    guard bytes[0].isASCIILetter else { throw RouteTableError(.missingScheme, at: 0) }
    while position < bytes.count, bytes[position].isSchemeByte { position += 1 }
    guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
      throw RouteTableError(.missingScheme, at: 0)
    }
    return position
  }

  private static func end(
    of start: Int, in bytes: borrowing Span<UInt8>, where stops: (UInt8) -> Bool
  ) -> Int {
    var position = start
    while position < bytes.count, !stops(bytes[position]) { position += 1 }
    return position
  }

  private static func segments(
    _ bytes: borrowing Span<UInt8>, _ range: Range<Int>, dropsDots: Bool
  ) throws(RouteTableError) -> [URLSlice] {
    var segments: [URLSlice] = []
    var position = range.lowerBound
    var endsWithDots = false
    var count = 0
    while true {
      count += 1
      guard count <= RouteLimits.segments else {
        throw RouteTableError(.tooMany("path segments", limit: RouteLimits.segments), at: position)
      }
      let start = position
      while position < range.upperBound, bytes[position] != UInt8(ascii: "/") { position += 1 }
      let segment = URLSlice(start..<position)
      let dots =
        dropsDots && segment.range.count <= 6
        ? DotSegment(Normalization.path.decode(segment, of: bytes)) : nil
      if dots == nil { segments.append(segment) }
      if dots == .parent, !segments.isEmpty { segments.removeLast() }
      endsWithDots = dots != nil
      guard position < range.upperBound else { break }
      position += 1
    }
    if endsWithDots { segments.append(URLSlice(range.upperBound..<range.upperBound)) }
    return segments
  }
}
