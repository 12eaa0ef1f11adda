// SPDX-License-Identifier: Apache-2.0
/// The options and operands of a program that runs another program, a script, an application or code.
///
/// The manual pages of the programs define these options. An option that is missing here only makes the analysis stricter, because
/// it may have a value. Each list has options separated by blanks; a letter is a short option.
struct ProgramRunner {
  enum Option: Equatable {
    case flag
    /// The option has a value only in the same argument, if it has one.
    case attached
    /// The option has this many arguments.
    case values(Int)
    /// The argument is a program, a command line or a file with commands.
    case program
    /// The argument is a program, a script or a module, so that no operand is one.
    case script
    /// The argument is a program or a command line that is split into arguments, or run by a shell.
    case commandLine
    /// The argument is code, so that no operand is a program.
    case code
  }

  /// The forms of the options.
  enum Style {
    /// Letters after one dash, also several in one argument, and words after two.
    case letters
    /// One word for each argument, after one dash or two.
    case words
    /// As `words`, in any case and with any number of its letters omitted at its end.
    case abbreviations
  }

  /// The operands that are code if no option has code or a script.
  enum CodeOperands {
    case none
    case first
    case all
    case afterFirst
    /// The operand is code if there is only one.
    case single
  }

  var style = Style.letters
  /// The options without a value; digits are always such options.
  var flags = ""
  /// The options that have a value in the same argument or none.
  var attached = ""
  /// The options with a value.
  var values = ""
  /// The options with two values.
  var pairs = ""
  /// The options of which the value is a program, a command line or a file with commands.
  var programs = ""
  /// The beginnings of such options that contain their value, as in `-javaagent:FILE`.
  var joinedPrograms = ""
  /// The options of which the value is the program or script in place of an operand.
  var scripts = ""
  /// The options of which the value is a program or a command line.
  var commandLines = ""
  /// The options of which the value is code.
  var codes = ""
  /// The syntax of the code; `nil` if the program runs none.
  var language: InterpretedArguments.Language?
  /// The operands that are code if no option has code or a script.
  var codeOperands = CodeOperands.none
  /// The subcommands after which operands are code.
  var codeSubcommands: [String: CodeOperands] = [:]
  /// The characters without which an operand is no code; empty if it always may be.
  var codeMarks = ""
  /// Indicates whether options may follow the operands.
  var permutes = false
  /// Indicates whether the code is the first operand, and its option has no value.
  var takesCodeAfterOptions = false
  /// Indicates whether everything after the code is code, too.
  var joinsCode = false
  /// Indicates whether everything after the code belongs to the program that the code runs.
  var endsWithCode = false
  /// Indicates whether arguments that begin with `+` are code.
  var takesPlus = false
  /// Indicates whether the name is also an ordinary argument of other programs, so that it is a program only at the position of one.
  var isOrdinaryWord = false
  /// The number of operands before the program.
  var operandsBefore = 0
  /// Indicates whether the program runs commands from its standard input unless an option has code.
  var readsCommands = false
  /// Indicates whether an operand is the program.
  var runsOperand = true
  /// Indicates whether variables may precede the program, as in `NAME=VALUE`.
  var takesVariables = false
  /// The subcommands that run a program, with the number of operands before it; the empty one stands for a program that is named
  /// without a subcommand.
  var subcommands: [String: Int] = [:]
  /// The options by their names, which `indexed` fills in.
  var options: [String: Option] = [:]

  /// The program with its options by their names.
  var indexed: ProgramRunner {
    let lists: [(list: String, option: Option)] = [
      (programs, .program), (scripts, .script), (commandLines, .commandLine), (codes, .code), (flags, .flag),
      (attached, .attached), (values, .values(1)), (pairs, .values(2)),
    ]
    var runner = self
    for (list, option) in lists {
      for name in list.split(separator: " ") {
        runner.options[key(of: name)] = runner.options[key(of: name)] ?? option
      }
    }
    return runner
  }

  /// Returns the name of an option as the keys of `options` have it.
  private func key(of name: Substring) -> String {
    switch style {
    case .letters: name.count == 1 ? "-\(name)" : String(name)
    case .words: String(name.drop { $0 == "-" })
    case .abbreviations: name.drop { $0 == "-" }.lowercased()
    }
  }

  /// Returns the effect of an option, such as `-x` or `--word`; `nil` if it is unknown.
  func option(_ name: Substring) -> Option? {
    let letter = name.dropFirst()
    if letter.count == 1, letter.first?.isNumber == true { return .flag }
    let name = key(of: name)
    if let option = options[name] { return option }
    if style == .words, attached.split(separator: " ").contains(where: { name.hasPrefix($0) }) {
      return .attached
    }
    guard style == .abbreviations else { return nil }
    // An abbreviation of several words is code if one of them has code, and unknown if not all are flags.
    let candidates = options.filter { $0.key.hasPrefix(name) }.values
    if candidates.contains(.code) { return .code }
    let isFlag = candidates.allSatisfy { $0 == .flag }
    return candidates.count == 1 || isFlag ? candidates.first : nil
  }

