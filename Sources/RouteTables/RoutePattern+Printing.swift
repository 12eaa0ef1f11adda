extension RoutePattern: CustomStringConvertible {
  /// The pattern in normal form; reading it again gives an equal pattern.
  public var description: String { text { Self.text(of: $0) } }

  /// The pattern as text with every capture replaced, literal braces doubled.
  func text(replacing capture: (RouteCapture) -> String) -> String {
    var text = ""
    if let scheme { text += scheme + ":" }
    if let authority {
      text += "//" + authority.labels.map { self.text(of: $0, "", capture) }.joined(separator: ".")
      if let port = authority.port { text += ":\(port)" }
    } else if scheme != nil, isRooted, segments.count > 1, segments.first == .literal([]) {
      text += "/."  // RFC 3986, section 6.2.3: keeps `//` from reading as an authority
    }
    if isRooted { text += "/" }
    text += segments.map { self.text(of: $0, "/?#%", capture) }.joined(separator: "/")
    for (index, item) in query.enumerated() {
      text += index == 0 ? "?" : "&"
      text += Self.encode(item.key, reserved: "&=#%+!")
      if let value = item.value { text += "=" + self.text(of: value, "&#%+", capture) }
    }
    if let fragment { text += "#" + self.text(of: fragment, "%", capture) }
    return text
  }

  private func text(of part: Part, _ reserved: String, _ capture: (RouteCapture) -> String) -> String {
    switch part {
    case .literal(let bytes): Self.encode(bytes, reserved: reserved)
    case .capture(let declared): capture(declared)
    }
  }

  /// The capture as a pattern writes it.
  static func text(of capture: RouteCapture) -> String {
    var text = "{" + capture.name
    if capture.type.name != RouteType.string.name { text += ":" + capture.type.name }
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

  /// Percent-encodes what cannot stand as it is, and doubles braces.
  static func encode(_ bytes: [UInt8], reserved: String) -> String {
    var encoded: [UInt8] = []
    for byte in bytes {
      if "{}".utf8.contains(byte), !reserved.utf8.contains(byte) {
        encoded += [byte, byte]
      } else if byte.forbiddenName != nil || reserved.utf8.contains(byte) {
        let digits = Array("0123456789ABCDEF".utf8)
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        encoded.append(byte)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
