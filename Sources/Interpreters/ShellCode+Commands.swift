// SPDX-License-Identifier: Apache-2.0
extension ShellCode {
  /// The use of the inspected argument, such as `.code` in `exec "$@"` and `eval "$1"`; `nil` if the code only passes it on.
  package var use: Use? {
    guard !isTooLong else { return hasArgument ? .code : nil }
    let uses = commands.compactMap(use(in:))
    return uses.contains(.code) ? .code : evaluatesArgument ? .arithmetic : uses.first
  }

  private func use(in command: Command) -> Use? {
    let words = Self.words(of: command)
    switch Self.reader(in: command) {
    case nil: break
    // A shell may share the input of other commands, as in `echo "$1" | (cd /; sh)`, and the code may run `$1` of a shell.
    case .posixShell? where readsArgument || command.readsInput && words.contains(where: isArgument):
      return .code
    case .posixShell?: break
    default: if inputHasArgument(command) { return .code }
    }
    if loadsArgument(command) { return .code }
    guard let program = words.first, words.contains(where: isArgument) else { return nil }
    let (programs, interpreted) = (ProgramArguments(words), InterpretedArguments(words))
    let arguments = words.indices.filter { isArgument(words[$0]) }
    let isRun = arguments.contains { programs.selection(at: $0) != nil || interpreted.takesAsCode($0) }
    if isArgument(program) || isRun { return .code }
    let uses = arguments.compactMap { interpreted.shell(running: $0, mayBeSeveral: true)?.use }
    return uses.contains(.code) ? .code : evaluates(words) ? .arithmetic : uses.first
  }

  /// Restricts the places by the interpreters that the code runs.
  mutating func restrict() {
    guard !places.isEmpty else { return }
    guard !isTooLong else {
      places = places.map { _ in .forbidden }
      return
    }
    let readers = commands.compactMap(Self.reader(in:))
    if evaluatesArgument || readers.contains(.other)
      || commands.contains(where: {
        Self.runsValue($0) || evaluates(Self.words(of: $0)) || loadsArgument($0)
      })
    {
      places = places.map { _ in .forbidden }
    }
    // Inside quotes and substitutions, an interpreter is found by its name alone.
    if isLost || places.contains(where: { $0 == .enclosed || $0 == .quoted }), namesOtherInterpreter {
      places = places.map { $0 == .enclosed || $0 == .quoted ? .forbidden : $0 }
    }
    guard !readers.isEmpty else { return }
    places = places.map { place in
      switch place {
      case .word, .quoted, .enclosed: .enclosed
      case .program, .forbidden: .forbidden
      }
    }
  }

  /// Returns the words of a command from its program on.
  private static func words(of command: Command) -> [String] {
    let words = command.words.map { String(decoding: $0, as: UTF8.self) }
    return words.drop { keywords.contains($0) || isAssignment($0) }
      .map { $0 == "$SHELL" || $0 == "${SHELL}" ? "sh" : $0 }
  }

  private static func isAssignment(_ word: String) -> Bool {
    guard let sign = word.firstIndex(of: "=") else { return false }
    return sign > word.startIndex
      && word[..<sign].allSatisfy { $0.isLetter || $0.isNumber || "_+[]$@".contains($0) }
  }

  /// Returns whether a command evaluates a value or an inspected argument as arithmetic or as the name of a variable, in which bash runs
  /// the substitution in `a[$(id)]`.
  private func evaluates(_ words: [String]) -> Bool {
    guard let program = words.first else { return false }
    let arguments = words.dropFirst()
    switch program {
    case "let", "mapfile", "readarray", "getopts", "unset": return arguments.contains(where: isArgument)
    case "[[" where arguments.contains(where: Self.arithmeticTests.contains):
      return arguments.contains(where: isArgument)
    case "[", "[[", "test": return isArgument(in: words, behind: ["-v", "-R"])
    case "printf", "wait": return isArgument(in: words, behind: ["-v", "-p"])
    case "read":
      // Options with another value than the name of a variable.
      return words.indices.dropFirst().contains { index in
        isArgument(words[index]) && !["-p", "-t", "-n", "-N", "-d", "-i", "-u"].contains(words[index - 1])
      }
    case _ where Self.declarations.contains(program):
      let isInteger = arguments.contains { $0.hasPrefix("-") && $0.contains("i") }
      return arguments.contains { isArgument(isInteger ? $0[...] : $0.prefix { $0 != "=" }) }
    default: return false
    }
  }

