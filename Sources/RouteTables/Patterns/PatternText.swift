// SPDX-License-Identifier: Apache-2.0
/// A decoder of the literals in a pattern.
enum PatternText {
  /// Decodes elements without captures, and rejects bytes and encodings that a URL cannot contain.
  static func literal(_ elements: PatternElements, form: Normalization) throws(RouteTableError) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(elements.count)
    var text = UTF8Check()
    var place = elements.startIndex
    func nextDigit() -> UInt8? {
      guard place < elements.endIndex, case .byte(let byte) = elements[place].content else { return nil }
      place += 1
      return byte.hexValue
    }
    var before: UInt8 = 0
    while place < elements.endIndex {
      let element = elements[place]
      place += 1
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
          guard let high = nextDigit(), let low = nextDigit() else {
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
}
