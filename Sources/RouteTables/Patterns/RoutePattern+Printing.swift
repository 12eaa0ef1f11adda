// SPDX-License-Identifier: Apache-2.0
extension RoutePattern: CustomStringConvertible {
  /// The pattern in normal form.
  ///
  /// Parsing it again with the same types and options results in an equal pattern.
  public var description: String {
    var text = Self.choice(schemes)
    if !excludedSchemes.isEmpty {
      text = "{!" + excludedSchemes.joined(separator: "|") + "}"
    } else if schemes.isEmpty, !isRooted {
      text = "*"
    }
    if !text.isEmpty { text += ":" }
    if let authority {
      text += "//" + self.text(of: authority)
    } else if !schemes.isEmpty, isRooted, segments.count > 1, segments.first == PatternPart() {
      // RFC 3986, section 6.2.3: otherwise `//` would be parsed as the start of an authority.
      text += options.authority == .segment ? "//" : "/."
    }
    if isRooted { text += "/" }
    text += segments.map { self.text(of: $0, .path) }.joined(separator: "/")
    for (index, item) in query.enumerated() {
      text += index == 0 ? "?" : "&"
      if item.test == .absent { text += "!" }
      text += Self.encode(item.key, reserved: "&=#%+!")
      if let value = item.value { text += "=" + self.text(of: value, .query) }
    }
    if let fragment { text += "#" + self.text(of: fragment, .fragment) }
    return text
  }

  private static func choice(_ texts: [String]) -> String {
    texts.count == 1 ? texts[0] : texts.isEmpty ? "" : "{:" + texts.joined(separator: "|") + "}"
  }

  package func text(of authority: Authority) -> String {
    var text = authority.user.map { self.text(of: $0, .user) + "@" } ?? ""
    switch authority.lead {
    case .none: break
    case .labels: text += "*."
    case .any: text += "*"
    }
    text += authority.labels.map { label in
      guard let literal = label.literal, literal.first == UInt8(ascii: "[") else {
        return self.text(of: label, .host)
      }
      // An IP literal is parsed without decoding, and `*` is an allowed byte in it.
      return String(decoding: literal, as: UTF8.self)
    }.joined(separator: ".")
    switch authority.port {
    case .any: text += ":*"
    case .numbers([nil]): break
    case .numbers(let ports): text += ":" + Self.choice(ports.map { $0.map { String($0) } ?? "" })
    }
    return text
  }

  /// Returns the part as written in a pattern.
  package func text(of part: PatternPart, _ component: PatternComponent) -> String {
    let reserved = component.reserved
    return part.pieces.map { piece in
      switch piece {
      case .literal(let bytes): Self.encode(bytes, reserved: reserved)
      case .capture(let number): Self.text(of: captures[number])
      case .anything: "*"
      case .host(_, let number): Self.text(of: captures[number])
      case .choice(let alternatives):
        "{:"
          + alternatives.map { texts in
            texts.map { Self.encode($0, reserved: reserved + "|?#") }
              .joined(separator: component.separator.map { String($0) } ?? "")
          }.joined(separator: "|") + "}"
      }
    }.joined()
  }

  /// Returns the capture as written in a pattern.
  package static func text(of capture: RouteCapture) -> String {
    var text = "{" + capture.name
    if capture.type.name != RouteType.string.name { text += ":" + capture.type.name }
    switch capture.extent {
    case .single: break
    case .rest: text += "..."
    case .list: text += "*"
    }
    if let value = capture.defaultValue {
      text += "="
      for scalar in value.unicodeScalars {
        text.unicodeScalars.append(scalar)
        if scalar == "{" || scalar == "}" { text.unicodeScalars.append(scalar) }
      }
    } else if capture.isOptional {
      text += "?"
    }
    return text + "}"
  }

  /// Percent-encodes reserved and forbidden bytes, and doubles braces.
  package static func encode(_ bytes: [UInt8], reserved: String) -> String {
    var encoded: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      // The C1 control characters U+0080 to U+009F have two bytes, and both are encoded.
      let isControl =
        byte == 0xC2 && index + 1 < bytes.count && (0x80..<0xA0).contains(bytes[index + 1])
        || (0x80..<0xA0).contains(byte) && index > 0 && bytes[index - 1] == 0xC2
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}"), !reserved.utf8.contains(byte) {
        encoded += [byte, byte]
      } else if isControl || byte.forbiddenName != nil || reserved.utf8.contains(byte) {
        let digits = Array("0123456789ABCDEF".utf8)
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        encoded.append(byte)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Returns text as written in a URL, in which braces are percent-encoded rather than doubled.
  package static func undoubled(_ bytes: [UInt8], reserved: String) -> String {
    encode(bytes, reserved: reserved + "{}")
  }
}

extension PatternComponent {
  /// The bytes that must be percent-encoded in a literal of the component.
  package var reserved: String {
    switch self {
    case .user: "/?#%@"
    case .host: "*%"
    case .path: "/?#%"
    case .query: "&#%+"
    case .fragment: "%"
    }
  }
}
