// SPDX-License-Identifier: Apache-2.0
/// The code of a shell into which values are inserted, with the place of each value.
///
/// The scanner knows quotes, substitutions, redirections, comments and commands of POSIX shells. From a construct on that shells read
/// differently, such as `$'`, `((`, `${x:-y}` or a here-document, every place is `enclosed`.
///
/// ```swift
/// ShellCode(["cd /tmp; prog ", nil]).places     // [.word]
/// ShellCode(["prog \"", nil, "\""]).places      // [.quoted]
/// ShellCode(["prog \"x ", nil, "\""]).places    // [.enclosed]
/// ShellCode(["python3 -c ", nil]).places        // [.forbidden]
/// ```
package struct ShellCode {
  /// The place of a value in the code.
  package enum Place: Hashable, Sendable {
    /// Outside of quotes and substitutions: a word in single quotes is one argument, or a part of one.
    case word
    /// Inside quotes, in a word without blanks: a text without quotes, `\\`, `$` and backquotes is a part of one argument.
    case quoted
    /// Inside a substitution, or inside quotes around what may be code: only a text without meaning to a shell can be inserted.
    case enclosed
    /// Outside of quotes, where the value selects a program.
    case program
    /// A place at which the value is code for another interpreter, or selects a program inside of a substitution.
    case forbidden
  }

  /// The use of an argument that the code does not only pass on.
  package enum Use: Hashable, Sendable {
    /// The code runs the argument, or loads what it names.
    case code
    /// The code evaluates the argument in arithmetic or as the name of a variable, in which a number is only a number.
    case arithmetic
  }

  /// A command of the code.
  struct Command {
    /// The words, except redirections.
    var words: [[UInt8]] = []
    /// Indicates whether the standard input is a pipe or a file.
    var readsInput = false
    /// Indicates whether an inspected argument or a value may be a part of the standard input.
    var readsArgument = false
    /// The number of bytes before the delimiter of a here-document, and the delimiter.
    var document: (start: Int, delimiter: [UInt8])?
  }

  /// The places of the values, in order.
  package internal(set) var places: [Place] = []
  /// The commands, also those in substitutions.
  private(set) var commands: [Command] = []
  /// All text, in which `Self.value` represents a value.
  private(set) var text: [UInt8] = []
  /// Indicates that the rest cannot be scanned.
  private(set) var isLost = false
  /// Indicates whether a word contains an inspected argument or a value.
  private(set) var hasArgument = false
  /// Indicates whether an inspected argument or a value is a part of arithmetic, in which bash runs the substitution in `a[$(id)]`.
  private(set) var evaluatesArgument = false

  private enum Context {
    case single
    case double
    /// `$(`
    case substitution
    /// `<(` or `>(`
    case process
    case subshell
    /// `NAME=(`
    case array
    /// The second parenthesis of `((`.
    case arithmetic
    case backquote
    case parameter
    case comment
  }

  /// The state of the command that is being read; there is another one in each substitution.
  private struct Frame {
    var command = Command()
    /// The word so far; `nil` between words.
    var word: [UInt8]?
    /// The numbers of the values in quotes in the word so far.
    var quotedValues: [Int] = []
    var isAtProgram = true
    /// The number of redirections whose file is still to come.
    var redirections = 0
    /// The number of `<` in the last redirection.
    var inputSigns = 0
    /// The number of bytes before the delimiter of the last here-document.
    var documentStart = 0
    /// The word, of which the rest is a parameter in braces, begins with this many bytes.
    var parameterStart = 0
    /// Indicates whether the code of the substitution contains a value, and an inspected argument.
    var (hasValue, hasArgument) = (false, false)
  }

  private var contexts: [Context] = []
  private var frame = Frame()
  private var outerFrames: [Frame] = []
  private var isEscaped = false
  /// The last byte, if it was neither quoted nor escaped.
  private var previous: UInt8 = 0
  /// The numbers that an inspected argument may have, as `0` for `$0`.
  let numbers: ClosedRange<Int>
  /// Indicates whether the standard input of a command, and the variables that it reads from there, may contain an inspected argument.
  private(set) var readsArgument = false
  /// The variables whose value contains an inspected argument or a value.
  private var variables: Set<String> = []

  /// The byte that represents a value, which no other text contains.
  static let value: UInt8 = 0

  /// The bytes that represent a quoted `$` and a quoted backquote, which are code only to another shell.
  private static let (quotedDollar, quotedBackquote): (UInt8, UInt8) = (1, 2)

  /// Scans code; `nil` represents a value.
  ///
  /// - Parameter isPOSIX: `false` for a shell with another syntax, such as fish, of which only the simplest code is understood.
  package init(_ parts: [[UInt8]?], isPOSIX: Bool = true) {
    numbers = 1...Int.max
    for part in parts {
      guard let part else {
        addValue()
        text.append(Self.value)
        continue
      }
      if !isPOSIX, part.contains(where: { !Self.isPlain($0) && !" ;&|".utf8.contains($0) }) { isLost = true }
      read(part)
    }
    endCode()
    restrict()
  }

  /// Scans the code of a POSIX shell that has arguments.
  ///
  /// - Parameter numbers: The numbers that the inspected argument may have, of which `0` stands for `$0`.
  package init(_ code: [UInt8], numbers: ClosedRange<Int>) {
    self.init(scanning: code, numbers, readsArgument: false)
    // What moves the arguments, and what is read from a pipe, may precede or follow its use, as in a loop.
    let isMoved = numbers.upperBound > 0 && movesArguments
    guard isMoved || commands.contains(where: inputHasArgument) else { return }
    self.init(
      scanning: code, isMoved ? min(numbers.lowerBound, 1)...Int.max : numbers,
      readsArgument: commands.contains(where: inputHasArgument))
  }

  private init(scanning code: [UInt8], _ numbers: ClosedRange<Int>, readsArgument: Bool) {
    (self.numbers, self.readsArgument) = (numbers, readsArgument)
    read(code)
    endCode()
  }

  /// Returns the code that a word of a command is to another shell.
  static func code(of word: String) -> [UInt8] {
    word.utf8.map { byte in
      switch byte {
      case quotedDollar: UInt8(ascii: "$")
      case quotedBackquote: UInt8(ascii: "`")
      default: byte
      }
    }
  }

  /// Returns whether a byte has no meaning to any shell.
  package static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      true
    default: "_-./:@%+,=".utf8.contains(byte)
    }
  }

  /// Returns whether a word contains a value or an inspected argument: `$1`, `$@`, `${1}`, or a variable that has one.
  func isArgument(_ word: some StringProtocol) -> Bool {
    let bytes = Array(word.utf8)
    return bytes.indices.contains { index in
      guard bytes[index] == UInt8(ascii: "$") else { return bytes[index] == Self.value }
      let name = bytes[(index + 1)...].drop { "{!".utf8.contains($0) }
      let variable = name.prefix { Self.isPlain($0) && !"-./:@%+,=".utf8.contains($0) }
      if variables.contains(String(decoding: variable, as: UTF8.self)) { return true }
      guard let first = name.first else { return false }
      if "@*".utf8.contains(first) { return numbers.upperBound > 0 }
      // `$10` is `$1` and a zero, but `${10}` is one argument.
      let isInBraces = name.startIndex > index + 1
      let digits = name.prefix(isInBraces ? .max : 1).prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      return Int(String(decoding: digits, as: UTF8.self)).map(numbers.contains) ?? false
    }
  }

  private mutating func addValue() {
    let isKnown = !isLost && !isEscaped && previous != UInt8(ascii: "$")
    let isOutside = isKnown && contexts.allSatisfy { [.subshell, .process, .array].contains($0) }
    if frame.isAtProgram, frame.word == nil, frame.redirections == 0 {
      places.append(isOutside ? .program : .forbidden)
    } else if isOutside {
      places.append(.word)
    } else if isKnown,
      contexts.allSatisfy({ [.single, .double, .subshell, .process, .array].contains($0) })
    {
      frame.quotedValues.append(places.count)
      places.append(.quoted)
    } else {
      places.append(.enclosed)
    }
    append(Self.value)
    (isEscaped, previous) = (false, 0)
  }

  private mutating func read(_ code: [UInt8]) {
    for byte in code {
      text.append(byte)
      read(byte)
    }
  }

  private mutating func read(_ byte: UInt8) {
    let before = previous
    previous = 0
    if isEscaped {
      isEscaped = false
      // An escaped newline is removed. Another escaped character has no meaning here, so that `.` represents it if it could have one.
      let byteOrSign = Self.literal(byte)
      let isKept = byteOrSign != byte || byte == UInt8(ascii: "\"") || Self.isPlain(byte)
      if byte != 0x0A { append(isKept ? byteOrSign : UInt8(ascii: ".")) }
      return
    }
    switch contexts.last {
    case .single:
      if byte == UInt8(ascii: "'") { contexts.removeLast() } else { append(Self.literal(byte)) }
    case .comment:
      if byte == 0x0A {
        contexts.removeLast()
        endCommand()
      }
    case .parameter: readParameter(byte)
    case .double: readQuoted(byte, after: before)
    case .backquote where "\"'\\$#".utf8.contains(byte):
      isLost = true
      if byte == UInt8(ascii: "$") { append(byte) }
    case nil, .subshell, .array, .arithmetic, .substitution, .process, .backquote:
      readCode(byte, after: before)
    }
  }

  private mutating func readParameter(_ byte: UInt8) {
    append(byte)
    if byte == UInt8(ascii: "}") {
      contexts.removeLast()
      endParameter()
    } else if byte != UInt8(ascii: "_"), !Self.isPlain(byte) || ":%+,=-./@".utf8.contains(byte) {
      isLost = true
    }
  }

  private mutating func readQuoted(_ byte: UInt8, after before: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): contexts.removeLast()
    case UInt8(ascii: "\\"): isEscaped = true
    case UInt8(ascii: "`"): openBackquote()
    case UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "["):
      substitute(byte, after: before)
    default:
      previous = byte
      append(byte)
    }
  }

  private mutating func readCode(_ byte: UInt8, after before: UInt8) {
    switch byte {
    case UInt8(ascii: "'"):
      if before == UInt8(ascii: "$") { isLost = true }
      frame.word = frame.word ?? []
      contexts.append(.single)
    case UInt8(ascii: "\""):
      frame.word = frame.word ?? []
      contexts.append(.double)
    case UInt8(ascii: "\\"): isEscaped = true
    case UInt8(ascii: "`"):
      if contexts.last == .backquote { closeSubstitution() } else { openBackquote() }
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if before == UInt8(ascii: "$") { return substitute(byte, after: before) }
      // `[[` is a test, which evaluates a quoted text again; `a[x]` does, too.
      if byte == UInt8(ascii: "["), frame.word != nil { isLost = true }
      append(byte)
    case UInt8(ascii: "("): readParenthesis(after: before)
    case UInt8(ascii: ")"):
      switch contexts.last {
      case .substitution, .process, .array: closeSubstitution()
      case .subshell, .arithmetic:
        // The end of the word first, because it depends on the context.
        endCommand()
        contexts.removeLast()
      // Without a parenthesis, it ends a pattern of `case`.
      default: endCommand()
      }
    case UInt8(ascii: "#") where frame.word == nil: contexts.append(.comment)
    case UInt8(ascii: "<"), UInt8(ascii: ">"): redirect(byte, after: before)
    case UInt8(ascii: "&"), UInt8(ascii: "|"):
      // `2>&1` and `>|` do not end the command.
      if before == UInt8(ascii: ">") || before == UInt8(ascii: "<") { return }
      endWord()
      let isJoined = before == UInt8(ascii: "|")
      let readsArgument = isJoined ? frame.command.readsArgument : mayWriteArgument(frame.command)
      endCommand()
      // `||` is no pipe, and `|&` is one.
      frame.command.readsInput = (byte == UInt8(ascii: "|")) != isJoined
      frame.command.readsArgument = frame.command.readsInput && readsArgument
      previous = byte
    case 0x20, 0x09: endWord()
    case 0x0A, UInt8(ascii: ";"): endCommand()
    default:
      previous = byte
      append(byte)
    }
  }

  private mutating func readParenthesis(after before: UInt8) {
    let byte = UInt8(ascii: "(")
    switch before {
    case UInt8(ascii: "$"): return substitute(byte, after: before)
    case UInt8(ascii: "<"), UInt8(ascii: ">"):
      frame.redirections = max(0, frame.redirections - 1)
      append(before)
      append(byte)
      openSubstitution(.process)
    case byte:
      // `((` is arithmetic, which evaluates a quoted text again.
      isLost = true
      endCommand()
      contexts.append(.arithmetic)
    case _ where frame.word?.last == UInt8(ascii: "="):
      append(byte)
      openSubstitution(.array)
      frame.isAtProgram = false
    default:
      endCommand()
      contexts.append(.subshell)
    }
    previous = byte
  }

  private mutating func redirect(_ byte: UInt8, after before: UInt8) {
    // `<<` is a here-document; `&>` is one redirection only in some shells.
    let isLosing = byte == UInt8(ascii: "<") ? before == byte : before == UInt8(ascii: "&")
    isLost = isLost || isLosing
    // `2>` has the number of a file descriptor.
    if frame.word?.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) == true { frame.word = nil }
    endWord()
    if before != UInt8(ascii: "<"), before != UInt8(ascii: ">") { frame.redirections += 1 }
    frame.inputSigns = byte == UInt8(ascii: "<") ? (before == byte ? frame.inputSigns : 0) + 1 : 0
    if frame.inputSigns == 2 { frame.documentStart = text.count }
    if byte == UInt8(ascii: "<") { frame.command.readsInput = true }
    previous = byte
  }

  private mutating func substitute(_ byte: UInt8, after before: UInt8) {
    append(byte)
    guard before == UInt8(ascii: "$") else { return }
    switch byte {
    case UInt8(ascii: "("):
      openSubstitution(.substitution)
      previous = byte
    case UInt8(ascii: "{"):
      frame.parameterStart = frame.word?.count ?? 0
      contexts.append(.parameter)
    default:
      // `$[` is arithmetic, of which the end is not searched.
      contexts.append(.arithmetic)
      isLost = true
    }
  }

  private mutating func openBackquote() {
    append(UInt8(ascii: "`"))
    if contexts.contains(.backquote) { isLost = true }
    openSubstitution(.backquote)
  }

  /// Begins the code of a substitution, which is a part of the current word.
  private mutating func openSubstitution(_ context: Context) {
    contexts.append(context)
    outerFrames.append(frame)
    frame = Frame()
  }

  private mutating func closeSubstitution() {
    endCommand()
    contexts.removeLast()
    guard let outer = outerFrames.popLast() else { return }
    let inner = frame
    frame = outer
    // The output may contain what the code contains.
    if inner.hasValue { append(Self.value) }
    if inner.hasArgument { frame.word?.append(contentsOf: (numbers.upperBound == 0 ? "$0" : "$@").utf8) }
    append(UInt8(ascii: ")"))
  }

  private static func literal(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "$"): quotedDollar
    case UInt8(ascii: "`"): quotedBackquote
    default: byte
    }
  }

  private mutating func append(_ byte: UInt8) {
    if frame.word == nil { frame.word = [] }
    frame.word?.append(byte)
  }

  /// Inspects the parameter in braces at the end of the current word: its subscript and its offset are arithmetic.
  private mutating func endParameter() {
    let text = String(decoding: (frame.word ?? []).dropFirst(frame.parameterStart), as: UTF8.self)
    let name = text.drop { $0 == "!" || $0 == "#" }
    let rest = name.drop { $0.isLetter || $0.isNumber || "_@*".contains($0) }
    let isOffset = rest.first == ":" && !(rest.dropFirst().first.map { "-=?+".contains($0) } ?? true)
    if rest.first == "[" || isOffset, isEvaluated(rest) { evaluatesArgument = true }
    // `${!1}` is the variable that the argument names, and bash runs the substitutions of a prompt in `${1@P}`.
    if text.hasPrefix("!") || text.hasSuffix("@P}"), isArgument("${\(name)") { evaluatesArgument = true }
  }

  /// Returns whether arithmetic contains a value, an inspected argument, or the name of a variable that has one.
  private func isEvaluated(_ text: some StringProtocol) -> Bool {
    isArgument(text)
      || text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains { variables.contains(String($0)) }
  }

  private mutating func endWord() {
    guard let ended = frame.word else { return }
    frame.word = nil
    // A word with blanks may be code that the program runs.
    if ended.contains(where: { " \t\n;&|<>()".utf8.contains($0) }) {
      for number in frame.quotedValues { places[number] = .enclosed }
    }
    frame.quotedValues = []
    let name = String(decoding: ended, as: UTF8.self)
    inspect(name)
    guard frame.redirections == 0 else {
      frame.redirections = 0
      if frame.inputSigns == 2 {
        frame.command.document = (
          frame.documentStart, ended.first == UInt8(ascii: "-") ? Array(ended.dropFirst()) : ended
        )
      } else if frame.inputSigns > 0, isArgument(name) {
        frame.command.readsArgument = true
      }
      return
    }
    frame.command.words.append(ended)
    // `let` evaluates its arguments again. A pattern of `case` has an unpaired parenthesis.
    if name == "let" || name == "case" && contexts.contains(where: { $0 != .single && $0 != .double }) {
      isLost = true
    }
    if frame.isAtProgram, !Self.precedesProgram.contains(name), !name.contains("=") {
      frame.isAtProgram = false
    }
  }

  /// Records what a word does with values and inspected arguments.
  private mutating func inspect(_ word: String) {
    if contexts.contains(.arithmetic), isEvaluated(word) { evaluatesArgument = true }
    guard isArgument(word) else { return }
    (hasArgument, frame.hasArgument) = (true, true)
    frame.hasValue = frame.hasValue || word.utf8.contains(Self.value)
    guard let sign = word.firstIndex(of: "=") else { return }
    let name = word[..<sign].prefix { $0 != "+" && $0 != "[" }
    // `a[$1]=x` and `a=([$1]=x)`
    if frame.isAtProgram || contexts.last == .array, name.endIndex < sign,
      isArgument(word[name.endIndex..<sign])
    {
      evaluatesArgument = true
    }
    variables.insert(String(name))
  }

  private mutating func endCommand() {
    endWord()
    // The lines of an array are no commands, and neither is arithmetic.
    if contexts.last == .array { return }
    if contexts.last == .arithmetic { frame.command = Command() }
    let words = frame.command.words.map { String(decoding: $0, as: UTF8.self) }
    // `for x in "$@"`, and `for x`, which means the same.
    if words.count > 1, words[0] == "for" || words[0] == "select",
      words.count == 2 || words[2] == "do" || words.contains(where: isArgument)
    {
      variables.insert(words[1])
    }
    if readsArgument { variables.formUnion(Self.variablesRead(by: frame.command)) }
    // A pipe may be followed by a newline.
    if !words.isEmpty {
      commands.append(frame.command)
      frame.command = Command()
    }
    (frame.isAtProgram, frame.redirections) = (true, 0)
  }

  private mutating func endCode() {
    // Of the contexts that are still open, only arithmetic matters, and there can be any number.
    contexts = contexts.filter { $0 == .arithmetic }
    endCommand()
    while let outer = outerFrames.popLast() {
      frame = outer
      endCommand()
    }
  }

  /// The words after which the program is still to come.
  private static let precedesProgram: Set<String> = keywords.union([
    "time", "exec", "command", "builtin", "nohup", "setsid", "env", "nice", "sudo", "pkexec",
  ])
  /// The words of a shell before a command.
  static let keywords: Set<String> = [
    "if", "then", "elif", "else", "while", "until", "do", "!", "{", "coproc",
  ]
}
