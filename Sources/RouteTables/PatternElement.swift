/// A byte or a capture of a pattern's text, with the offset at which it stands.
struct PatternElement {
  enum Content {
    case byte(UInt8)
    case capture(RouteCapture)
    /// A brace that was written twice: a byte, and never a delimiter.
    case brace(UInt8)
  }

  let content: Content
  let offset: Int

  /// Whether this is `byte` as it stands, and so may delimit.
  func isByte(_ byte: Unicode.Scalar) -> Bool {
    if case .byte(let own) = content { own == UInt8(ascii: byte) } else { false }
  }

  var capture: RouteCapture? {
    if case .capture(let capture) = content { capture } else { nil }
  }
}

typealias PatternElements = ArraySlice<PatternElement>

extension PatternElements {
  /// The elements up to the first of `delimiters`, and the rest that begins with it.
  func cut(before delimiters: Unicode.Scalar...) -> (PatternElements, PatternElements) {
    let index = firstIndex { element in delimiters.contains { element.isByte($0) } } ?? endIndex
    return (self[..<index], self[index...])
  }

  /// The runs between `delimiter`s, empty ones included.
  func runs(between delimiter: Unicode.Scalar) -> [PatternElements] {
    split(omittingEmptySubsequences: false) { $0.isByte(delimiter) }
  }
}
