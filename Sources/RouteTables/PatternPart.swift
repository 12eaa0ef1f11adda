/// Reads one place of a pattern: a literal, decoded, or one whole capture.
enum PatternPart {
  /// The components that hold such places.
  enum Component: String {
    case host = "the host"
    case path = "the path"
    case query = "the query"
    case fragment = "the fragment"

    /// What a place is called in a sentence.
    var place: String {
      switch self {
      case .host: "a host label"
      case .path: "a segment"
      case .query: "a query value"
      case .fragment: "the fragment"
      }
    }
  }

  /// Reads a literal or a whole capture.
  static func read(
    _ elements: PatternElements, in component: Component, form: TextForm
  ) throws(RouteTableError) -> RoutePattern.Part {
    guard let element = elements.first(where: { $0.capture != nil }), let capture = element.capture else {
      return .literal(try literal(elements, form: form))
    }
    guard elements.count == 1 else {
      throw RouteTableError(
        .notInThisVersion("a capture that is a part of \(component.place)"), at: element.offset)
    }
    if capture.isOptional {
      switch component {
      case .host: throw RouteTableError(.misplacedCapture("the host and be optional"), at: element.offset)
      case .path:
        throw RouteTableError(.notInThisVersion("an optional or defaulted segment"), at: element.offset)
      case .query, .fragment: break
      }
    }
    return .capture(capture)
  }

  /// Decodes a run without captures, and refuses what a URL may not hold either.
  static func literal(_ elements: PatternElements, form: TextForm) throws(RouteTableError) -> [UInt8] {
    var decoded: [UInt8] = []
    var text = UTF8Check()
    var rest = elements
    while let element = rest.popFirst() {
      var byte: UInt8
      switch element.content {
      case .capture: throw RouteTableError(.misplacedCapture("a literal"), at: element.offset)
      case .brace(let brace): byte = brace
      case .byte(let written):
        if let name = written.forbiddenName {
          throw RouteTableError(.forbiddenCharacter(name), at: element.offset)
        }
        byte = written
        if written == UInt8(ascii: "%") {
          guard let high = hex(rest.popFirst()), let low = hex(rest.popFirst()) else {
            throw RouteTableError(.invalidPercentEncoding, at: element.offset)
          }
          byte = high << 4 | low
        } else if form.readsPlusAsSpace, written == UInt8(ascii: "+") {
          byte = 0x20
        }
      }
      guard byte != 0 else { throw RouteTableError(.forbiddenCharacter("`%00`"), at: element.offset) }
      guard text.accept(byte) else { throw RouteTableError(.invalidUTF8, at: element.offset) }
      decoded.append(form.foldsCase ? byte.foldedASCII : byte)
    }
    guard text.isComplete else { throw RouteTableError(.invalidUTF8, at: elements.last?.offset) }
    return decoded
  }

  private static func hex(_ element: PatternElement?) -> UInt8? {
    if case .byte(let byte)? = element?.content { byte.hexValue } else { nil }
  }
}
