// SPDX-License-Identifier: Apache-2.0
/// Splits an Exec line into arguments, undoes quotes, and finds the field codes.
struct ExecLineReader {
  let line: String
  private(set) var warnings: [ExecLine.Warning] = []

  init(line: String) { self.line = line }

  mutating func arguments() throws(FreedesktopError) -> [ExecLine.Argument] {
    var arguments: [ExecLine.Argument] = []
    for word in try words() {
      if let argument = argument(word) { arguments.append(argument) }
    }
    guard !arguments.isEmpty else { throw .invalidExec(line, reason: "it names no program") }
    checkCodes(of: arguments)
    return arguments
  }

  /// A part of a word that is entirely quoted or unquoted, as `codeInQuotes` has to distinguish them.
  struct Stretch {
    var bytes: [UInt8] = []
    let isQuoted: Bool
  }

  mutating func words() throws(FreedesktopError) -> [[Stretch]] {
    var words: [[Stretch]] = []
    var word: [Stretch] = []
    var bytes = Array(line.utf8)[...]
    while let byte = bytes.popFirst() {
      switch byte {
      case 0x20, 0x09, 0x0A:
        if !word.isEmpty { words.append(word) }
        word = []
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if byte == UInt8(ascii: "'") { warn(.unquoted("'")) }
        let stretch = try quoted(by: byte, &bytes)
        if !word.isEmpty || bytes.first.map(Self.separates) == false { warn(.quoteInsideArgument) }
        word.append(stretch)
      case UInt8(ascii: "\\"):
        warn(.unquoted("\\"))
        guard let next = bytes.popFirst() else {
          throw .invalidExec(line, reason: "it ends with a single \\")
        }
        Self.append(next, to: &word)
      default:
        if Self.mustBeQuoted.contains(byte) { warn(.unquoted(Character(UnicodeScalar(byte)))) }
        Self.append(byte, to: &word)
      }
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  /// Returns the first word, without its quotes; `nil` if there is none, or if the line cannot be split.
  static func firstWord(of line: String) -> String? {
    guard marks.contains(where: { line.utf8.span.place(of: $0) != nil }) else {
      let word = line.utf8.drop(while: separates).prefix { !separates($0) }
      return word.isEmpty ? nil : String(Substring(word))
    }
    var reader = Self(line: line)
    guard let word = try? reader.words().first else { return nil }
    return String(decoding: word.flatMap(\.bytes), as: UTF8.self)
  }

  private func quoted(by quote: UInt8, _ bytes: inout ArraySlice<UInt8>) throws(FreedesktopError) -> Stretch {
    var stretch = Stretch(isQuoted: true)
    while let byte = bytes.popFirst() {
      if byte == quote { return stretch }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), let next = bytes.first,
        Self.escapable.contains(next)
      {
        stretch.bytes.append(next)
        bytes.removeFirst()
      } else {
        stretch.bytes.append(byte)
      }
    }
    throw .invalidExec(line, reason: "a quote is not closed")
  }

  /// Returns the argument of a word; `nil` if it expands to nothing, such as a single deprecated code.
  private mutating func argument(_ word: [Stretch]) -> ExecLine.Argument? {
    var pieces: [ExecLine.Piece] = []
    var text: [UInt8] = []
    var isPlain = true
    func endText() {
      if !text.isEmpty { pieces.append(.text(String(decoding: text, as: UTF8.self))) }
      text = []
    }
    for stretch in word {
      var bytes = stretch.bytes[...]
      while let byte = bytes.popFirst() {
        guard byte == UInt8(ascii: "%") else {
          text.append(byte)
          continue
        }
        switch meaning(of: bytes.popFirst(), isQuoted: stretch.isQuoted) {
        case .percent: text.append(byte)
        case .nothing: isPlain = false
        case .code(let code):
          endText()
          pieces.append(.code(code))
        }
      }
    }
    endText()
    if pieces.isEmpty, isPlain { pieces = [.text("")] }
    return pieces.isEmpty ? nil : ExecLine.Argument(pieces: pieces)
  }

  private enum Meaning {
    case percent
    case nothing
    case code(ExecLine.FieldCode)
  }

  /// Interprets a `%` together with the byte after it.
  private mutating func meaning(of letter: UInt8?, isQuoted: Bool) -> Meaning {
    guard let letter else {
      warn(.strayPercent)
      return .percent
    }
    let character = Character(UnicodeScalar(letter))
    if character == "%" { return .percent }
    if let code = ExecLine.FieldCode(rawValue: character) {
      if isQuoted { warn(.codeInQuotes) }
      return .code(code)
    }
    warn(Self.deprecated.contains(letter) ? .deprecatedCode(character) : .unknownCode(character))
    return .nothing
  }

  private mutating func checkCodes(of arguments: [ExecLine.Argument]) {
    var codes: [ExecLine.FieldCode] = []
    for argument in arguments {
      for case .code(let code) in argument.pieces where code.takesURLs {
        codes.append(code)
        if code.takesAll, argument.pieces.count > 1 { warn(.listCodeInsideArgument) }
      }
    }
    if codes.isEmpty { warn(.noURLCode) }
    if codes.count > 1 { warn(.severalURLCodes) }
    if !codes.isEmpty, codes.allSatisfy({ $0 == .file || $0 == .files }) { warn(.localFilesOnly) }
  }

  private mutating func warn(_ warning: ExecLine.Warning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }

  private static func append(_ byte: UInt8, to word: inout [Stretch]) {
    if word.last?.isQuoted != false { word.append(Stretch(isQuoted: false)) }
    word[word.count - 1].bytes.append(byte)
  }

  private static func separates(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A }

  /// The bytes that make splitting at blanks insufficient.
  private static let marks = Array("\"'\\".utf8)
  private static let escapable = Array("\"`$\\".utf8)
  private static let deprecated = Array("dDnNvm".utf8)
  static let mustBeQuoted = Array("><~|&;$*?#()`".utf8)
}
