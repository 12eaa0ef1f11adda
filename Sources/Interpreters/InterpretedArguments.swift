// SPDX-License-Identifier: Apache-2.0
/// The arguments of a command that a shell or another interpreter in it runs as code.
///
/// ```swift
/// InterpretedArguments(["env", "A=1", "sh", "-ec", "echo {x}"]).takesAsCode(4)        // true
/// InterpretedArguments(["sh", "-c", "echo \"$1\"", "sh", "{x}"]).takesAsCode(4)   // false
/// ```
package struct InterpretedArguments {
  /// The code of all programs.
  package let code: [Code]
  private let places: Set<Int>

  /// The code of one program.
  package struct Code: Hashable, Sendable {
    /// The name of the program, without directory and version.
    package let program: String
    /// The syntax of the code.
    package let language: Language
    /// The indices of the arguments, which the program joins with blanks if there are several.
    package let arguments: [Int]
  }

  /// The syntax of code, as far as an inserted text must be quoted for it.
  package enum Language: Hashable, Sendable {
    /// A shell whose quotes are those of POSIX.
    case posixShell
    /// Another shell, or a program that splits command lines; single quotes enclose text without `'`, `\\` and `!`.
    case commandLine
    /// Anything else.
    case other
  }

  /// The options and operands through which a program receives code.
  fileprivate struct Interpreter {
    /// The short options whose argument is code, also in a cluster: `c` for `sh -ec CODE`.
    var letters = ""
    /// The arguments that are long options or subcommands with code as the next argument.
    var words: [String] = []
    /// The short options whose argument is not code.
    var valueLetters = ""
    /// Indicates whether the program accepts options after the first operand.
    var permutes = false
    /// Indicates whether everything after the code belongs to the program that the code runs.
    var endsWithCode = false
    /// Indicates whether arguments that begin with `+` are code.
    var takesPlus = false
    /// Indicates whether the code is the first argument after all options.
    var takesCodeAfterOptions = false
    /// The syntax of the code.
    var language = Language.other
    /// The operands that are code if no option has code.
    var operands: Operands = .none

    enum Operands {
      case none
      case first
      case all
      case afterFirst
    }
  }

  private static let shell = Interpreter(
    letters: "c", words: ["--command", "--init-command"], valueLetters: "oO", takesCodeAfterOptions: true,
    language: .posixShell)
  private static let otherShell = Interpreter(
    letters: "c", words: shell.words, valueLetters: "oO", takesCodeAfterOptions: true, language: .commandLine)
  private static let javaScript = Interpreter(
    letters: "ep", words: ["--eval", "--print", "eval"], valueLetters: "rC")
  private static let database = Interpreter(letters: "c", words: ["--command", "-cmd"], permutes: true)
  /// A terminal emulator that runs a command line.
  private static let terminal = Interpreter(
    letters: "ex", words: ["--command", "--execute"], language: .commandLine)
  /// A terminal emulator whose options are words after one `-`.
  private static let wordTerminal = Interpreter(
    words: ["-e"], permutes: true, endsWithCode: true, language: .commandLine)
  private static let editor = Interpreter(
    letters: "c", words: ["--cmd", "--execute", "-execute", "-e"], permutes: true, takesPlus: true)
  /// Emacs, whose client has an option `-c` without code.
  private static let emacs = Interpreter(
    letters: "e", words: ["--eval", "-eval", "--execute", "-execute"], permutes: true)
  private static let filter = Interpreter(
    letters: "e", words: ["--expression", "--source"], valueLetters: "fvF", operands: .first)
  /// A program that runs its joined arguments by a shell.
  private static let runner = Interpreter(language: .commandLine, operands: .all)

  private static let interpreters: [String: Interpreter] = [
    "sh": shell, "bash": shell, "rbash": shell, "dash": shell, "ash": shell, "zsh": shell, "ksh": shell,
    "mksh": shell, "yash": shell,
    "csh": otherShell, "tcsh": otherShell,
    "fish": Interpreter(letters: "cC", words: shell.words, valueLetters: "dfD", language: .commandLine),
    "nu": Interpreter(letters: "ce", words: ["--commands", "--execute"]),
    "pwsh": Interpreter(letters: "c", words: ["-command", "-Command"]),
    "su": Interpreter(letters: "c", words: shell.words, permutes: true, language: .commandLine),
    "runuser": Interpreter(letters: "c", words: shell.words, permutes: true, language: .commandLine),
    "script": Interpreter(letters: "c", words: shell.words, permutes: true, language: .commandLine),
    "flock": Interpreter(
      letters: "c", words: shell.words, valueLetters: "wE", permutes: true, language: .commandLine),
    "env": Interpreter(
      letters: "S", words: ["--split-string"], valueLetters: "uC", language: .commandLine),
    "eval": runner, "trap": runner, "alias": runner,
    "watch": Interpreter(valueLetters: "n", language: .commandLine, operands: .all),
    "parallel": Interpreter(valueLetters: "jnNaIP", language: .commandLine, operands: .all),
    "ssh": Interpreter(
      valueLetters: "BbcDEeFIiJLlmOopQRSWw", language: .commandLine, operands: .afterFirst),
    "i3-msg": Interpreter(operands: .all), "swaymsg": Interpreter(operands: .all),
    "hyprctl": Interpreter(operands: .all),
    "xterm": wordTerminal, "uxterm": wordTerminal, "urxvt": wordTerminal, "x-terminal-emulator": wordTerminal,
    "konsole": wordTerminal, "xfce4-terminal": terminal,
    "gnome-terminal": terminal, "mate-terminal": terminal, "lxterminal": terminal, "terminator": terminal,
    "tilix": terminal,
    "python": Interpreter(letters: "c", valueLetters: "WXm"),
    "perl": Interpreter(letters: "eE", valueLetters: "ImM"),
    "ruby": Interpreter(letters: "e", valueLetters: "rICEW"), "node": javaScript, "nodejs": javaScript,
    "bun": javaScript, "deno": javaScript,
    "php": Interpreter(letters: "rBRE", words: ["--run"], valueLetters: "cd"),
    "lua": Interpreter(letters: "e", valueLetters: "l"),
    "luajit": Interpreter(letters: "e", valueLetters: "l"), "R": Interpreter(letters: "e", permutes: true),
    "Rscript": Interpreter(letters: "e"), "guile": Interpreter(letters: "c", valueLetters: "Ls"),
    "gjs": Interpreter(letters: "c", words: ["--command"]),
    "swift": Interpreter(letters: "e"), "vi": editor, "vim": editor, "gvim": editor, "nvim": editor,
    "emacs": emacs, "emacsclient": emacs,
    "gdb": Interpreter(words: ["-ex", "-iex", "--eval-command", "-eval-command"], permutes: true),
    "psql": database,
    // An operand after the database is SQL, or a command such as `.shell`.
    "sqlite": Interpreter(letters: "c", words: database.words, permutes: true, operands: .afterFirst),
    "awk": filter, "gawk": filter, "mawk": filter, "nawk": filter, "sed": filter,
  ]

  /// Analyzes a command whose first element is the program.
  package init(_ elements: [String]) {
    var code: [Code] = []
    let words = SplitArguments(elements).words
    let texts = words.map(\.text)
    for (start, word) in words.enumerated() {
      // `flatpak run --command=sh ID -c CODE`: the options of the program follow an operand.
      let isOption = word.text.hasPrefix("--command=")
      let program = Self.program(isOption ? String(word.text.dropFirst("--command=".count)) : word.text)
      guard var interpreter = Self.interpreters[program] else { continue }
      if isOption { interpreter.permutes = true }
      for places in Self.places(of: interpreter, in: texts, from: start + 1) {
        // The element that `env -S` splits is code of `env` already.
        let arguments = Set(places.map { words[$0].index }).subtracting(word.isSplit ? [word.index] : [])
        guard !arguments.isEmpty else { continue }
        code.append(Code(program: program, language: interpreter.language, arguments: arguments.sorted()))
      }
    }
    self.code = code
    places = Set(code.flatMap(\.arguments))
  }

  /// Returns whether the argument at `index` is code or contains code.
  package func takesAsCode(_ index: Int) -> Bool { places.contains(index) }

  /// Returns the name of the program that runs the argument at `index` as code, without directory and version; `nil` if none does.
  package func interpreter(of index: Int) -> String? {
    code.last { $0.arguments.contains(index) }?.program
  }

  /// Returns the shells whose code runs one of its arguments as a program or as code, each with the index of the end of its code.
  ///
  /// - Parameter elements: the elements of the command.
  package func shellsRunningArguments(in elements: [String]) -> [(name: String, end: Int)] {
    code.compactMap { code in
      guard code.language == .posixShell, let end = code.arguments.last,
        ShellCode(code.arguments.map { Array(elements[$0].utf8) }).runsArgument
      else { return nil }
      return (code.program, end)
    }
  }

  /// Returns the syntax of the code that the program of this name accepts; `nil` if it is no interpreter.
  package static func language(of program: String) -> Language? {
    interpreters[Self.program(program)]?.language
  }

  /// Returns a program's name without directory and version: `python` for `/usr/bin/python3.11`.
  private static func program(_ word: String) -> String {
    let name = word.split(separator: "/").last.map(String.init) ?? word
    let ending = name.reversed().prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "-" }
    return interpreters[name] == nil ? String(name.dropLast(ending.count)) : name
  }

  /// Returns the code of a program whose arguments begin at `start`: the indices of each piece of code.
  private static func places(
    of interpreter: Interpreter, in words: [String], from start: Int
  ) -> [[Int]] {
    var (code, operands) = (Set<Int>(), [Int]())
    var (index, isOperand) = (start, false)
    while index < words.count {
      let word = words[index]
      let isOption = !isOperand && word.hasPrefix("-") && word != "-"
      switch word {
      case "--" where !isOperand: isOperand = true
      case "--rcfile" where !isOperand, "--init-file" where !isOperand: index += 1
      case _ where !isOperand && interpreter.takesCodeAfterOptions && word.hasPrefix("+"): break
      case _ where interpreter.takesPlus && word.hasPrefix("+"): code.insert(index)
      case _ where !isOperand && interpreter.words.contains(word):
        code.insert(index + 1)
        index = interpreter.endsWithCode ? words.count : index + 1
      case _ where isOption && word.hasPrefix("--"):
        if interpreter.words.contains(where: { word.hasPrefix($0 + "=") }) { code.insert(index) }
      case _ where isOption:
        let (own, next) = interpreter.option(in: word.dropFirst())
        if own { code.insert(index) }
        if next == .code {
          code.insert(index + 1)
          // `sh -c -e CODE`: every argument up to the first without `-` or `+` may be the code.
          while interpreter.takesCodeAfterOptions, index + 2 < words.count, let word = words[index + 1].first,
            "-+".contains(word)
          {
            index += 1
            code.insert(index + 1)
          }
          if interpreter.takesCodeAfterOptions, code.contains(index), index + 2 < words.count {
            // The last option may have a value, such as `-o NAME`.
            code.insert(index + 2)
          }
        }
        if next != .none { index += 1 }
      default:
        operands.append(index)
        isOperand = isOperand || !interpreter.permutes
      }
      index += 1
    }
    code = code.filter { $0 < words.count }
    guard code.isEmpty else { return code.sorted().map { [$0] } }
    let joined =
      switch interpreter.operands {
      case .none: [Int]()
      case .first: Array(operands.prefix(1))
      case .all: operands
      case .afterFirst: Array(operands.dropFirst())
      }
    return joined.isEmpty ? [] : [joined]
  }
}

extension InterpretedArguments.Interpreter {
  fileprivate enum Next {
    case none
    case value
    case code
  }

  /// Returns the effect of a cluster of short options: whether its remainder is code, and the role of the next argument.
  fileprivate func option(in cluster: Substring) -> (ownRest: Bool, next: Next) {
    for (offset, letter) in cluster.enumerated() {
      let isLast = offset == cluster.count - 1
      // Shells read code from the next argument even if more letters follow; other programs read the remainder of the
      // cluster if there is one. Both are treated as code, because either may be.
      if letters.contains(letter) { return (!isLast, .code) }
      if valueLetters.contains(letter) { return (false, isLast ? .value : .none) }
    }
    return (false, .none)
  }
}
