// SPDX-License-Identifier: Apache-2.0
/// A parser for templates, which consist of bytes, doubled braces and placeholders.
struct TemplateReader {
  private let bytes: [UInt8]
  private var position = 0

  static func read(_ text: String) throws(RouteTableError) -> [ActionTemplate.Element] {
    guard text.utf8.count <= RouteLimits.bytes else {
      throw RouteTableError(.tooLong(bytes: text.utf8.count))
    }
    var reader = TemplateReader(bytes: Array(text.utf8))
    return try reader.readAll()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func readAll() throws(RouteTableError) -> [ActionTemplate.Element] {
    var elements: [ActionTemplate.Element] = []
    var holes = 0
    while position < bytes.count {
      let (start, byte) = (position, bytes[position])
      position += 1
      switch byte {
      case 0: throw RouteTableError(.forbiddenCharacter("NUL"), at: start)
      case UInt8(ascii: "{") where accept(byte), UInt8(ascii: "}") where accept(byte):
        elements.append(.byte(byte))
      case UInt8(ascii: "}"): throw RouteTableError(.strayBrace, at: start)
      case UInt8(ascii: "{"):
        elements.append(.hole(try readHole(from: start)))
        holes += 1
        guard holes <= RouteLimits.captures else {
          throw RouteTableError(.tooMany("captures", limit: RouteLimits.captures), at: start)
        }
      default: elements.append(.byte(byte))
      }
    }
    return elements
  }

  /// Parses the remainder of `{name}` or `{name=default}`.
  private mutating func readHole(from start: Int) throws(RouteTableError) -> ActionTemplate.Hole {
    let isReserved = accept(UInt8(ascii: "@"))
    let nameStart = position
    while position < bytes.count, bytes[position].isNameByte { position += 1 }
    let name = String(decoding: bytes[nameStart..<position], as: UTF8.self)
    guard position < bytes.count else { throw RouteTableError(.unclosedCapture, at: start) }
    let value = accept(UInt8(ascii: "=")) ? try readDefault(from: start) : nil
    guard accept(UInt8(ascii: "}")) else {
      let sentence = "a template names a capture without its type: `{name}` or `{name=default}`"
      throw RouteTableError(.invalidCapture(sentence), at: position)
    }
    let filling: ActionTemplate.Filling
    switch (isReserved, name) {
    case (true, "url"): filling = .url
    case (true, "source"): filling = .source
    case (true, _):
      guard let part = URLTemplate.Part(rawValue: name) else {
        throw RouteTableError(
          .invalidCapture(
            "unknown variable `{@\(name)}`: write `{@url}`, `{@source}`, or a part of the URL such as `{@query}`"
          ),
          at: start)
      }
      guard value == nil else {
        throw RouteTableError(.invalidCapture("`{@\(name)}` has no default: remove `=`"), at: start)
      }
      filling = .part(part)
    case (false, _):
      guard let first = name.utf8.first, first.isASCIILetter || first == UInt8(ascii: "_") else {
        throw RouteTableError(.invalidName, at: nameStart)
      }
      filling = .capture(name)
    }
    return ActionTemplate.Hole(filling: filling, defaultValue: value, offset: start)
  }

  /// Parses a default up to a single `}`; two equal braces stand for one.
  private mutating func readDefault(from start: Int) throws(RouteTableError) -> String {
    var value: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") {
        guard position + 1 < bytes.count, bytes[position + 1] == byte else { break }
        position += 1
      }
      guard byte != 0 else { throw RouteTableError(.forbiddenCharacter("NUL"), at: position) }
      value.append(byte)
      position += 1
    }
    guard position < bytes.count else { throw RouteTableError(.unclosedCapture, at: start) }
    return String(decoding: value, as: UTF8.self)
  }

  private mutating func accept(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }
}

extension UInt8 {
  /// Indicates whether the byte may occur in a capture's name.
  fileprivate var isNameByte: Bool {
    isASCIILetter || isASCIIDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
  }
}
