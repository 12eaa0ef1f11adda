// SPDX-License-Identifier: Apache-2.0
/// A decoder of the literals in a pattern.
enum PatternText {
  /// Decodes elements without captures, and rejects bytes and encodings that a URL cannot contain.
  static func literal(_ elements: PatternElements, form: Normalization) throws(RouteTableError) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(elements.count)
    var text = UTF8Check()
    var rest = elements
    var before: UInt8 = 0
    while let element = rest.popFirst() {
      var byte: UInt8
      switch element.content {
      case .capture, .choice: throw RouteTableError(.misplacedCapture("a literal"), at: element.offset)
      case .brace(let brace): byte = brace
      case .byte(let written):
        if let name = written.forbiddenName {
          throw RouteTableError(.forbiddenCharacter(name), at: element.offset)
        }
        // The C1 control characters U+0080 to U+009F are forbidden unencoded, as in a URL; they have two bytes in UTF-8.
        if before == 0xC2, (0x80..<0xA0).contains(written) {
          throw RouteTableError(.forbiddenCharacter("a control character"), at: element.offset - 1)
        }
        before = written
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
