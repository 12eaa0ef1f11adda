// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

extension RoutePatternParser {
  /// Reads `user@host:port`.
  func readAuthority(of text: PatternElements) throws(RouteTableError) -> RoutePattern.Authority {
    var authority = RoutePattern.Authority()
    var rest = text
    if let at = text.lastIndex(where: { $0.isByte("@") }) {
      authority.user = try part(text[..<at], in: .user, form: .path)
      rest = text[(at + 1)...]
    }
    var (host, port) = rest.cut { $0.isByte(":") }
    if rest.first?.isByte("[") == true {
      let (address, end) = rest.cut { $0.isByte("]") }
      host = rest[..<min(address.endIndex + 1, rest.endIndex)]
      port = end.dropFirst()
      authority.labels = [.literal(try self.address(host))]
    } else {
      try readHost(host, into: &authority)
    }
    guard let colon = port.first else { return authority }
    guard colon.isByte(":"), !host.isEmpty else { throw RouteTableError(.invalidHost, at: colon.offset) }
    authority.port = try self.port(port.dropFirst(), at: colon.offset + 1)
    return authority
  }

  private func address(_ elements: PatternElements) throws(RouteTableError) -> [UInt8] {
    var bytes: [UInt8] = []
    for element in elements {
      guard case .byte(let byte) = element.content, byte.isAddressByte || byte == 0x5B || byte == 0x5D else {
        throw RouteTableError(.invalidHost, at: element.offset)
      }
      bytes.append(byte.foldedASCII)
    }
    guard bytes.count > 2, bytes.last == UInt8(ascii: "]"),
      bytes.count(where: { $0 == UInt8(ascii: "[") }) == 1
    else { throw RouteTableError(.invalidHost, at: elements.first?.offset) }
    guard HostAddress.isLiteral(bytes.dropFirst().dropLast()) else {
      throw RouteTableError(.unusualAddress, at: elements.first?.offset)
    }
    return bytes
  }

  /// Reads `*`, `*.` and the labels; `%2E` separates labels like a dot, as in a URL.
  private func readHost(
    _ host: PatternElements, into authority: inout RoutePattern.Authority
  ) throws(RouteTableError) {
    guard !host.isEmpty else { return }
    let host = host.withDots
    let runs = host.runs(between: ".")
    authority.labels.reserveCapacity(runs.count)
    for (place, run) in runs.enumerated() {
      if let star = run.first(where: { $0.isByte("*") }) {
        guard place == 0, run.count == 1 else {
          throw RouteTableError(
            .invalidCapture("`*` is valid only as the first label of a host: `*.example.com`, or `*`"),
            at: star.offset)
        }
        authority.lead = host.count == 1 ? .any : .labels
        continue
      }
      let part = try mapped(try part(run, in: .host, form: .host), at: run.first?.offset)
      try check(part, run)
      if pattern.isRest(part), place > 0 {
        throw RouteTableError(
          .invalidCapture("a catch-all in a host must come first: `{name...}.example.com`"),
          at: run.first?.offset)
      }
      authority.labels.append(part)
    }
    guard authority.labels.count <= RouteLimits.labels else {
      throw RouteTableError(.tooMany("host labels", limit: RouteLimits.labels), at: host.first?.offset)
    }
    // A trailing dot only marks the name as fully qualified, so it adds no label.
    let labels = authority.labels
    let endsWithDot = labels.count > 1 && labels.last?.literal == [] && labels[labels.count - 2].literal != []
    if endsWithDot { authority.labels.removeLast() }
    for label in authority.labels {
      guard let number = label.wholeCapture, pattern.captures[number].type.hosts != nil,
        authority.hostCapture(of: pattern) == nil
      else { continue }
      let capture = pattern.captures[number]
      throw RouteTableError(
        .invalidCapture("`{\(capture.name)}` \(Self.isWholeHost(capture.type))"),
        at: source.captureOffsets[number])
    }
    joinAddress(&authority)
    if let last = authority.labels.last?.literal, pattern.schemes.contains(where: ParsedURL.isSpecial),
      HostAddress.isIPv4(last) ? endsWithDot : HostAddress.isNumber(last)
    {
      throw RouteTableError(.unusualAddress, at: host.first?.offset)
    }
  }

  /// Throws if a scheme requires a host, or for `file` an absolute path, and the pattern has none.
  ///
  /// No URL would match such a pattern.
  func checkHost(at offset: Int?) throws(RouteTableError) {
    guard pattern.options.authority == .host else { return }
    let hasHost = pattern.authority.map { !$0.labels.isEmpty || $0.lead != .none } ?? false
    let hasPath = pattern.authority != nil || pattern.isRooted
    guard
      let scheme = pattern.schemes.first(where: {
        $0 == "file" ? !hasPath : ParsedURL.defaultPort(of: $0) != nil && !hasHost
      })
    else { return }
    throw RouteTableError(.missingHost(scheme: scheme), at: offset)
  }

