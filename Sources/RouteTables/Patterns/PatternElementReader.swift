// SPDX-License-Identifier: Apache-2.0
/// The first parsing pass over a pattern, which reads braces before the text is split into components.
struct PatternElementReader {
  let bytes: [UInt8]
  /// The custom types that the pattern can name.
  let types: [RouteType]
  var position = 0
  /// The offset of the brace that was read last.
  private var begin = 0
  private(set) var source = PatternSource()

  /// Reads the bytes, doubled braces, captures and choices of `text`.
  ///
  /// With `explains`, an error about the syntax of another router contains the equivalent in the syntax of patterns.
  static func read(
    _ text: String, types: [RouteType], explains: Bool = true
  ) throws(RouteTableError) -> PatternSource {
    var reader = PatternElementReader(bytes: Array(text.utf8), types: types)
    do {
      try reader.readAll()
    } catch {
      guard explains else { throw error }
      throw ForeignSyntaxHint.error(error, in: reader.bytes, from: reader.begin, types: types)
    }
    return reader.source
  }

  private init(bytes: [UInt8], types: [RouteType]) {
    self.bytes = bytes
    self.types = types
    source.elements.reserveCapacity(bytes.count)
  }

  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func readAll() throws(RouteTableError) {
    while let byte = current {
      let start = position
      position += 1
      begin = start
      switch byte {
      case UInt8(ascii: "{") where current == byte, UInt8(ascii: "}") where current == byte:
        position += 1
        append(.brace(byte), start)
      case UInt8(ascii: "}"): throw RouteTableError(.strayBrace, at: start)
      case UInt8(ascii: "{") where accept(":"): try readChoice(from: start)
      case UInt8(ascii: "{"):
        let capture = try readCapture(from: start)
        guard !source.captures.contains(where: { $0.name == capture.name }) else {
          throw RouteTableError(.duplicateName(capture.name), at: start)
        }
        append(.capture(source.captures.count), start)
        source.captures.append(capture)
        source.captureOffsets.append(start)
        guard source.captures.count <= RouteLimits.captures else {
          throw RouteTableError(.tooMany("captures", limit: RouteLimits.captures), at: start)
        }
      default:
        // All bytes up to the next brace at once, because these are most of a pattern.
        position =
          bytes[position...].firstIndex { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") } ?? bytes.count
        source.elements.append(
          contentsOf: (start..<position).lazy.map { [bytes] in
            PatternElement(content: .byte(bytes[$0]), offset: $0)
          })
      }
    }
  }

  private mutating func append(_ content: PatternElement.Content, _ offset: Int) {
    source.elements.append(PatternElement(content: content, offset: offset))
  }

  /// Reads the rest of `{:a|b|}`, whose alternatives are literals that can contain `/` and `.`.
  private mutating func readChoice(from start: Int) throws(RouteTableError) {
    var alternatives: [[PatternElement]] = [[]]
    while true {
      guard let byte = current else { throw RouteTableError(.unclosedCapture, at: start) }
      let offset = position
      position += 1
      switch byte {
      case UInt8(ascii: "{") where current == byte, UInt8(ascii: "}") where current == byte:
        position += 1
        alternatives[alternatives.count - 1].append(PatternElement(content: .brace(byte), offset: offset))
      case UInt8(ascii: "{"): throw RouteTableError(.unclosedCapture, at: start)
      case UInt8(ascii: "?"), UInt8(ascii: "#"):
        throw RouteTableError(
          .invalidCapture("a choice of literals must not contain `?` or `#`: write `%3F` or `%23`"),
          at: offset)
      case UInt8(ascii: "|"): alternatives.append([])
      case UInt8(ascii: "}"):
        guard alternatives.count > 1 else {
          throw RouteTableError(.choiceOfOne, at: start)
        }
        append(.choice(source.choices.count), start)
        source.choices.append(alternatives)
        return
      default:
        alternatives[alternatives.count - 1].append(PatternElement(content: .byte(byte), offset: offset))
      }
    }
  }

  /// Reads `name[:type][...|*][?|=default]}`.
  private mutating func readCapture(from start: Int) throws(RouteTableError) -> RouteCapture {
    if current == UInt8(ascii: "@") { throw RouteTableError(.reservedName, at: position) }
    let name = try readName(from: start)
    let type = try accept(":") ? readType(from: start) : .string
    var extent = RouteCapture.Extent.single
    if accept("*") { extent = .list }
    if extent == .single, current == UInt8(ascii: "."), bytes[position...].starts(with: "...".utf8) {
      position += 3
      extent = .rest
    }
    let isOptional = accept("?")
    let value = !isOptional && accept("=") ? try readDefault(from: start) : nil
    if let value, !type.matches(value) {
      throw RouteTableError(.invalidDefault(value, type: type), at: start)
    }
    guard current != nil else { throw RouteTableError(.unclosedCapture, at: start) }
    guard accept("}") else { throw RouteTableError(.invalidName, at: position) }
    return RouteCapture(
      name: name, type: type, extent: extent, isOptional: isOptional, defaultValue: value)
  }

  mutating func accept(_ byte: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  mutating func readWord() -> String {
    let start = position
    while let byte = current, byte.isASCIILetter || byte.isASCIIDigit || byte == 0x5F || byte == 0x2D {
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func readName(from start: Int) throws(RouteTableError) -> String {
    let begin = position
    let name = readWord()
    guard let first = name.utf8.first, first.isASCIILetter || first == UInt8(ascii: "_") else {
      if current == nil, name.isEmpty { throw RouteTableError(.unclosedCapture, at: start) }
      throw RouteTableError(.invalidName, at: begin)
    }
    return name
  }

  /// Reads a default up to a single `}`; a doubled brace is a literal one.
  private mutating func readDefault(from start: Int) throws(RouteTableError) -> String {
    var value: [UInt8] = []
    while let byte = current {
      let isBrace = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
      let isDoubled = position + 1 < bytes.count && bytes[position + 1] == byte
      if isBrace, !isDoubled {
        guard byte == UInt8(ascii: "}") else { throw RouteTableError(.unclosedCapture, at: start) }
        break
      }
      value.append(byte)
      position += isBrace ? 2 : 1
    }
    return String(decoding: value, as: UTF8.self)
  }
}
