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

  /// The arguments of the code that are inspected.
  package enum Argument: Hashable, Sendable {
    /// The argument right behind the code, which is `$0`.
    case name
    /// All further arguments: `$1`, `$@`.
    case further
  }

  /// A command of the code.
  struct Command {
    /// The words, except redirections.
    var words: [[UInt8]] = []
    /// Indicates whether the standard input is a pipe or a file.
    var readsInput = false
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
  private let argument: Argument
  /// The variables whose value contains an inspected argument or a value.
  private var variables: Set<String> = []

  /// The byte that represents a value, which no other text contains.
  static let value: UInt8 = 0

  /// Scans code; `nil` represents a value.
  ///
  /// - Parameter isPOSIX: `false` for a shell with another syntax, such as fish, of which only the simplest code is understood.
  package init(_ parts: [[UInt8]?], isPOSIX: Bool = true) {
    argument = .further
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
    endCode()
    restrict()
  }

  /// Scans the code of a POSIX shell that has arguments.
  ///
  /// - Parameter argument: The arguments to be inspected.
  package init(_ code: [UInt8], argument: Argument) {
    self.argument = argument
    for byte in code { read(byte) }
    text = code
    endCode()
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
      if argument == .name { return first == UInt8(ascii: "0") }
      return UInt8(ascii: "1")...UInt8(ascii: "9") ~= first || "@*".utf8.contains(first)
    }
  }

  private mutating func addValue() {
    let isKnown = !isLost && !isEscaped && previous != UInt8(ascii: "$")
    let isOutside = isKnown && contexts.allSatisfy { $0 == .subshell || $0 == .process }
    if frame.isAtProgram, frame.word == nil, frame.redirections == 0 {
      places.append(isOutside ? .program : .forbidden)
    } else if isOutside {
      places.append(.word)
    } else if isKnown,
      contexts.allSatisfy({ $0 == .single || $0 == .double || $0 == .subshell || $0 == .process })
    {
      frame.quotedValues.append(places.count)
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
      // An escaped newline is removed. Another escaped character has no meaning, so that `.` represents it if it could have one.
      if byte != 0x0A { append(Self.isPlain(byte) ? byte : UInt8(ascii: ".")) }
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
    case nil, .subshell, .arithmetic, .substitution, .process, .backquote: readCode(byte, after: before)
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
      case .substitution, .process: closeSubstitution()
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
      endCommand()
      // `||` is no pipe, and `|&` is one.
      frame.command.readsInput = byte == UInt8(ascii: "|") ? before != byte : before == UInt8(ascii: "|")
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
    if inner.hasArgument { frame.word?.append(contentsOf: (argument == .name ? "$0" : "$@").utf8) }
    append(UInt8(ascii: ")"))
  }

  private static func literal(_ byte: UInt8) -> UInt8 { "$`".utf8.contains(byte) ? UInt8(ascii: ".") : byte }

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
    // `${!1}` is the variable that the argument names.
    if text.hasPrefix("!"), isArgument("$\(name)") { evaluatesArgument = true }
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
    // `a[$1]=x`
    if frame.isAtProgram, name.endIndex < sign, isArgument(word[name.endIndex..<sign]) {
      evaluatesArgument = true
    }
    variables.insert(String(name))
  }

  private mutating func endCommand() {
    endWord()
    let words = frame.command.words.map { String(decoding: $0, as: UTF8.self) }
    // `for x in "$@"`, and `for x`, which means the same.
    if words.count > 1, words[0] == "for",
      words.count == 2 || words[2] == "do" || words.contains(where: isArgument)
    {
      variables.insert(words[1])
    }
    if !words.isEmpty { commands.append(frame.command) }
    // A pipe may be followed by a newline.
    frame.command = Command(readsInput: words.isEmpty && frame.command.readsInput)
    (frame.isAtProgram, frame.redirections) = (true, 0)
  }

  private mutating func endCode() {
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
