/// The first pass over a pattern: braces are read before anything is split.
struct PatternElementReader {
  let bytes: [UInt8]
  /// The types that the pattern may name.
  let types: [RouteType]
  var position = 0
  private var elements: [PatternElement] = []
  private(set) var captures: [RouteCapture] = []

  /// Reads the bytes, the doubled braces and the captures of `text`.
  static func read(
    _ text: String, types: [RouteType]
  ) throws(RouteTableError) -> ([PatternElement], [RouteCapture]) {
    var reader = PatternElementReader(bytes: Array(text.utf8), types: types + RouteType.builtIn)
    try reader.readAll()
    return (reader.elements, reader.captures)
  }

  private init(bytes: [UInt8], types: [RouteType]) {
    self.bytes = bytes
    self.types = types
  }

  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func readAll() throws(RouteTableError) {
    while let byte = current {
      let start = position
      position += 1
      let isDoubled = current == byte
      switch byte {
      case UInt8(ascii: "{") where isDoubled, UInt8(ascii: "}") where isDoubled:
        position += 1
        elements.append(PatternElement(content: .brace(byte), offset: start))
      case UInt8(ascii: "}"): throw RouteTableError(.strayBrace, at: start)
      case UInt8(ascii: "{"):
        let capture = try readCapture(from: start)
        guard !captures.contains(where: { $0.name == capture.name }) else {
          throw RouteTableError(.duplicateName(capture.name), at: start)
        }
        captures.append(capture)
        guard captures.count <= RouteLimits.captures else {
          throw RouteTableError(.tooMany("captures", limit: RouteLimits.captures), at: start)
        }
        elements.append(PatternElement(content: .capture(capture), offset: start))
      default: elements.append(PatternElement(content: .byte(byte), offset: start))
      }
    }
  }

  /// Reads `name[:type][?|=default]}`.
  private mutating func readCapture(from start: Int) throws(RouteTableError) -> RouteCapture {
    switch current {
    case UInt8(ascii: ":"):
      throw RouteTableError(.notInThisVersion("`{:a|b}`, a choice of literals,"), at: start)
    case UInt8(ascii: "@"): throw RouteTableError(.reservedName, at: position)
    default: break
    }
    let name = try readName(from: start)
    let type = try accept(":") ? readType(from: start) : .string
    if current == UInt8(ascii: "*") {
      throw RouteTableError(.notInThisVersion("`{\(name)*}`, a list,"), at: start)
    }
    if current == UInt8(ascii: ".") {
      throw RouteTableError(.notInThisVersion("`{\(name)...}`, a rest,"), at: start)
    }
    let isOptional = accept("?")
    let value = !isOptional && accept("=") ? try readDefault(from: start) : nil
    if let value, !type.takes(value) {
      throw RouteTableError(.invalidDefault(value, type: type), at: start)
    }
    guard current != nil else { throw RouteTableError(.unclosedCapture, at: start) }
    guard accept("}") else { throw RouteTableError(.invalidName, at: position) }
    return RouteCapture(name: name, type: type, isOptional: isOptional, defaultValue: value)
  }

  mutating func accept(_ byte: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  mutating func readWord() -> String {
    let start = position
    while let byte = current, byte.isASCIILetter || byte.isASCIIDigit || "_-".utf8.contains(byte) {
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

  /// Reads a default as it stands, up to a single `}`; braces of its own are doubled.
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
