/// A byte, a capture or a choice of a pattern's text, with the offset at which it stands.
struct PatternElement: BitwiseCopyable {
  enum Content: BitwiseCopyable {
    case byte(UInt8)
    /// A brace that was written twice: a byte, and never a delimiter.
    case brace(UInt8)
    /// The number of a capture.
    case capture(Int)
    /// The number of a `{:a|b}`.
    case choice(Int)
  }

  let content: Content
  let offset: Int

  /// Whether this is `byte` as it stands, and so may delimit.
  func isByte(_ byte: Unicode.Scalar) -> Bool {
    if case .byte(let own) = content { own == UInt8(ascii: byte) } else { false }
  }

  /// Whether this is text, be it a doubled brace.
  var isText: Bool {
    switch content {
    case .byte, .brace: true
    case .capture, .choice: false
    }
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

  /// Whether the elements begin with these bytes.
  func starts(with text: String) -> Bool {
    let scalars = text.unicodeScalars
    return count >= scalars.count && zip(self, scalars).allSatisfy { $0.isByte($1) }
  }
}

/// What the first pass over a pattern found.
struct PatternSource {
  var elements: [PatternElement] = []
  var captures: [RouteCapture] = []
  /// Where each capture stands.
  var captureOffsets: [Int] = []
  /// The bytes of each alternative of each `{:a|b}`.
  var choices: [[[PatternElement]]] = []
}