  private static let arithmeticTests: Set<String> = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]

  private func isArgument(in words: [String], behind options: Set<String>) -> Bool {
    words.indices.dropFirst(2).contains { options.contains(words[$0 - 1]) && isArgument(words[$0]) }
  }

  /// Returns whether a command has code for another interpreter in which a value or a variable is.
  private static func runsValue(_ command: Command) -> Bool {
    let words = words(of: command)
    let isVariable = words.map { $0.utf8.contains { $0 == value || "$`".utf8.contains($0) } }
    return InterpretedArguments(words).code.contains { code in code.arguments.contains { isVariable[$0] } }
  }

  /// Indicates whether the commands have so many words besides the values that they are not analyzed.
  ///
  /// Each word could be the interpreter of all further ones, so that the work would grow with the square of their number.
  private var isTooLong: Bool {
    commands.reduce(0) { $0 + $1.words.count { !$0.contains(Self.value) } } > SplitArguments.maximumWords
  }

  /// Returns the syntax of the code that a command reads from its standard input; `nil` if it reads none.
  private static func reader(in command: Command) -> InterpretedArguments.Language? {
    let words = words(of: command)
    if words.indices.contains(where: { readsShellCode(words[$0...]) }) { return .posixShell }
    guard command.readsInput || words.contains(where: { $0.hasPrefix("<(") }),
      let program = words.first
    else { return nil }
    switch ProgramRunner.name(of: program) {
    // `source <(COMMAND)`
    case "source", ".": return words.count > 1 && words[1].hasPrefix("<(") ? .posixShell : nil
    case "at", "batch", "crontab": return .posixShell
    case "ssh": return InterpretedArguments(words).code.isEmpty ? .commandLine : nil
    default:
      return ProgramArguments(words).readerOfInput.flatMap { InterpretedArguments.language(of: $0) }
        ?? languageOfArguments(words)
    }
  }

  /// Returns the syntax of the code into which `xargs` or `parallel` inserts its standard input; `nil` if it inserts it as data.
  private static func languageOfArguments(_ words: [String]) -> InterpretedArguments.Language? {
    guard let start = words.firstIndex(where: { ["xargs", "parallel"].contains(ProgramRunner.name(of: $0)) })
    else { return nil }
    let option = words[start...].firstIndex { $0.hasPrefix("-I") }
    let mark = option.map {
      words[$0] == "-I" ? words[($0 + 1)...].first ?? "" : String(words[$0].dropFirst(2))
    }
    let input = String(decoding: [value], as: UTF8.self)
    let arguments =
      words[start...].map { mark == "" ? $0 : $0.replacing(mark ?? "{}", with: input) } + [input]
    let (programs, interpreted) = (ProgramArguments(arguments), InterpretedArguments(arguments))
    for index in arguments.indices.dropFirst() where arguments[index].utf8.contains(value) {
      // `parallel` quotes its input beside a command.
      let code = interpreted.code.last {
        $0.arguments.contains(index) && ($0.program != "parallel" || $0.arguments.count == 1)
      }
      if let code { return code.language }
      if programs.selection(at: index) != nil || interpreted.shell(running: index, mayBeSeveral: true) != nil
      {
        return .other
      }
    }
    return nil
  }

  /// Returns whether a command assigns a value or an inspected argument to a variable by which programs load code.
  private func loadsArgument(_ command: Command) -> Bool {
    let words = command.words.map { String(decoding: $0, as: UTF8.self) }
    let called = Self.words(of: command)
    let isDeclaration = called.first.map(Self.declarations.contains) ?? false
    return (isDeclaration ? words : words.dropLast(called.count)).contains { word in
      guard let sign = word.firstIndex(of: "=") else { return false }
      return ProgramRunner.loads(variable: word[..<sign].prefix { $0 != "+" }) && isArgument(word[sign...])
    }
  }

  private static let declarations: Set<String> = ["declare", "typeset", "local", "export", "readonly"]

  /// Returns whether a value or an inspected argument may be a part of the standard input of a command.
  func inputHasArgument(_ command: Command) -> Bool {
    if command.readsArgument { return true }
    if command.words.contains(where: {
      $0.starts(with: "<(".utf8) && isArgument(String(decoding: $0, as: UTF8.self))
    }) {
      return true
    }
    guard let document = command.document else { return false }
    let lines = text.dropFirst(document.start).split(separator: 0x0A, omittingEmptySubsequences: false)
    return lines.dropFirst().prefix { !$0.drop { $0 == 0x09 }.elementsEqual(document.delimiter) }
      .contains { isArgument(String(decoding: $0, as: UTF8.self)) }
  }

  /// Returns whether a value or an inspected argument may be a part of the output of a command.
  func mayWriteArgument(_ command: Command) -> Bool {
    let words = command.words.map { String(decoding: $0, as: UTF8.self) }
    if words.contains(where: isArgument) || inputHasArgument(command) { return true }
    // The commands before it write, too.
    return hasArgument && (words.first.map(Self.ends.contains) ?? true)
  }

  /// The words of a shell that end several commands.
  private static let ends: Set<String> = ["}", "done", "fi", "esac"]

  /// The variables whose values a command reads from its standard input.
  static func variablesRead(by command: Command) -> [String] {
    let words = words(of: command)
    guard let program = words.first, ["read", "mapfile", "readarray"].contains(program) else { return [] }
    return words.dropFirst().filter { !$0.hasPrefix("-") } + ["REPLY", "MAPFILE"]
  }

  /// Indicates whether an argument may have another number in a part of the code, because of `shift`, `set` or a function.
  var movesArguments: Bool {
    String(decoding: text, as: UTF8.self).contains("()")
      || commands.contains { command in
        let words = Self.words(of: command)
        switch words.first {
        case "shift", "function", "getopts": return true
        case "set":
          // `set -euo pipefail` sets only options.
          return words.indices.dropFirst().contains { index in
            let isOption = words[index].hasPrefix("-") || words[index].hasPrefix("+")
            return isOption ? words[index] == "--" : !words[index - 1].hasSuffix("o")
          }
        default: return false
        }
      }
  }

  /// Returns whether a command begins with a shell that reads its code from a pipe.
  private static func readsShellCode(_ command: ArraySlice<String>) -> Bool {
    guard let name = command.first, InterpretedArguments.language(of: name) == .posixShell else {
      return false
    }
    guard let next = command.dropFirst().first else { return true }
    return next.hasPrefix("-") && next != "-c" || next == "/dev/stdin" || next.hasPrefix("<(")
  }

  private var namesOtherInterpreter: Bool {
    text.split { !Self.isPlain($0) || $0 == UInt8(ascii: "=") }.contains { word in
      let name = ProgramRunner.name(of: String(decoding: word, as: UTF8.self))
      guard let runner = ProgramRunner.known[name] else { return false }
      return runner.language == .other && !runner.isOrdinaryWord
    }
  }
}
