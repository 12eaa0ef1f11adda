// SPDX-License-Identifier: Apache-2.0
/// The code of a shell into which values are inserted, with the place of each value.
///
/// The scanner knows quotes, substitutions, comments and commands of POSIX shells. From a construct on that shells read
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

  /// The places of the values, in order.
  package private(set) var places: [Place] = []

  private enum Context {
    case single
    case double
    case substitution
    case subshell
    case backquote
    case parameter
    case comment
  }

  private var contexts: [Context] = []
  /// Indicates that the rest cannot be scanned.
  private var isLost = false
  private var isEscaped = false
  /// The last byte, if it was neither quoted nor escaped.
  private var previous: UInt8 = 0
  /// The word so far, in which `Self.value` represents a value; `nil` between words.
  private var word: [UInt8]?
  /// The numbers of the values in quotes in the word so far.
  private var quotedValues: [Int] = []
  private var commands: [[[UInt8]]] = [[]]
  private var isAtProgram = true
  private var text: [UInt8] = []

  /// The byte that represents a value, which no other text contains.
  private static let value: UInt8 = 0

  /// Scans code; `nil` represents a value.
  ///
  /// - Parameter isPOSIX: `false` for a shell with another syntax, such as fish, of which only the simplest code is understood.
  package init(_ parts: [[UInt8]?], isPOSIX: Bool = true) {
    for part in parts {
      guard let part else {
        addValue()
        text.append(Self.value)
        continue
      }
      if !isPOSIX, part.contains(where: { !Self.isPlain($0) && !" ;&|".utf8.contains($0) }) { isLost = true }
      for byte in part { read(byte) }
      text += part
    }
    endWord()
    restrict()
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

  /// Indicates whether the code runs one of its arguments as a program or as code, such as `exec "$@"` and `eval "$1"`.
  package var runsArgument: Bool {
    commands.contains { command in
      let words = command.map { String(decoding: $0, as: UTF8.self) }
      let program = words.first {
        !Self.precedesProgram.contains($0) && !$0.contains("=") && !$0.hasPrefix("-")
      }
      if let program, Self.isArgument(program) { return true }
      if let program, Self.evaluates(words, of: program), words.contains(where: Self.isArgument) {
        return true
      }
      let (programs, interpreted) = (ProgramArguments(words), InterpretedArguments(words))
      return words.indices.contains { index in
        Self.isArgument(words[index])
          && (programs.selection(at: index) != nil || interpreted.takesAsCode(index))
      }
    }
  }

  /// Returns whether a command evaluates its words as arithmetic, in which bash runs the substitution in `a[$(id)]`.
  private static func evaluates(_ words: [String], of program: String) -> Bool {
    program == "let" || program == "[[" && words.contains { arithmeticTests.contains($0) }
  }

  private static let arithmeticTests: Set<String> = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]

  /// Returns whether a word contains an argument of the code: `$1`, `$@`, `${1}`.
  private static func isArgument(_ word: String) -> Bool {
    word.indices.contains { index in
      guard word[index] == "$" else { return false }
      let name = word[word.index(after: index)...]
      let first = name.first == "{" ? name.dropFirst().first : name.first
      return first.map { $0.isNumber && $0 != "0" || $0 == "@" || $0 == "*" } ?? false
    }
  }

  private mutating func addValue() {
    let isKnown = !isLost && !isEscaped && previous != UInt8(ascii: "$")
    let isOutside = isKnown && contexts.allSatisfy { $0 == .subshell }
    if isAtProgram, word == nil {
      places.append(isOutside ? .program : .forbidden)
    } else if isOutside {
      places.append(.word)
    } else if isKnown, contexts.allSatisfy({ $0 == .single || $0 == .double || $0 == .subshell }) {
      quotedValues.append(places.count)
      places.append(.quoted)
    } else {
      places.append(.enclosed)
    }
    append(Self.value)
    (isEscaped, previous) = (false, 0)
  }

  private mutating func read(_ byte: UInt8) {
    let before = previous
    previous = 0
    if isEscaped {
      isEscaped = false
      // An escaped character has no meaning, so that another one represents it.
      return append(UInt8(ascii: "."))
    }
    switch contexts.last {
    case .single:
      if byte == UInt8(ascii: "'") { contexts.removeLast() } else { append(Self.literal(byte)) }
    case .comment:
      if byte == 0x0A {
        contexts.removeLast()
        endCommand()
      }
    case .parameter:
      append(byte)
      if byte == UInt8(ascii: "}") {
        contexts.removeLast()
      } else if byte != UInt8(ascii: "_"), !Self.isPlain(byte) || ":%+,=-./@".utf8.contains(byte) {
        isLost = true
      }
    case .double: readQuoted(byte, after: before)
    case .backquote where "\"'\\$#".utf8.contains(byte): isLost = true
    case nil, .subshell, .substitution, .backquote: readCode(byte, after: before)
    }
  }

  private mutating func readQuoted(_ byte: UInt8, after before: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): contexts.removeLast()
    case UInt8(ascii: "\\"): isEscaped = true
    case UInt8(ascii: "`"): enter(.backquote, byte)
    case UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "["):
      substitute(byte, after: before)
    default:
      previous = byte
      append(byte)
    }
  }

  private mutating func readCode(_ byte: UInt8, after before: UInt8) {
    let isInWord = word != nil
    switch byte {
    case UInt8(ascii: "'"):
      if before == UInt8(ascii: "$") { isLost = true }
      word = word ?? []
      contexts.append(.single)
    case UInt8(ascii: "\""):
      word = word ?? []
      contexts.append(.double)
    case UInt8(ascii: "\\"): isEscaped = true
    case UInt8(ascii: "`"):
      if contexts.last == .backquote { contexts.removeLast() } else { enter(.backquote, byte) }
    case UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "["):
      if before == UInt8(ascii: "$") { return substitute(byte, after: before) }
      // `((` and `[[` are arithmetic or tests, which evaluate a quoted text again; `a[x]` does, too.
      if byte == UInt8(ascii: "("), before == byte { isLost = true }
      if byte == UInt8(ascii: "["), isInWord { isLost = true }
      guard byte == UInt8(ascii: "(") else { return append(byte) }
      endCommand()
      contexts.append(.subshell)
      previous = byte
    case UInt8(ascii: ")"):
      // Without a parenthesis, it ends a pattern of `case`.
      if contexts.last == .subshell || contexts.last == .substitution { contexts.removeLast() }
      if contexts.last != .double { endCommand() }
    case UInt8(ascii: "#") where !isInWord: contexts.append(.comment)
    case UInt8(ascii: "<"):
      if before == byte { isLost = true }
      endWord()
      previous = byte
    case 0x20, 0x09: endWord()
    case 0x0A, UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"): endCommand()
    default:
      previous = byte
      append(byte)
    }
  }

  private mutating func substitute(_ byte: UInt8, after before: UInt8) {
    append(byte)
    guard before == UInt8(ascii: "$") else { return }
    switch byte {
    case UInt8(ascii: "("):
      contexts.append(.substitution)
      previous = byte
    case UInt8(ascii: "{"): contexts.append(.parameter)
    default: isLost = true
    }
  }

  private mutating func enter(_ context: Context, _ byte: UInt8) {
    append(byte)
    if contexts.contains(.backquote) { isLost = true }
    contexts.append(context)
  }

  private static func literal(_ byte: UInt8) -> UInt8 { "$`".utf8.contains(byte) ? UInt8(ascii: ".") : byte }

  private mutating func append(_ byte: UInt8) { word = (word ?? []) + [byte] }

  private mutating func endWord() {
    guard let ended = word else { return }
    word = nil
    // A word with blanks may be code that the program runs.
    if ended.contains(where: { " \t\n;&|<>()".utf8.contains($0) }) {
      for number in quotedValues { places[number] = .enclosed }
    }
    quotedValues = []
    commands[commands.count - 1].append(ended)
    let name = String(decoding: ended, as: UTF8.self)
    // `let` evaluates its arguments again. A pattern of `case` has an unpaired parenthesis.
    if name == "let" || name == "case" && contexts.contains(where: { $0 == .substitution || $0 == .subshell })
    {
      isLost = true
    }
    if isAtProgram, !Self.precedesProgram.contains(name), !name.contains("=") { isAtProgram = false }
  }

  private mutating func endCommand() {
    endWord()
    commands.append([])
    isAtProgram = true
  }

  /// The words after which the program is still to come.
  private static let precedesProgram: Set<String> = [
    "if", "then", "elif", "else", "while", "until", "do", "!", "{", "time", "exec", "command", "builtin",
    "nohup", "setsid", "env", "nice", "sudo", "pkexec",
  ]

  /// Restricts the places by the interpreters that the code runs.
  private mutating func restrict() {
    guard !places.isEmpty else { return }
    if commands.contains(where: Self.runsValue) { places = places.map { _ in .forbidden } }
    // Inside quotes and substitutions, an interpreter is found by its name alone.
    if isLost || places.contains(where: { $0 == .enclosed || $0 == .quoted }), namesOtherInterpreter {
      places = places.map { $0 == .enclosed || $0 == .quoted ? .forbidden : $0 }
    }
    let repeats = commands.contains { command in
      command.indices.contains { index in Self.readsShellCode(command[index...]) }
    }
    guard repeats else { return }
    places = places.map { place in
      switch place {
      case .word, .quoted, .enclosed: .enclosed
      case .program, .forbidden: .forbidden
      }
    }
  }

  /// Returns whether a command has code for another interpreter in which a value or a variable is.
  private static func runsValue(_ command: [[UInt8]]) -> Bool {
    InterpretedArguments(command.map { String(decoding: $0, as: UTF8.self) }).code.contains { code in
      code.arguments.contains {
        command[$0].contains { $0 == value || $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "`") }
      }
    }
  }

  /// Returns whether a command begins with a shell that reads its code from a pipe, or is selected by a variable.
  private static func readsShellCode(_ command: ArraySlice<[UInt8]>) -> Bool {
    guard let name = command.first.map({ String(decoding: $0, as: UTF8.self) }) else { return false }
    if name == "$SHELL" || name == "${SHELL}" { return true }
    guard InterpretedArguments.language(of: name) == .posixShell else { return false }
    let next = command.dropFirst().first
    return next == nil || next?.first == UInt8(ascii: "-") && next != Array("-c".utf8)
  }

  private var namesOtherInterpreter: Bool {
    text.split { !Self.isPlain($0) || $0 == UInt8(ascii: "=") }.contains { word in
      let name = String(decoding: word, as: UTF8.self)
      return InterpretedArguments.language(of: name) == .other
    }
  }
}
