// SPDX-License-Identifier: Apache-2.0
/// The arguments of a command that a shell or another interpreter in it runs as code.
///
/// ```swift
/// InterpretedArguments(["env", "A=1", "sh", "-ec", "echo {x}"]).takesAsCode(4)        // true
/// InterpretedArguments(["sh", "-c", "echo \"$1\"", "sh", "{x}"]).takesAsCode(4)   // false
/// ```
struct InterpretedArguments {
  /// The name of the first program that runs an argument as code, without directory and version; empty if there is none.
  let name: String
  private let places: Set<Int>

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
    letters: "c", words: ["--command", "--init-command"], valueLetters: "oO")
  private static let javaScript = Interpreter(
    letters: "ep", words: ["--eval", "--print", "eval"], valueLetters: "rC")
  private static let database = Interpreter(letters: "c", words: ["--command", "-cmd"], permutes: true)
  /// A terminal emulator that runs a command line.
  private static let terminal = Interpreter(letters: "ex", words: ["--command", "--execute"])
  private static let editor = Interpreter(
    letters: "c", words: ["--cmd", "--eval", "-eval", "--execute", "-execute", "-e"], permutes: true)
  private static let filter = Interpreter(
    letters: "e", words: ["--expression", "--source"], valueLetters: "fvF", operands: .first)

  private static let interpreters: [String: Interpreter] = [
    "sh": shell, "bash": shell, "rbash": shell, "dash": shell, "ash": shell, "zsh": shell, "ksh": shell,
    "mksh": shell, "yash": shell,
    "csh": shell, "tcsh": shell, "fish": Interpreter(letters: "cC", words: shell.words, valueLetters: "dfD"),
    "nu": Interpreter(letters: "ce", words: ["--commands", "--execute"]),
    "pwsh": Interpreter(letters: "c", words: ["-command", "-Command"]),
    "su": Interpreter(letters: "c", words: shell.words, permutes: true),
    "script": Interpreter(letters: "c", words: shell.words, permutes: true),
    "flock": Interpreter(letters: "c", words: shell.words, valueLetters: "wE", permutes: true),
    "env": Interpreter(letters: "S", words: ["--split-string"], valueLetters: "uC"),
    "eval": Interpreter(operands: .all), "watch": Interpreter(valueLetters: "n", operands: .all),
    "parallel": Interpreter(valueLetters: "jnNaIP", operands: .all),
    "ssh": Interpreter(valueLetters: "BbcDEeFIiJLlmOopQRSWw", operands: .afterFirst),
    "xterm": Interpreter(letters: "e"), "xfce4-terminal": terminal,
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
    "swift": Interpreter(letters: "e"), "vi": editor, "vim": editor, "nvim": editor, "emacs": editor,
    "emacsclient": editor,
    "gdb": Interpreter(words: ["-ex", "-iex", "--eval-command", "-eval-command"], permutes: true),
    "psql": database, "sqlite": database,
    "awk": filter, "gawk": filter, "mawk": filter, "nawk": filter, "sed": filter,
  ]

  /// Analyzes a command whose first element is the program.
  init(_ words: [String]) {
    var (name, places) = ("", Set<Int>())
    for (start, word) in words.enumerated() {
      let program = Self.program(word)
      guard let interpreter = Self.interpreters[program] else { continue }
      let found = Self.places(of: interpreter, in: words, from: start + 1)
      if name.isEmpty, !found.isEmpty { name = program }
      places.formUnion(found)
    }
    self.name = name
    self.places = places
  }

  /// Returns whether the argument at `index` is code or contains code.
  func takesAsCode(_ index: Int) -> Bool { places.contains(index) }

  /// Returns a program's name without directory and version: `python` for `/usr/bin/python3.11`.
  private static func program(_ word: String) -> String {
    let name = word.split(separator: "/").last.map(String.init) ?? word
    let ending = name.reversed().prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "-" }
    return interpreters[name] == nil ? String(name.dropLast(ending.count)) : name
  }

  private static func places(of interpreter: Interpreter, in words: [String], from start: Int) -> Set<Int> {
    var (code, operands) = (Set<Int>(), [Int]())
    var (index, isOperand) = (start, false)
    while index < words.count {
      let word = words[index]
      let isOption = !isOperand && word.hasPrefix("-") && word != "-"
      switch word {
      case "--" where !isOperand: isOperand = true
      case _ where !isOperand && interpreter.words.contains(word):
        code.insert(index + 1)
        index += 1
      case _ where isOption && word.hasPrefix("--"):
        if interpreter.words.contains(where: { word.hasPrefix($0 + "=") }) { code.insert(index) }
      case _ where isOption:
        let (own, next) = interpreter.option(in: word.dropFirst())
        if own { code.insert(index) }
        if next == .code { code.insert(index + 1) }
        if next != .none { index += 1 }
      default:
        operands.append(index)
        isOperand = isOperand || !interpreter.permutes
      }
      index += 1
    }
    guard code.isEmpty else { return code }
    return switch interpreter.operands {
    case .none: []
    case .first: Set(operands.prefix(1))
    case .all: Set(operands)
    case .afterFirst: Set(operands.dropFirst())
    }
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
