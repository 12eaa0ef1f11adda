// SPDX-License-Identifier: Apache-2.0
extension ShellCode {
  /// Indicates whether the code runs one of the inspected arguments as a program or as code, such as `exec "$@"` and `eval "$1"`.
  package var runsArgument: Bool {
    evaluatesArgument || hasArgument && commands.contains { Self.reader(in: $0) != nil }
      || commands.contains { command in
        let words = Self.words(of: command)
        guard let program = words.first else { return false }
        if isArgument(program) || evaluates(words) { return true }
        guard words.count <= Self.maximumWords else { return words.contains(where: isArgument) }
        let (programs, interpreted) = (ProgramArguments(words), InterpretedArguments(words))
        return words.indices.contains { index in
          isArgument(words[index]) && (programs.selection(at: index) != nil || interpreted.takesAsCode(index))
        }
      }
  }

  /// Restricts the places by the interpreters that the code runs.
  mutating func restrict() {
    guard !places.isEmpty else { return }
    let readers = commands.compactMap(Self.reader(in:))
    if evaluatesArgument || readers.contains(.other)
      || commands.contains(where: { Self.runsValue($0) || evaluates(Self.words(of: $0)) })
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
    case "declare", "typeset", "local", "export", "readonly":
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
    // Each word could be the interpreter of all further ones, so that the work would grow with the square of their number.
    guard words.count(where: { !$0.utf8.contains(value) }) <= maximumWords else { return true }
    return InterpretedArguments(words).code.contains { code in code.arguments.contains { isVariable[$0] } }
  }

  private static let maximumWords = 1_024

  /// Returns the syntax of the code that a command reads from its standard input; `nil` if it reads none.
  private static func reader(in command: Command) -> InterpretedArguments.Language? {
    let words = words(of: command)
    if words.indices.contains(where: { readsShellCode(words[$0...]) }) { return .posixShell }
    guard command.readsInput || words.contains(where: { $0.hasPrefix("<(") }), words.count <= maximumWords,
      let program = words.first
    else { return nil }
    switch ProgramRunner.name(of: program) {
    // `source <(COMMAND)`
    case "source", ".": return words.count > 1 && words[1].hasPrefix("<(") ? .posixShell : nil
    case "at", "batch": return .posixShell
    case "ssh": return InterpretedArguments(words).code.isEmpty ? .commandLine : nil
    default:
      return ProgramArguments(words).readerOfInput.flatMap { InterpretedArguments.language(of: $0) }
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
