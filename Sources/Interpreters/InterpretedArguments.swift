// SPDX-License-Identifier: Apache-2.0
/// The arguments of a command that a shell or another interpreter in it runs as code.
///
/// ```swift
/// InterpretedArguments(["env", "A=1", "sh", "-ec", "echo {x}"]).takesAsCode(4)        // true
/// InterpretedArguments(["sh", "-c", "echo \"$1\"", "sh", "{x}"]).takesAsCode(4)   // false
/// ```
///
/// Each argument may be an interpreter, because the programs before it may be unknown. The options and operands of each interpreter are
/// data (`ProgramRunner.known`).
package struct InterpretedArguments {
  /// The code of all programs.
  package let code: [Code]
  private let places: Set<Int>
  /// The code of shells of POSIX, which may also be a part of an element.
  private let shellCode: [(program: String, text: String, end: Int)]
  /// The position of each element among the words.
  private let positions: [Int]

  /// The code of one program.
  package struct Code: Hashable, Sendable {
    /// The name of the program, without directory and version.
    package let program: String
    /// The syntax of the code.
    package let language: Language
    /// The indices of the arguments, which the program joins with blanks if there are several.
    package let arguments: [Int]
    /// The characters without which an inserted text is data; empty if any text may be code.
    package var marks = ""
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

  /// Analyzes a command whose first element is the program.
  package init(_ elements: [String]) {
    let split = SplitArguments(elements)
    guard !split.isTooLong else {
      code = [Code(program: elements.first ?? "", language: .other, arguments: Array(elements.indices))]
      (places, shellCode, positions) = (Set(elements.indices), [], Array(elements.indices))
      return
    }
    let texts = split.words.map(\.text)
    var programs: ProgramArguments?
    var code: [Code] = []
    var shellCode: [(program: String, text: String, end: Int)] = []
    for (start, word) in split.words.enumerated() {
      // `flatpak run --command=sh ID -c CODE`: the options of the program follow an operand.
      let option = ProgramRunner.programOptions.first { word.text.hasPrefix($0 + "=") }
      let program = ProgramRunner.name(
        of: option.map { String(word.text.dropFirst($0.count + 1)) } ?? word.text)
      guard var runner = ProgramRunner.known[program], let language = runner.language else { continue }
      let before = start > 0 ? texts[start - 1] : ""
      if option != nil || ProgramRunner.programOptions.contains(before) { runner.permutes = true }
      if runner.isOrdinaryWord, before != "--", before != "-e" {
        if programs == nil { programs = ProgramArguments(elements) }
        guard programs?.positions.contains(start) == true else { continue }
      }
      for places in CodeScan.places(of: runner, in: texts, from: start + 1) {
        // The element that `env -S` splits is code of `env` already.
        let arguments = Set(places.map { split.words[$0].index }).subtracting(
          word.isSplit ? [word.index] : [])
        if language == .posixShell, let last = places.last {
          shellCode.append(
            (program, places.map { texts[$0] }.joined(separator: " "), last))
        }
        guard !arguments.isEmpty else { continue }
        code.append(
          Code(
            program: program, language: language, arguments: arguments.sorted(),
            marks: runner.codeMarks))
      }
    }
    self.code = code
    self.shellCode = shellCode
    positions = split.words.indices.filter { !split.words[$0].isSplit }
    places = Set(code.flatMap(\.arguments))
  }

  /// Returns whether the argument at `index` is code or contains code.
  package func takesAsCode(_ index: Int) -> Bool { places.contains(index) }

  /// Returns the code of which the argument at `index` is a part; `nil` if it is data.
  package func code(at index: Int) -> Code? { code.last { $0.arguments.contains(index) } }

  /// The use of an argument by the code of a shell.
  package struct ShellUse: Hashable, Sendable {
    /// The name of the shell.
    package let program: String
    package let use: ShellCode.Use
    /// The class of the characters without which the argument is data; empty if any text may be code.
    package var marks: String { use == .code ? "" : "^0-9+.-" }
  }

  /// Returns the shell whose code runs the argument at `index` as a program or as code, or evaluates it; `nil` if none does.
  ///
  /// The element behind the code is `$0`, and the further ones are `$1`, `$2` and so on.
  ///
  /// - Parameters:
  ///   - absent: The indices of the elements that may be left out.
  ///   - mayBeSeveral: `true` if an element may become any number of arguments, as `$@` does.
  package func shell(running index: Int, absent: Set<Int> = [], mayBeSeveral: Bool = false) -> ShellUse? {
    let position = positions[index]
    let uses = shellCode.lazy.compactMap { code -> ShellUse? in
      guard code.end < position else { return nil }
      let number = position - code.end - 1
      let missing = (code.end + 1..<position).count { word in
        positions.firstIndex(of: word).map(absent.contains) ?? false
      }
      let numbers = mayBeSeveral ? min(number, 1)...Int.max : number - missing...number
      return ShellCode(ShellCode.code(of: code.text), numbers: numbers).use.map {
        ShellUse(program: code.program, use: $0)
      }
    }
    return uses.first { $0.use == .code } ?? uses.first
  }

  /// Returns the syntax of the code that the program of this name accepts; `nil` if it is no interpreter.
  package static func language(of program: String) -> Language? {
    ProgramRunner.known[ProgramRunner.name(of: program)]?.language
  }
}

/// The state while the code of one program is searched.
private struct CodeScan {
  private let runner: ProgramRunner
  private let words: [String]
  private var code: Set<Int> = []
  /// Indicates whether an option certainly has code or a script, so that no operand is code.
  private var hasCode = false
  private var operands: [Int] = []
  private var isAfterOptions = false
  /// The number of options that may have a value, so that an operand may be that value.
  private var unknown = 0
  /// The number of operands that may be the code of a shell, which follows its options.
  private var pendingCode = 0
  private var codeOperands: ProgramRunner.CodeOperands

  /// Returns the code of a program whose arguments begin at `start`: the indices of each piece of code.
  static func places(of runner: ProgramRunner, in words: [String], from start: Int) -> [[Int]] {
    var scan = CodeScan(runner, words)
    var index = start
    while index < words.count, !scan.isComplete { index = scan.read(index) + 1 }
    return scan.places
  }

  private init(_ runner: ProgramRunner, _ words: [String]) {
    (self.runner, self.words, codeOperands) = (runner, words, runner.codeOperands)
  }

  /// Indicates whether no further argument can be code.
  private var isComplete: Bool {
    isAfterOptions && pendingCode == 0 && !runner.takesPlus && runner.codeSubcommands.isEmpty
      && codeOperands == .none
  }

  private var places: [[Int]] {
    let pieces = code.sorted().filter { $0 < words.count }.map { [$0] }
    guard !hasCode else { return pieces }
    let joined =
      switch codeOperands {
      case .none: [Int]()
      case .first: Array(operands.prefix(1 + unknown))
      case .all: operands
      case .afterFirst: Array(operands.dropFirst())
      case .single: operands.count <= 1 + unknown ? operands : []
      }
    return joined.isEmpty ? pieces : pieces + [joined]
  }

  /// Reads the argument at `index`, and returns the index of the last one that belongs to it.
  private mutating func read(_ index: Int) -> Int {
    let word = words[index]
    if runner.takesPlus, word.hasPrefix("+") {
      code.insert(index)
    } else if !isAfterOptions, word == "--" {
      isAfterOptions = true
    } else if !isAfterOptions, let option = runner.optionWord(word) {
      return readOption(option, at: index)
    } else {
      readOperand(word, at: index)
    }
    return index
  }

  private mutating func readOperand(_ word: String, at index: Int) {
    if pendingCode > 0 {
      code.insert(index)
      pendingCode -= 1
      isAfterOptions = isAfterOptions || pendingCode == 0
      return
    }
    if operands.count <= unknown, let operandsOfCode = runner.codeSubcommands[word] {
      (codeOperands, operands) = (operandsOfCode, [])
      return
    }
    operands.append(index)
    isAfterOptions = isAfterOptions || !runner.permutes && operands.count > runner.operandsBefore + unknown
  }

  private mutating func readOption(_ word: String, at index: Int) -> Int {
    let effect = runner.effect(of: word, findsCode: true)
    switch effect.option {
    case .flag, .attached: return index
    case nil:
      guard effect.isLast else { return index }
      unknown += 1
      if pendingCode > 0 { pendingCode += 1 }
      return index
    case .values(let count): return effect.isLast ? end(ofValues: count, after: index) : index
    case .program: return effect.isLast ? end(ofValues: 1, after: index) : index
    case .script:
      hasCode = hasCode || !effect.isUncertain
      // The options of `awk -f FILE` continue, and those behind a script belong to it.
      isAfterOptions = runner.runsOperand
      return effect.isLast ? end(ofValues: 1, after: index) : index
    case .commandLine, .code:
      hasCode = hasCode || !effect.isUncertain
      return readCode(of: effect, at: index)
    }
  }

  private mutating func readCode(of effect: ProgramRunner.Effect, at index: Int) -> Int {
    if !effect.isLast { code.insert(index) }
    guard effect.isLast || !effect.isWhole else { return index }
    // Shells read code from the next argument even if more letters follow; other programs read the remainder of the argument
    // if there is one. Both are treated as code, because either may be.
    code.insert(index + 1)
    if runner.joinsCode { code.formUnion(words.indices.dropFirst(index + 1)) }
    if runner.endsWithCode || runner.joinsCode { return words.count }
    guard runner.takesCodeAfterOptions else { return end(ofValues: 1, after: index) }
    // `bash -co NAME CODE` and `bash -oc NAME CODE`
    pendingCode = 1 + effect.otherValues
    return index
  }

  /// Returns the index of the last of an option's values.
  ///
  /// An argument that begins with `-` is read as an option in any case, because the option before it may have no value.
  private func end(ofValues count: Int, after index: Int) -> Int {
    index + words.dropFirst(index + 1).prefix(count).prefix { !$0.hasPrefix("-") || $0 == "-" }.count
  }
}