  /// The effect of the option or options in one argument.
  struct Effect {
    /// The effect; `nil` if an option is unknown and none of the others has a value.
    let option: Option?
    /// Indicates whether the value, if the option has one, is the next argument.
    let isLast: Bool
    /// Indicates whether the argument is only this option, with its value behind `=` if it is not the next argument.
    var isWhole = false
    /// Indicates whether the value of another option in the argument may contain the letter of this one.
    var isUncertain = false
    /// The number of further arguments that may be values of other options in the argument.
    var otherValues = 0
  }

  /// Returns the argument in the form `-x` if it may be an option, as `bash +o posix` has one; otherwise `nil`.
  func optionWord(_ word: String) -> String? {
    if word.hasPrefix("-") { return word == "-" ? nil : word }
    return takesCodeAfterOptions && word.hasPrefix("+") ? "-" + word.dropFirst() : nil
  }

  /// Returns the effect of an argument that begins with `-`.
  ///
  /// - Parameter findsCode: `true` to look for code also behind options that may have a value in the same argument.
  func effect(of word: String, findsCode: Bool) -> Effect {
    let name = word.prefix { $0 != "=" }
    let whole = option(name)
    if style != .letters || word.hasPrefix("--") || whole != nil {
      return Effect(option: whole, isLast: name.utf8.count == word.utf8.count, isWhole: true)
    }
    if takesCodeAfterOptions { return effect(ofLetters: word.dropFirst()) }
    var (isKnown, isUncertain) = (true, false)
    for (offset, letter) in word.dropFirst().enumerated() {
      switch option("-\(letter)") {
      case .flag: break
      case .attached where findsCode: isUncertain = true
      case .attached: return Effect(option: isKnown ? .flag : nil, isLast: true)
      case nil: (isKnown, isUncertain) = (false, true)
      case let option:
        return Effect(option: option, isLast: offset == word.count - 2, isUncertain: isUncertain)
      }
    }
    return Effect(option: isKnown ? .flag : nil, isLast: true)
  }

  /// Returns the effect of letters of a shell, each of which is an option; their values are further arguments in most shells.
  private func effect(ofLetters letters: Substring) -> Effect {
    let effects = letters.map { option("-\($0)") }
    let values = effects.count { $0 != .flag && $0 != .code }
    if effects.contains(.code) {
      return Effect(
        option: .code, isLast: letters.last == "c", isUncertain: values > 0, otherValues: values)
    }
    if values == 0 { return Effect(option: .flag, isLast: true) }
    // `zsh -oNAME` has the value in the same argument.
    if values == 1, case .values(let count)? = effects.last ?? nil {
      return Effect(option: .values(count), isLast: true)
    }
    return Effect(option: nil, isLast: true)
  }

  /// Indicates whether the program, without a script and code, reads code from its standard input.
  var readsInput: Bool {
    language != nil && runsOperand && operandsBefore == 0 && commandLines.isEmpty && codeOperands == .none
  }

  /// Returns whether an argument is an option that contains a program, a command line or a file with commands.
  func isJoinedProgram(_ word: String) -> Bool {
    joinedPrograms.split(separator: " ").contains { word.hasPrefix($0) }
  }

  /// Returns a program's name without directory and version: `python` for `/usr/bin/python3.11`.
  static func name(of word: String) -> String {
    let name = word.split(separator: "/").last.map(String.init) ?? word
    guard known[name] == nil else { return name }
    let ending = name.reversed().prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "-" }
    return String(name.dropLast(ending.count))
  }

  /// The options by which a program of any kind runs the program that is their value, which gets options behind the operands.
  static let programOptions = ["--command", "--entrypoint"]

  /// Returns whether programs run or load what the variable names.
  static func loads(variable: Substring) -> Bool {
    loadingVariables.contains(variable) || loadingPrefixes.contains { variable.hasPrefix($0) }
  }

  private static let loadingPrefixes = ["LD_", "BASH_FUNC_", "GIT_", "GCONV_"]
  private static let loadingVariables = """
    PATH HOME SHELL ENV BASH_ENV IFS PS4 PROMPT_COMMAND EDITOR VISUAL PAGER BROWSER TERMINAL LESSOPEN LESSCLOSE MANPAGER
    PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONINSPECT PERL5OPT PERL5LIB PERL5DB RUBYOPT RUBYLIB NODE_OPTIONS NODE_PATH
    LUA_INIT LUA_PATH LUA_CPATH GUILE_LOAD_PATH CLASSPATH JAVA_TOOL_OPTIONS _JAVA_OPTIONS VIMINIT EXINIT GTK_MODULES GTK_PATH
    GTK_IM_MODULE_FILE GIO_EXTRA_MODULES GIO_MODULE_DIR GST_PLUGIN_PATH QT_PLUGIN_PATH QML2_IMPORT_PATH
    XDG_CONFIG_HOME XDG_CONFIG_DIRS XDG_DATA_HOME XDG_DATA_DIRS
    """.split { $0 == " " || $0 == "\n" }
}