  /// Returns a host label, or a choice of labels, with its texts in ASCII as browsers map them.
  private func mapped(_ part: PatternPart, at offset: Int?) throws(RouteTableError) -> PatternPart {
    guard mapsEveryHost || pattern.schemes.contains(where: { ParsedURL.defaultPort(of: $0) != nil }) else {
      return part
    }
    if let text = part.literal, !text.isEmpty { return .literal(try mapped(text, at: offset)) }
    let pieces = part.pieces
    guard pieces.count == 1 else {
      guard !part.hasText(where: { $0.contains { $0 >= 0x80 } }) else {
        throw RouteTableError(.unmappedHost, at: offset)
      }
      return part
    }
    switch pieces[0] {
    case .choice(let alternatives):
      var mapped: [[[UInt8]]] = []
      for texts in alternatives {
        var labels: [[UInt8]] = []
        for text in texts { labels.append(try self.mapped(text, at: offset)) }
        mapped.append(labels)
      }
      var part = PatternPart(pieces: [.choice(mapped)])
      if !part.isSplit { part.language = try pattern.language(of: part, in: .host) }
      return part
    case .literal, .capture, .anything, .host: return part
    }
  }

  private func mapped(_ label: [UInt8], at offset: Int?) throws(RouteTableError) -> [UInt8] {
    let isASCII = label.allSatisfy { $0 < 0x80 }
    guard !isASCII || label.starts(with: "xn--".utf8) else { return label }
    guard let hostInASCII else {
      guard isASCII else { throw RouteTableError(.unmappedHost, at: offset) }
      return label
    }
    // Reject a text that maps to several labels, because the pattern contains no dot at which to split it.
    guard let text = hostInASCII(String(decoding: label, as: UTF8.self)),
      !text.utf8.contains(UInt8(ascii: "."))
    else { throw RouteTableError(.invalidHost, at: offset) }
    return Array(text.utf8)
  }

  private func check(_ part: PatternPart, _ run: PatternElements) throws(RouteTableError) {
    for number in part.captures {
      let type = pattern.captures[number].type
      if type.language != RouteType.string.language, type.hosts == nil,
        type.language.withoutEmptyText.commonText(with: .hostLabel) == nil
      {
        throw RouteTableError(.invalidCapture(Self.isNoLabel(type)), at: run.first?.offset)
      }
    }
    guard !part.hasText(where: { $0.contains(where: \.isForbiddenInHost) }) else {
      throw RouteTableError(.invalidHost, at: run.first?.offset)
    }
  }

  /// Returns an error text for a type that no host label can have.
  private static func isNoLabel(_ type: RouteType) -> String {
    let reason = "no host label has the type `\(type)`"
    let language = type.language
    if language.commonText(with: .addressLabel) != nil {
      return "\(reason), and an address is not a label: write " + RoutePattern.addressTypes
    }
    if let text = language.shortestText, text.utf8.contains(UInt8(ascii: ".")) {
      return "\(reason): labels are the parts between dots; for addresses, write "
        + RoutePattern.addressTypes
    }
    return "\(reason): a label is lowercase and has no space and none of `@:/?#%[]<>|^\\`; "
      + "addresses are \(RoutePattern.addressTypes)"
  }

  /// Replaces the four labels of an IPv4 address with a single label.
  private func joinAddress(_ authority: inout RoutePattern.Authority) {
    // Most hosts are names, which begin with a letter.
    guard authority.lead == .none, authority.labels.first?.literal?.first?.isASCIIDigit == true else {
      return
    }
    let texts = authority.labels.compactMap(\.literal)
    let text = Array(texts.joined(separator: [UInt8(ascii: ".")]))
    if texts.count == authority.labels.count, HostAddress.isIPv4(text) { authority.labels = [.literal(text)] }
  }

  private func port(
    _ elements: PatternElements, at offset: Int
  ) throws(RouteTableError) -> RoutePattern.Authority.Port {
    if elements.count == 1, elements.first?.isByte("*") == true { return .any }
    var texts: [[UInt8]] = [[]]
    for element in elements {
      switch element.content {
      case .byte(let byte), .brace(let byte): texts = texts.map { $0 + [byte] }
      case .capture:
        throw RouteTableError(.misplacedCapture("the port: write `:*` for any"), at: element.offset)
      case .choice(let number):
        let alternatives = source.choices[number].map { alternative in
          alternative.map { element -> UInt8 in
            if case .byte(let byte) = element.content { byte } else { UInt8(ascii: "x") }
          }
        }
        guard texts.count * alternatives.count <= RouteLimits.variants else {
          throw RouteTableError(.tooMany("ports", limit: RouteLimits.variants), at: element.offset)
        }
        texts = texts.flatMap { text in alternatives.map { text + $0 } }
      }
    }
    let own = pattern.schemes.count == 1 ? ParsedURL.defaultPort(of: pattern.schemes[0]) : nil
    var ports: [UInt16?] = []
    for text in texts {
      do {
        // The scheme's default port is equivalent to no port.
        let written = try ParsedURL.port(text)
        let port = written == own ? nil : written
        if !ports.contains(port) { ports.append(port) }
      } catch {
        throw RouteTableError(error.reason, at: offset)
      }
    }
    return .numbers(ports)
  }
}

extension PatternElements {
  /// The elements of a host, with a dot in place of each `%2E`.
  var withDots: PatternElements {
    guard contains(where: { $0.isByte("%") }) else { return self }
    var elements: PatternElements = []
    var rest = self
    while let first = rest.first {
      let isDot =
        rest.starts(with: "%2E") || rest.starts(with: "%2e")
      elements.append(isDot ? PatternElement(content: .byte(UInt8(ascii: ".")), offset: first.offset) : first)
      rest = rest.dropFirst(isDot ? 3 : 1)
    }
    return elements
  }
}
