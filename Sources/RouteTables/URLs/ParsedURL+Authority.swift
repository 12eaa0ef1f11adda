// SPDX-License-Identifier: Apache-2.0
extension ParsedURL {
  /// Parses `user@host:port`.
  ///
  /// RFC 3986, section 3.2.
  static func authority(
    _ bytes: borrowing Span<UInt8>, _ range: Range<Int>, scheme: String
  ) throws(RouteTableError) -> Authority {
    var authority = Authority()
    var start = range.lowerBound
    for position in range where bytes[position] == UInt8(ascii: "@") { start = position + 1 }
    if start > range.lowerBound { authority.user = URLSlice(range.lowerBound..<start - 1) }
    var end = range.upperBound
    if start < end, bytes[start] == UInt8(ascii: "[") {
      end = try endOfAddress(bytes, start..<end)
      authority.labels = [URLSlice(start..<end)]
      let address = Normalization.path.decode(URLSlice(start + 1..<end - 1), of: bytes)
      guard HostAddress.isLiteral(address) else { throw RouteTableError(.unusualAddress, at: start) }
    } else {
      if let colon = (start..<end).first(where: { bytes[$0] == UInt8(ascii: ":") }) { end = colon }
      authority.labels = try labels(bytes, start..<end, isInternet: defaultPort(of: scheme) != nil)
      if let last = authority.labels.last, isSpecial(scheme: scheme),
        !HostAddress.isIPv4(Normalization.host.decode(last, of: bytes)),
        HostAddress.isNumber(Normalization.host.decode(last, of: bytes))
      {
        throw RouteTableError(.unusualAddress, at: start)
      }
    }
    guard !authority.labels.isEmpty || defaultPort(of: scheme) == nil else {
      throw RouteTableError(.missingHost(scheme: scheme), at: start)
    }
    if end < range.upperBound {
      guard !authority.labels.isEmpty else { throw RouteTableError(.invalidHost, at: start) }
      var digits: [UInt8] = []
      for position in end + 1..<range.upperBound { digits.append(bytes[position]) }
      do {
        authority.port = try port(digits)
      } catch {
        throw RouteTableError(error.reason, at: end + 1)
      }
      if authority.port == defaultPort(of: scheme) { authority.port = nil }
    }
    return authority
  }

  /// Returns the offset after the `]` of an IP literal, where the authority must end or a port must follow.
  private static func endOfAddress(
    _ bytes: borrowing Span<UInt8>, _ range: Range<Int>
  ) throws(RouteTableError) -> Int {
    var position = range.lowerBound + 1
    while position < range.upperBound, bytes[position] != UInt8(ascii: "]") {
      guard bytes[position].isAddressByte else { throw RouteTableError(.invalidHost, at: position) }
      position += 1
    }
    let end = position + 1
    guard end > range.lowerBound + 2, end <= range.upperBound,
      end == range.upperBound || bytes[end] == UInt8(ascii: ":")
    else { throw RouteTableError(.invalidHost, at: range.lowerBound) }
    return end
  }

  /// Returns the labels of a registered name, or the single label of an IPv4 address.
  ///
  /// `%2E` separates labels like a dot, because a dot is an unreserved character.
  private static func labels(
    _ bytes: borrowing Span<UInt8>, _ range: Range<Int>, isInternet: Bool
  ) throws(RouteTableError) -> [URLSlice] {
    guard !range.isEmpty else { return [] }
    if HostAddress.isIPv4(Normalization.host.decode(URLSlice(range), of: bytes)) { return [URLSlice(range)] }
    var labels: [URLSlice] = []
    var (start, position) = (range.lowerBound, range.lowerBound)
    while position < range.upperBound {
      let before = position
      let byte = Normalization.host.next(bytes, &position)
      guard !byte.isForbiddenInHost else { throw RouteTableError(.invalidHost, at: before) }
      guard byte < 0x80 || !isInternet else { throw RouteTableError(.unmappedHost, at: before) }
      guard byte == UInt8(ascii: ".") else { continue }
      labels.append(URLSlice(start..<before))
      start = position
    }
    // A trailing dot only marks the name as fully qualified, so it adds no label.
    if start < range.upperBound || labels.last?.isEmpty != false {
      labels.append(URLSlice(start..<range.upperBound))
    }
    guard labels.count <= RouteLimits.labels else {
      throw RouteTableError(.tooMany("host labels", limit: RouteLimits.labels), at: range.lowerBound)
    }
    return labels
  }
}

extension UInt8 {
  /// Indicates whether the byte is allowed between the brackets of an IP literal.
  ///
  /// RFC 3986, section 3.2.2.
  var isAddressByte: Bool {
    isASCIILetter || isASCIIDigit || "-._~!$&'()*+,;=:".utf8.contains(self)
  }
}
