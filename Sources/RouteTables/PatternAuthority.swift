/// Reads the `host:port` of a pattern.
enum PatternAuthority {
  static func read(_ text: PatternElements, scheme: String) throws(RouteTableError) -> RoutePattern.Authority
  {
    var authority = RoutePattern.Authority()
    var (host, port) = text.cut(before: ":")
    if text.first?.isByte("[") == true {
      let (address, rest) = text.cut(before: "]")
      host = text[..<min(address.endIndex + 1, text.endIndex)]
      port = rest.dropFirst()
      authority.labels = [.literal(try self.address(host))]
    } else {
      authority.labels = try labels(host)
    }
    guard let colon = port.first else { return authority }
    guard colon.isByte(":"), !host.isEmpty else { throw RouteTableError(.invalidHost, at: colon.offset) }
    authority.port = try self.port(port.dropFirst(), at: colon.offset + 1)
    if authority.port == URLParts.defaultPort(of: scheme) { authority.port = nil }
    return authority
  }

  private static func address(_ elements: PatternElements) throws(RouteTableError) -> [UInt8] {
    var bytes: [UInt8] = []
    for element in elements {
      guard case .byte(let byte) = element.content, byte.isAddressByte || "[]".utf8.contains(byte) else {
        throw RouteTableError(.invalidHost, at: element.offset)
      }
      bytes.append(byte.foldedASCII)
    }
    guard bytes.count > 2, bytes.last == UInt8(ascii: "]"),
      bytes.count(where: { $0 == UInt8(ascii: "[") }) == 1
    else { throw RouteTableError(.invalidHost, at: elements.first?.offset) }
    return bytes
  }

  /// A pattern's labels.
  ///
  /// `%2E` is a dot, as in a URL.
  private static func labels(_ host: PatternElements) throws(RouteTableError) -> [RoutePattern.Part] {
    guard !host.isEmpty else { return [] }
    var parts: [RoutePattern.Part] = []
    for run in host.runs(between: ".") {
      if let star = run.first(where: { $0.isByte("*") }) {
        throw RouteTableError(.notInThisVersion("`*` in the host"), at: star.offset)
      }
      let part = try PatternPart.read(run, in: .host, form: .host)
      guard case .literal(let bytes) = part else {
        parts.append(part)
        continue
      }
      for label in bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
        guard !label.contains(where: \.isForbiddenInHost) else {
          throw RouteTableError(.invalidHost, at: run.first?.offset)
        }
        parts.append(.literal(Array(label)))
      }
    }
    return joined(parts)
  }

  /// The labels of an IPv4 address are one unit.
  private static func joined(_ parts: [RoutePattern.Part]) -> [RoutePattern.Part] {
    var text: [UInt8] = []
    for (index, part) in parts.enumerated() {
      guard case .literal(let bytes) = part else { return parts }
      text += (index == 0 ? [] : [UInt8(ascii: ".")]) + bytes
    }
    return URLParts.isIPv4(text) ? [.literal(text)] : parts
  }

  private static func port(_ digits: PatternElements, at offset: Int) throws(RouteTableError) -> UInt16? {
    if digits.first?.isByte("*") == true {
      throw RouteTableError(.notInThisVersion("`:*`, any port,"), at: offset)
    }
    var bytes: [UInt8] = []
    for digit in digits {
      guard case .byte(let byte) = digit.content else {
        throw RouteTableError(.misplacedCapture("the port"), at: digit.offset)
      }
      bytes.append(byte)
    }
    do {
      return try URLParts.port(bytes)
    } catch {
      throw RouteTableError(error.reason, at: offset)
    }
  }
}
