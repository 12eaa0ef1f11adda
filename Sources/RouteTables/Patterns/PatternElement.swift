// SPDX-License-Identifier: Apache-2.0
/// A byte, a capture or a choice of a pattern, and its offset in the text.
struct PatternElement: BitwiseCopyable {
  enum Content: BitwiseCopyable {
    case byte(UInt8)
    /// A doubled brace: a literal byte that is never a delimiter.
    case brace(UInt8)
    /// The number of a capture.
    case capture(Int)
    /// The number of a choice `{:a|b}`.
    case choice(Int)
  }

  let content: Content
  let offset: Int

  /// Returns whether the element is the byte `byte`, not doubled, so that it can be a delimiter.
  func isByte(_ byte: Unicode.Scalar) -> Bool {
    if case .byte(let own) = content { own == UInt8(ascii: byte) } else { false }
  }

  /// Indicates whether the element is a byte at which an authority ends.
  var endsAuthority: Bool { isByte("/") || isByte("?") || isByte("#") }

  /// Indicates whether the element is literal text, including a doubled brace.
  var isText: Bool {
    switch content {
    case .byte, .brace: true
    case .capture, .choice: false
    }
  }
}

typealias PatternElements = ArraySlice<PatternElement>

extension PatternElements {
  /// Returns the elements before the first delimiter, and the remaining elements from that delimiter on.
  func cut(before isDelimiter: (PatternElement) -> Bool) -> (PatternElements, PatternElements) {
    let index = firstIndex(where: isDelimiter) ?? endIndex
    return (self[..<index], self[index...])
  }

  /// Returns the elements between occurrences of `delimiter`, including empty runs.
  func runs(between delimiter: Unicode.Scalar) -> [PatternElements] {
    var runs: [PatternElements] = []
    runs.reserveCapacity(count { $0.isByte(delimiter) } + 1)
    var start = startIndex
    for place in indices where self[place].isByte(delimiter) {
      runs.append(self[start..<place])
      start = place + 1
    }
    runs.append(self[start...])
    return runs
  }

  /// Returns whether the elements begin with the bytes of `text`.
  func starts(with text: String) -> Bool {
    let scalars = text.unicodeScalars
    return count >= scalars.count && zip(self, scalars).allSatisfy { $0.isByte($1) }
  }
}

/// The result of the first parsing pass over a pattern.
struct PatternSource {
  var elements: [PatternElement] = []
  var captures: [RouteCapture] = []
  /// The offset of each capture.
  var captureOffsets: [Int] = []
  /// The elements of each alternative of each choice `{:a|b}`.
  var choices: [[[PatternElement]]] = []
}
