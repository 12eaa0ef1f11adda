// SPDX-License-Identifier: Apache-2.0
/// The options and operands of a program that runs another program, a script or an application.
///
/// The manual pages of the programs define these options. An option that is missing here only makes the analysis stricter, because
/// it may have a value. Each list has options separated by blanks; a letter is a short option.
struct ProgramRunner {
  enum Option {
    case flag
    /// The option has this many arguments.
    case values(Int)
    /// The argument is a program, a command line or a file with commands.
    case program
    /// The argument is a program, a script or a module, so that no operand is one.
    case script
    /// The argument is code, so that no operand is a program; `InterpretedArguments` finds the code.
    case code
  }

  /// The options without a value; digits are always such options.
  var flags = ""
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
  /// The options of which the value is code.
  var codes = ""
  /// The number of operands before the program.
  var operandsBefore = 0
  /// Indicates whether an operand is the program.
  var runsOperand = true
  /// Indicates whether variables may precede the program, as in `NAME=VALUE`.
  var takesVariables = false
  /// The subcommands that run a program, with the number of operands before it; the empty one stands for a program that is named
  /// without a subcommand.
  var subcommands: [String: Int] = [:]

  /// Returns the effect of an option, such as `-x` or `--word`; `nil` if it is unknown.
  func option(_ name: Substring) -> Option? {
    let letter = name.dropFirst()
    if letter.count == 1, letter.first?.isNumber == true { return .flag }
    let effects: [(list: String, option: Option)] = [
      (programs, .program), (scripts, .script), (codes, .code), (flags, .flag), (values, .values(1)),
      (pairs, .values(2)),
    ]
    return effects.first { list, _ in
      list.split(separator: " ").contains { $0 == name || $0.count == 1 && $0 == letter }
    }?.option
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
